package expression

import (
	"cmp"
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Apply returns the updated item. A nil old is an item that does not exist: what Apply then returns has only what the
// update sets, and not the key. The error is a value.Problem. All values are read from the old item, and
// indexes are those of its lists (Developer Guide, "Update expressions").
func (u *Update) Apply(old value.Item) (value.Item, error) {
	if u == nil {
		return old, nil
	}
	e := edit{
		root: slices.Clone(old), legacy: u.legacy,
		ownLists: map[*value.Value]bool{}, ownMaps: map[*value.Attribute]bool{},
	}
	results := make([]value.Value, len(u.actions))
	for i := range u.actions {
		if a := &u.actions[i]; a.Verb == Set {
			v, problem := a.operand.compute(old)
			if problem != "" {
				return nil, problem
			}
			results[i] = v
		}
	}
	for i := range u.actions {
		a := &u.actions[i]
		if a.Verb == Remove && old == nil {
			continue // DynamoDB takes it whatever the path
		}
		if problem := e.apply(a, results[i]); problem != "" {
			return nil, problem
		}
	}
	return e.finish(), nil
}

// compute returns the value of a SET.
func (n *node) compute(item value.Item) (value.Value, value.Problem) {
	switch {
	case n.op == opValue:
		return n.val, ""
	case n.op == opPath:
		if v, ok := n.path.Find(item); ok {
			return v, ""
		}
		return value.Value{}, noAttribute
	case n.name == "if_not_exists":
		if v, ok := n.args[0].path.Find(item); ok {
			return v, ""
		}
		return n.args[1].compute(item)
	}
	kind := value.N
	if n.op == opFunction { // list_append
		kind = value.L
	}
	var operands [2]value.Value
	for i := range operands {
		v, problem := n.args[i].compute(item)
		if problem == "" && v.Kind != kind {
			problem = badOperand
		}
		if problem != "" {
			return v, problem
		}
		operands[i] = v
	}
	if kind == value.L {
		return value.List(slices.Concat(operands[0].List, operands[1].List)...), ""
	}
	return arithmetic(operands[0], operands[1], n.op == opMinus)
}

func arithmetic(left, right value.Value, minus bool) (value.Value, value.Problem) {
	a, err := value.ParseNumber(left.Text)
	b, other := value.ParseNumber(right.Text)
	if err = cmp.Or(err, other); err == nil && minus {
		a, err = a.Sub(b)
	} else if err == nil {
		a, err = a.Add(b)
	}
	if err != nil {
		return left, value.Problem(err.Error())
	}
	return value.Value{Kind: value.N, Text: a.String()}, ""
}

// edit is an item in the course of an update. Elements of lists that are removed stay as Invalid values, and those that
// are set beyond the end wait, until all actions are done: so indexes remain those of the old lists.
type edit struct {
	root   value.Item
	lists  []listEdit
	legacy bool
	// The lists and maps that the edit has copied, by their first elements: no other item shares them.
	ownLists map[*value.Value]bool
	ownMaps  map[*value.Attribute]bool
}

// listEdit is a list that has lost or is to get elements.
type listEdit struct {
	path Path
	more []extension
}

// extension is an element that was set beyond the end of a list.
type extension struct {
	index int
	value value.Value
}

func (e *edit) mismatch() value.Problem {
	if e.legacy {
		return "Type mismatch for attribute to update"
	}
	return badOperand
}

// apply does one action; v is the value of a SET.
func (e *edit) apply(a *action, v value.Value) value.Problem {
	old, found := a.Path.Find(e.root)
	if parent := a.Path[:len(a.Path)-1]; len(parent) > 0 {
		in, ok := parent.Find(e.root)
		want := value.M
		if a.Path[len(a.Path)-1].Index >= 0 {
			want = value.L
		}
		if !ok || in.Kind != want {
			return badPath
		}
	}
	switch a.Verb {
	case Remove:
		if found {
			e.remove(a.Path)
		}
		return ""
	case Set:
		return e.set(a.Path, v)
	}
	operand := a.operand.val
	if !found && a.Verb == Add {
		return e.set(a.Path, operand)
	}
	if !found {
		return ""
	}
	if old.Kind != operand.Kind {
		return e.mismatch()
	}
	switch {
	case a.Verb == Delete:
		rest := without(old, operand)
		if len(rest.List) == 0 {
			e.remove(a.Path)
			return ""
		}
		return e.set(a.Path, rest)
	case operand.Kind == value.N:
		sum, problem := arithmetic(old, operand, false)
		if problem != "" {
			return problem
		}
		return e.set(a.Path, sum)
	case operand.Kind == value.L: // of AttributeUpdates only
		return e.set(a.Path, value.List(slices.Concat(old.List, operand.List)...))
	}
	added := slices.Concat(old.List, without(operand, old).List)
	return e.set(a.Path, value.Value{Kind: old.Kind, List: added})
}

// without returns the elements of a set that another does not have.
func without(set, other value.Value) value.Value {
	has := value.Members(other)
	out := value.Value{Kind: set.Kind}
	for _, v := range set.List {
		if !has(v.Text) {
			out.List = append(out.List, v)
		}
	}
	return out
}

func (e *edit) set(path Path, v value.Value) value.Problem {
	if len(path)-1+v.Levels() > value.MaxLevels {
		return value.TooDeep
	}
	last := path[len(path)-1]
	if last.Index >= 0 {
		parent := path[:len(path)-1]
		if in, _ := parent.Find(e.root); last.Index >= len(in.List) {
			l := e.list(parent)
			l.more = append(l.more, extension{last.Index, v})
			return ""
		}
	}
	e.write(path, v)
	return ""
}

func (e *edit) remove(path Path) {
	if path[len(path)-1].Index >= 0 {
		e.list(path[:len(path)-1])
	}
	e.write(path, value.Value{})
}

// write replaces what a path leads to in the item.
func (e *edit) write(path Path, v value.Value) {
	if len(e.root) > 0 {
		e.ownMaps[&e.root[0]] = true
	}
	e.root = e.replaced(value.Map(e.root), path, v).Map
}

// list returns the edit of the list with this path.
func (e *edit) list(path Path) *listEdit {
	for i := range e.lists {
		if slices.Equal(e.lists[i].path, path) {
			return &e.lists[i]
		}
	}
	e.lists = append(e.lists, listEdit{path: path})
	return &e.lists[len(e.lists)-1]
}

// replaced returns a map or list in which the path, which leads to something or to a new entry of a map, has the value.
// Invalid removes an entry of a map, and marks an element of a list as removed. What the edit does not own is copied.
func (e *edit) replaced(in value.Value, path Path, v value.Value) value.Value {
	step := path[0]
	if len(path) > 1 {
		below, _ := step.in(in)
		v = e.replaced(below, path[1:], v)
	}
	if step.Index >= 0 {
		if !e.ownLists[&in.List[0]] {
			in.List = slices.Clone(in.List)
			e.ownLists[&in.List[0]] = true
		}
		in.List[step.Index] = v
		return in
	}
	if len(in.Map) == 0 || !e.ownMaps[&in.Map[0]] {
		in.Map = slices.Clone(in.Map)
	}
	if v.Kind == value.Invalid {
		in.Map = in.Map.Delete(step.Name)
	} else {
		in.Map = in.Map.Set(step.Name, v)
	}
	if len(in.Map) > 0 {
		e.ownMaps[&in.Map[0]] = true
	}
	return in
}

// finish closes the gaps in lists and appends what was set beyond their ends, in the order of the indexes. Deeper lists
// come first, because those above them change the indexes in their paths.
func (e *edit) finish() value.Item {
	slices.SortStableFunc(e.lists, func(a, b listEdit) int { return cmp.Compare(len(b.path), len(a.path)) })
	for _, l := range e.lists {
		list, ok := l.path.Find(e.root)
		if !ok {
			continue
		}
		kept := make([]value.Value, 0, len(list.List)+len(l.more))
		for _, v := range list.List {
			if v.Kind != value.Invalid {
				kept = append(kept, v)
			}
		}
		slices.SortStableFunc(l.more, func(a, b extension) int { return cmp.Compare(a.index, b.index) })
		for _, x := range l.more {
			kept = append(kept, x.value)
		}
		e.write(l.path, value.List(kept...))
	}
	return e.root
}
