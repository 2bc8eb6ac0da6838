package expression

import (
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Path is a document path: a name, then names and indexes.
type Path []Step

// Step is a step of a path: a name, or an index of a list if Index is not negative.
type Step struct {
	Name  string
	Index int // -1: a name
}

// Name returns the step to an attribute.
func Name(name string) Step { return Step{name, -1} }

// Index returns the step to an element of a list.
func Index(i int) Step { return Step{"", i} }

// Find returns what the path leads to in the item, and whether it is there.
func (p Path) Find(item value.Item) (value.Value, bool) {
	v, ok := item.Get(p[0].Name)
	for _, step := range p[1:] {
		if !ok {
			return v, false
		}
		v, ok = step.in(v)
	}
	return v, ok
}

// in returns what the step leads to in a map or list.
func (s Step) in(v value.Value) (value.Value, bool) {
	switch {
	case s.Index < 0 && v.Kind == value.M:
		return v.Map.Get(s.Name)
	case s.Index >= 0 && v.Kind == value.L && s.Index < len(v.List):
		return v.List[s.Index], true
	}
	return value.Value{}, false
}

// String returns the path as DynamoDB's messages write it, such as [a, [0], b].
func (p Path) String() string {
	steps := make([]string, len(p))
	for i, s := range p {
		steps[i] = s.Name
		if s.Index >= 0 {
			steps[i] = "[" + strconv.Itoa(s.Index) + "]"
		}
	}
	return "[" + strings.Join(steps, ", ") + "]"
}

// path parses a document path. Names that are placeholders keep their #.
func (p *parser) path() Path {
	return p.steps(Path{p.step()})
}

func (p *parser) step() Step {
	s := Name(p.lexeme())
	if k := p.token().kind; k != word && k != name {
		p.fail()
		return Name("")
	}
	p.next()
	return s
}

// steps parses what follows the beginning of a path.
func (p *parser) steps(path Path) Path {
	for p.err == "" {
		switch {
		case p.is("."):
			p.next()
			path = append(path, p.step())
		case p.is("["):
			p.next()
			i, err := strconv.Atoi(p.lexeme())
			if p.token().kind != digits || err != nil || i > maxIndex {
				p.fail()
				return path
			}
			p.next()
			p.take("]")
			path = append(path, Index(i))
		default:
			return path
		}
	}
	return path
}

// maxIndex bounds indexes so that they fit the integers of every system.
const maxIndex = 1<<31 - 1

// overlap checks that no two paths of an expression are the same or one within the other, and that none takes for a
// list what another takes for a map.
type overlap struct {
	paths              []Path
	overlaps, conflict value.Problem
}

// add compares the path with those before it. DynamoDB reports the first overlap, and a conflict only if there is none.
func (o *overlap) add(path Path) {
	if o.overlaps != "" {
		return
	}
	for _, before := range o.paths {
		o.compare(before, path)
		if o.overlaps != "" {
			return
		}
	}
	o.paths = append(o.paths, path)
}

func (o *overlap) compare(a, b Path) {
	const remedy = " with each other; must remove or rewrite one of these paths; path one: "
	for i := range min(len(a), len(b)) {
		if (a[i].Index < 0) != (b[i].Index < 0) {
			if o.conflict == "" {
				const message = "Two document paths conflict" + remedy
				o.conflict = value.Problem(message + a.String() + ", path two: " + b.String())
			}
			return
		}
		if a[i] != b[i] {
			return
		}
	}
	o.overlaps = value.Problem("Two document paths overlap" + remedy + a.String() + ", path two: " + b.String())
}
