package explore

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/run/matching"
)

// difference is one place at which two values differ.
type difference struct {
	path        string // such as groups[].name, with the indices left out
	at          string // the same with indices
	left, right any
}

func (d difference) String() string {
	return fmt.Sprintf("%s is %s, not %s", d.at, shown(d.left), shown(d.right))
}

// missing stands for a member or an item that is not there.
type missing struct{}

func shown(value any) string {
	if _, is := value.(missing); is {
		return "missing"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	const most = 200
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "…"
	}
	return string(text)
}

// values compares two JSON values and returns the first difference that free does not leave open; nil: none.
func (p *pairing) values(left, right any, path, at string, free leave) *difference {
	differ := &difference{path, at, left, right}
	switch l := left.(type) {
	case map[string]any:
		r, ok := right.(map[string]any)
		if !ok {
			break
		}
		return p.members(l, r, path, at, free)
	case []any:
		r, ok := right.([]any)
		if !ok {
			break
		}
		return p.items(l, r, path, at, free)
	case string:
		if r, ok := right.(string); ok && p.texts(l, r) {
			return nil
		}
	case json.Number:
		if r, ok := right.(json.Number); ok && p.numbers(l, r) {
			return nil
		}
	default:
		if left == right {
			return nil
		}
	}
	if free.open(path) {
		return nil
	}
	return differ
}

func (p *pairing) members(l, r map[string]any, path, at string, free leave) *difference {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		inner, innerAt := join(path, general(name)), join(at, name)
		value, has := l[name]
		if !has { // a name may be an id
			value, has = l[p.translateBack(name)]
		}
		if !has {
			if r[name] != nil && !free.open(inner) && !free.lacks(inner, name, r[name]) {
				return &difference{inner, innerAt, missing{}, r[name]}
			}
			continue
		}
		if free.open(inner) {
			continue
		}
		if d := p.values(value, r[name], inner, innerAt, free); d != nil {
			return d
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l)) {
		inner := join(path, general(name))
		_, has := r[name]
		if !has {
			_, has = r[p.translate(name)]
		}
		if !has && l[name] != nil && !free.open(inner) && !free.open("more members") && !free.open(oneMore+inner) &&
			!free.lacks(inner, name, l[name]) {
			return &difference{inner, join(at, name), l[name], missing{}}
		}
	}
	return nil
}

// general returns the name of a member, or * for one that is an id or an e-mail: its path is that of all like it.
func general(name string) string {
	if strings.Contains(name, "@") || idPattern.MatchString(name) && isLongID(name) {
		return "*"
	}
	return name
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// items compares two lists. Where their order is free, each item is compared with the first that it agrees with.
func (p *pairing) items(l, r []any, path, at string, free leave) *difference {
	if len(l) != len(r) {
		return &difference{path + " (length)", at + " (number of items)", json.Number(strconv.Itoa(len(l))),
			json.Number(strconv.Itoa(len(r)))}
	}
	if within, ok := free.order(path); ok {
		for i := range l {
			inner, innerAt := path+"[]."+within, fmt.Sprintf("%s[%d].%s", at, i, within)
			d := p.values(itemMember(l[i], within), itemMember(r[i], within), inner, innerAt, free)
			if within != "" && d != nil {
				return d
			}
		}
		return p.unordered(l, r, path, at, free)
	}
	for i := range l {
		if d := p.values(l[i], r[i], path+"[]", fmt.Sprintf("%s[%d]", at, i), free); d != nil {
			return d
		}
	}
	return nil
}

func itemMember(item any, path string) any {
	value, _ := matching.Lookup(item, path)
	return value
}

func (p *pairing) unordered(l, r []any, path, at string, free leave) *difference {
	taken := make([]bool, len(r))
	for i := range l {
		var first *difference
		found := false
		for j := range r {
			if taken[j] {
				continue
			}
			before := len(p.journal)
			d := p.values(l[i], r[j], path+"[]", fmt.Sprintf("%s[%d]", at, i), free)
			if d == nil {
				taken[j], found = true, true
				break
			}
			p.back(before)
			if first == nil {
				first = d
			}
		}
		if !found {
			return first
		}
	}
	return nil
}

// numbers compares two numbers: equal in value, or times that belong together.
func (p *pairing) numbers(l, r json.Number) bool {
	if l == r {
		return true
	}
	lf, lErr := l.Float64()
	rf, rErr := r.Float64()
	if lErr == nil && rErr == nil && lf == rf {
		return true
	}
	return p.epochs(l.String(), r.String())
}
