package expression

import (
	"cmp"
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Projection selects attributes. The nil Projection selects all.
type Projection struct {
	paths []Path
	tree  selection
}

// NewProjection returns the projection of these paths, which must not overlap.
func NewProjection(paths ...Path) *Projection {
	p := &Projection{paths: paths}
	sorted := slices.SortedFunc(slices.Values(paths), func(a, b Path) int { return slices.CompareFunc(a, b, order) })
	for _, path := range sorted { // in order, so that every step goes to the end of those before it
		p.tree.add(path)
	}
	return p
}

func order(a, b Step) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Index, b.Index)) }

// Apply returns the selected part of the item. Elements of a list move up to those before them.
func (p *Projection) Apply(item value.Item) value.Item {
	if p == nil {
		return item
	}
	return p.tree.apply(item)
}

// Heads returns the names of the top-level attributes that are selected, wholly or in part.
func (p *Projection) Heads() []string { return p.heads(1) }

// Nested returns those of the Heads which are selected in part.
func (p *Projection) Nested() []string { return p.heads(2) }

func (p *Projection) heads(steps int) []string {
	if p == nil {
		return nil
	}
	return heads(p.paths, steps)
}

// heads returns the names at the beginning of the paths with at least so many steps.
func heads(paths []Path, steps int) []string {
	var names []string
	for _, path := range paths {
		if len(path) >= steps && !slices.Contains(names, path[0].Name) {
			names = append(names, path[0].Name)
		}
	}
	return names
}

// selection is a tree of paths: the steps of one level, in the order of names or indexes. Without steps it selects
// everything.
type selection struct {
	steps []Step
	below []selection
}

func (s *selection) add(path Path) {
	for _, step := range path {
		i, ok := slices.BinarySearchFunc(s.steps, step, order)
		if !ok {
			s.steps = slices.Insert(s.steps, i, step)
			s.below = slices.Insert(s.below, i, selection{})
		}
		s = &s.below[i]
	}
}

func (s *selection) apply(item value.Item) value.Item {
	out := make(value.Item, 0, len(s.steps))
	for i, step := range s.steps {
		v, ok := item.Get(step.Name)
		if ok {
			v, ok = s.below[i].value(v)
		}
		if ok {
			out = append(out, value.Attribute{Name: step.Name, Value: v})
		}
	}
	return out
}

// value returns the selected part of a value, and whether there is any.
func (s *selection) value(v value.Value) (value.Value, bool) {
	if len(s.steps) == 0 {
		return v, true
	}
	if s.steps[0].Index < 0 {
		if v.Kind != value.M {
			return v, false
		}
		entries := s.apply(v.Map)
		return value.Map(entries), len(entries) > 0
	}
	out := value.Value{Kind: value.L}
	for i, step := range s.steps {
		element, ok := step.in(v)
		if ok {
			element, ok = s.below[i].value(element)
		}
		if ok {
			out.List = append(out.List, element)
		}
	}
	return out, len(out.List) > 0
}

// parseProjection parses and checks a ProjectionExpression.
func (s *scope) parseProjection(text string) (*Projection, value.Problem) {
	if problem := limits(text, true); problem != "" {
		return nil, problem
	}
	p := newParser(text)
	paths := []Path{p.path()}
	for p.is(",") {
		p.next()
		paths = append(paths, p.path())
	}
	if p.token().kind != end {
		p.fail()
	}
	if p.err != "" {
		return nil, p.err
	}
	var word, undefined value.Problem
	for _, path := range paths {
		first(&word, reservedIn(path))
		first(&undefined, s.path(path))
	}
	var check overlap
	for _, path := range paths {
		check.add(path)
	}
	if problem := cmp.Or(word, undefined, check.overlaps, check.conflict); problem != "" {
		return nil, problem
	}
	return NewProjection(paths...), ""
}
