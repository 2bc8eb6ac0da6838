package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// rowDifference is a record that differs between the two sides.
type rowDifference struct {
	resource    string
	key         []string // as the subject has it; as the oracle has it if the subject lacks it
	left, right *record
	of          *difference // nil: one side lacks the record
}

func (d *rowDifference) String() string {
	name := strings.Join(d.key, " / ")
	switch {
	case d.left == nil:
		return fmt.Sprintf("%s %s is missing", d.resource, name)
	case d.right == nil:
		return fmt.Sprintf("%s %s should not be there", d.resource, name)
	}
	return fmt.Sprintf("%s %s: %s", d.resource, name, d.of)
}

// kind says what differs, without values.
func (d *rowDifference) kind() string {
	switch {
	case d.left == nil:
		return d.resource + " lacks"
	case d.right == nil:
		return d.resource + " extra"
	}
	return d.resource + " " + d.of.path
}

// changes compares what a step has changed on both sides. Records whose keys hold ids that were not seen yet are
// matched by what they contain.
func (p *pairing) changes(left, right []change, all [2]*content, spec *Spec) *rowDifference {
	taken := make([]bool, len(right))
	var first *rowDifference
	for _, l := range left {
		if spec.freeRecord(l.resource, l.key) {
			continue
		}
		d := p.oneChange(l, right, taken, all[1], spec)
		if d != nil && (first == nil || d.of != nil && first.of == nil) {
			first = d
		}
	}
	if first != nil {
		return first
	}
	for i, r := range right {
		if !taken[i] && !spec.freeRecord(r.resource, r.key) {
			if d := p.onlyRight(r, all[0], spec); d != nil {
				return d
			}
		}
	}
	return nil
}

// oneChange finds the change on the right that a change on the left agrees with.
func (p *pairing) oneChange(l change, right []change, taken []bool, other *content,
	spec *Spec) *rowDifference {
	key, parts := p.translate(l.key), strings.Split(l.key, "\x00")
	var near *rowDifference
	for i, r := range right {
		if taken[i] || r.resource != l.resource || (r.after == nil) != (l.after == nil) ||
			(r.before == nil) != (l.before == nil) {
			continue
		}
		before := len(p.journal)
		if !p.keys(l.key, r.key) {
			p.back(before)
			continue
		}
		d := p.records(l.after, r.after, l.resource, spec)
		if d == nil {
			taken[i] = true
			return nil
		}
		p.back(before)
		if r.key == key || near == nil {
			near = &rowDifference{l.resource, parts, l.after, r.after, d}
		}
	}
	if near != nil {
		return near
	}
	// The oracle may have rewritten a row with the same content within the same millisecond, so that no change shows.
	if now := other.at[l.resource][key]; now != nil && l.after != nil {
		if d := p.records(l.after, now, l.resource, spec); d != nil {
			return &rowDifference{l.resource, parts, l.after, now, d}
		}
		return nil
	}
	if l.after == nil {
		if other.at[l.resource][key] == nil {
			return nil
		}
		return &rowDifference{l.resource, parts, nil, l.before, nil}
	}
	return &rowDifference{l.resource, parts, l.after, nil, nil} // the oracle lacks it
}

// onlyRight describes a change that the oracle alone has made.
func (p *pairing) onlyRight(r change, other *content, spec *Spec) *rowDifference {
	key := strings.Split(r.key, "\x00")
	now := other.at[r.resource][p.translateBack(r.key)]
	switch {
	case r.after == nil && now != nil:
		return &rowDifference{r.resource, key, now, nil, nil}
	case r.after == nil:
		return nil
	case now == nil:
		return &rowDifference{r.resource, key, nil, r.after, nil}
	}
	if d := p.records(now, r.after, r.resource, spec); d != nil {
		return &rowDifference{r.resource, key, now, r.after, d}
	}
	return nil
}

// keys compares two keys, part by part.
func (p *pairing) keys(l, r string) bool {
	left, right := strings.Split(l, "\x00"), strings.Split(r, "\x00")
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		if !p.parts(left[i], right[i]) {
			return false
		}
	}
	return true
}

// records compares two records by their columns and the types of those. Nil is a record that was deleted.
func (p *pairing) records(l, r *record, resource string, spec *Spec) *difference {
	if l == nil || r == nil {
		return nil
	}
	free := leave{spec: spec, of: resource}
	if free.open("more columns") {
		free.more = []string{"more members"}
	}
	if d := p.members(l.columns, r.columns, "", "", free); d != nil {
		return d
	}
	for _, name := range slices.Sorted(maps.Keys(r.types)) {
		if l.types[name] != r.types[name] && l.types[name] != "" && !free.open(name) && !free.open("types") {
			return &difference{name + " (type)", "the type of " + name, l.types[name], r.types[name]}
		}
	}
	return nil
}

func columnsOf(one *record) []string { return slices.Sorted(maps.Keys(one.columns)) }
