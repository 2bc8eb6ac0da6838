package mapping

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// names are the differences of a route, or of all.
type names struct {
	requests, answers, failures renames
	codes                       map[string]verdict // by the server's code
	statuses                    map[int]int        // by the server's status
}

// verdict is the contract's counterpart of a server's code.
type verdict struct {
	code   string
	status int // 0: as it is
}

// renames are the names of members: those of the contract, and the server's.
type renames struct {
	names  map[string]string // contract to server, wherever the member stands
	places []place
	lines  map[string]entry // of the file, by the contract's name or place
}

// place is a member that stands at one place alone.
type place struct{ contract, server path }

// path is a way to a member, such as groups[].name.
type path []segment

type segment struct {
	name  string
	lists int // how many lists are around what follows
}

var segmentForm = regexp.MustCompile(`^([^.\[\]/{}\s]+)((?:\[\])*)$`)

// readPath reads a.b, a[].b, or /a for a member at the top alone.
func readPath(text string) (path, error) {
	var p path
	parts := strings.Split(strings.TrimPrefix(text, "/"), ".")
	for i, part := range parts {
		m := segmentForm.FindStringSubmatch(part)
		if m == nil || i == len(parts)-1 && m[2] != "" {
			return nil, fmt.Errorf("%q is not like name, a.name, list[].name or /name", text)
		}
		p = append(p, segment{m[1], len(m[2]) / 2})
	}
	return p, nil
}

// isPlace reports whether a text names one place, and not a member wherever it stands.
func isPlace(text string) bool { return strings.ContainsAny(text, "./[") }

// String returns a path as a file has it.
func (p path) String() string {
	if len(p) == 1 {
		return "/" + p[0].name
	}
	parts := make([]string, len(p))
	for i, s := range p {
		parts[i] = s.name + strings.Repeat("[]", s.lists)
	}
	return strings.Join(parts, ".")
}

// lists returns how many lists are on the way.
func (p path) lists() (count int) {
	for _, s := range p {
		count += s.lists
	}
	return count
}

// over returns r with the entries of other for the members that r says nothing of. A name of r is meant wherever the
// member stands, so it also goes before the places of other that end in it.
func (r renames) over(other renames) renames {
	merged := renames{maps.Clone(r.names), slices.Clone(r.places), maps.Clone(r.lines)}
	if merged.names == nil {
		merged.names, merged.lines = map[string]string{}, map[string]entry{}
	}
	for from, to := range other.names {
		if _, known := merged.names[from]; !known {
			merged.names[from], merged.lines[from] = to, other.lines[from]
		}
	}
	for _, p := range other.places {
		_, named := r.names[p.contract[len(p.contract)-1].name]
		same := func(q place) bool { return slices.Equal(p.contract, q.contract) }
		if !named && !slices.ContainsFunc(r.places, same) {
			merged.places = append(merged.places, p)
			merged.lines[p.contract.String()] = other.lines[p.contract.String()]
		}
	}
	return merged
}

// toServer replaces the contract's names in a request.
func (r renames) toServer(n *node) {
	moves := make([][2]path, len(r.places))
	for i, p := range r.places {
		moves[i] = [2]path{p.contract, p.server}
	}
	translate(n, r.names, moves)
}

// toContract replaces the server's names in an answer.
func (r renames) toContract(n *node) {
	moves := make([][2]path, len(r.places))
	for i, p := range r.places {
		moves[i] = [2]path{p.server, p.contract}
	}
	translate(n, inverse(r.names), moves)
}

func inverse(names map[string]string) map[string]string {
	back := make(map[string]string, len(names))
	for from, to := range names {
		back[to] = from
	}
	return back
}

// taken is a value on its way from one place to another. at says which item of each list it belongs to.
type taken struct {
	to    path
	at    []int
	value *node
}

// translate moves members from places to places, and renames the others wherever they stand. The names of both are
// those that the value had before.
func translate(n *node, names map[string]string, moves [][2]path) {
	slices.SortStableFunc(moves, func(a, b [2]path) int { return cmp.Compare(len(b[0]), len(a[0])) })
	var all []taken
	for _, move := range moves {
		take(n, move[0], nil, func(at []int, value *node) { all = append(all, taken{move[1], at, value}) })
	}
	rename(n, names)
	for _, one := range all {
		rename(one.value, names)
	}
	slices.SortStableFunc(all, func(a, b taken) int { return cmp.Compare(len(a.to), len(b.to)) })
	for _, one := range all {
		insert(n, one.to, one.at, one.value)
	}
}

// take removes what stands at a place, in each item of the lists on the way. An object that holds nothing else is
// removed as well.
func take(n *node, p path, at []int, found func(at []int, value *node)) {
	if n.kind != '{' {
		return
	}
	var left []member
	for _, m := range n.members {
		switch {
		case m.name != p[0].name:
			left = append(left, m)
		case len(p) == 1:
			found(slices.Clone(at), m.value)
		default:
			before := len(m.value.members)
			each(m.value, p[0].lists, at, func(item *node, at []int) { take(item, p[1:], at, found) })
			if before == 0 || len(m.value.members) > 0 {
				left = append(left, m)
			}
		}
	}
	n.members = left
}

// each calls a function for each item at a depth of lists.
func each(n *node, lists int, at []int, do func(item *node, at []int)) {
	if lists == 0 {
		do(n, at)
		return
	}
	for i, item := range n.items {
		each(item, lists-1, append(slices.Clone(at), i), do)
	}
}

// unmapped is added to the name of a member that stands where another one belongs: nothing is dropped.
const unmapped = " (not mapped)"

// rename renames members wherever they stand.
func rename(n *node, names map[string]string) {
	for _, item := range n.items {
		rename(item, names)
	}
	given := map[string]bool{}
	for _, m := range n.members {
		rename(m.value, names)
		if to, mapped := names[m.name]; mapped {
			given[to] = true
		}
	}
	for i, m := range n.members {
		to, mapped := names[m.name]
		switch {
		case mapped:
			n.members[i].name, n.members[i].raw = to, nil
		case given[m.name]:
			n.members[i].name, n.members[i].raw = m.name+unmapped, nil
		}
	}
}

// insert puts a value at a place, and makes what is missing on the way.
func insert(n *node, p path, at []int, value *node) {
	if n.kind != '{' {
		return
	}
	i := n.index(p[0].name)
	if len(p) == 1 {
		if i >= 0 && !n.members[i].value.merge(value) {
			n.members[i].name, n.members[i].raw = p[0].name+unmapped, nil
			i = -1
		}
		if i < 0 {
			n.members = append(n.members, member{name: p[0].name, value: value})
		}
		return
	}
	kind := byte('{')
	if p[0].lists > 0 {
		kind = '['
	}
	if i >= 0 && n.members[i].value.kind != kind {
		n.members[i].name, n.members[i].raw = p[0].name+unmapped, nil
		i = -1
	}
	if i < 0 {
		i = len(n.members)
		n.members = append(n.members, member{name: p[0].name, value: &node{kind: kind}})
	}
	inner := n.members[i].value
	for depth := range p[0].lists {
		if depth >= len(at) {
			return
		}
		for kind = '{'; len(inner.items) <= at[depth]; {
			if depth < p[0].lists-1 {
				kind = '['
			}
			inner.items = append(inner.items, &node{kind: kind})
		}
		inner = inner.items[at[depth]]
	}
	insert(inner, p[1:], at[min(len(at), p[0].lists):], value)
}

// merge adds the members, or items, of another object or list; false: they do not fit together.
func (n *node) merge(other *node) bool {
	if !n.fits(other) {
		return false
	}
	for _, m := range other.members {
		if i := n.index(m.name); i < 0 || !n.members[i].value.merge(m.value) {
			n.members = append(n.members, m)
		}
	}
	for i, item := range other.items {
		n.items[i].merge(item)
	}
	return true
}

// fits reports whether two values are objects, or lists of as many objects.
func (n *node) fits(other *node) bool {
	return n.kind != 0 && n.kind == other.kind && len(n.items) == len(other.items) &&
		!slices.ContainsFunc(n.items, func(item *node) bool { return item.kind != '{' }) &&
		!slices.ContainsFunc(other.items, func(item *node) bool { return item.kind != '{' })
}

// find returns what stands at a place without lists; nil: nothing.
func (n *node) find(p path) *node {
	for _, s := range p {
		i := n.index(s.name)
		if i < 0 || s.lists > 0 {
			return nil
		}
		n = n.members[i].value
	}
	return n
}
