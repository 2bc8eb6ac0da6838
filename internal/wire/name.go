package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Only this file knows how things are named: a resource, and the parts of a key within it.

// Partition is the name of the outermost part of a key where a service distributes its rows by that part.
const Partition = "partition"

// Path reports whether keys of the call's service are paths, such as the names of blobs: the target chooses those, and
// they say more than which object is meant.
func (c Call) Path() bool { return len(c.Parts) == 1 && c.Parts[0] != Partition }

// Name returns what the call names within its resource, such as "Ana / 2026", or "" for nothing.
func (c Call) Name() string {
	known := c.Key
	for len(known) > 0 && known[len(known)-1] == "" {
		known = known[:len(known)-1]
	}
	return strings.Join(known, " / ")
}

// NamesOne reports whether Name is the name of one row or object.
func (c Call) NamesOne() bool {
	return len(c.Key) > 0 && len(c.Key) == len(c.Parts) && c.Key[len(c.Key)-1] != ""
}

// On returns the resource that the call is made to, or its index, such as "Notes/byOwner".
func (c Call) On() string {
	if c.Index == "" {
		return c.Resource
	}
	return c.Resource + "/" + c.Index
}

// Place returns where the call is made to and what it names there: a key, a filter or a prefix.
func (c Call) Place() string {
	name := c.Name()
	switch {
	case name != "" && c.Path():
		return c.On() + "/" + name
	case name != "" && c.Range != nil:
		return c.On() + " " + name + " / " + c.Range.String()
	case name != "":
		return c.On() + " " + name
	case c.Filter != "":
		return c.On() + " where " + c.Filter
	case c.Prefix != "":
		return c.On() + " under " + c.Prefix
	}
	return c.On()
}

// Names returns the parts of the key that the call names, and the prefix of those that it asks for. None is empty.
func (c Call) Names() []string {
	return slices.DeleteFunc(append(slices.Clone(c.Key), c.Prefix), func(name string) bool { return name == "" })
}

// Identity returns what the attempts of one call have in common: the id an SDK sends with each, or everything visible.
func (c Call) Identity() string {
	parts := append([]string{string(c.Service), c.Operation, c.On(), c.Conditional, c.ClientID}, c.Key...)
	return strings.Join(parts, "\x00")
}

// Describe describes the call for people: "table point read on Groups".
func (c Call) Describe(where string) string { return Describe(c.Service, c.Class, where) }

// Mapped returns the call with every text that is the target's own replaced: names, filter and condition, including
// those of its inner operations. The call itself is unchanged: a recorder shares it.
func (c Call) Mapped(text func(string) string) Call {
	c.Resource, c.Filter, c.Prefix, c.Conditional = text(c.Resource), text(c.Filter), text(c.Prefix),
		text(c.Conditional)
	if c.Range != nil {
		c.Range = &Range{c.Range.Operator, text(c.Range.From), text(c.Range.To)}
	}
	c.Key = slices.Clone(c.Key)
	for i := range c.Key {
		c.Key[i] = text(c.Key[i])
	}
	c.Inner = slices.Clone(c.Inner)
	for i := range c.Inner {
		c.Inner[i] = c.Inner[i].Mapped(text)
	}
	return c
}

// Flat returns a JSON object of the members of head, one member for each part of the call's key by its name, its filter
// and prefix, and the members of tail: it is for readers who know a service but not how calls are named.
func (c Call) Flat(head, tail any) ([]byte, error) {
	members := []any{head}
	for i, part := range c.Key {
		if part != "" {
			members = append(members, map[string]string{c.Parts[i]: part})
		}
	}
	members = append(members, struct {
		Filter string `json:"filter,omitempty"`
		Prefix string `json:"prefix,omitempty"`
	}{c.Filter, c.Prefix}, tail)
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false) // whoever writes the whole document escapes
	for _, one := range members {
		if err := encoder.Encode(one); err != nil {
			return nil, err
		}
	}
	// JSON text never contains a line break, so each one here separates two objects.
	object := strings.ReplaceAll("\n"+strings.TrimSpace(lines.String()), "\n{}", "")
	object = strings.ReplaceAll(object, "}\n{", ",")
	return []byte(cmp.Or(strings.TrimSpace(object), "{}")), nil
}

// Describe describes a call for people: "table point read on Groups", but "table scan on Groups" when the class already
// names the service. call is a class, or what a budget allows in its place. An empty where is omitted.
func Describe(service Service, call, where string) string {
	if !strings.HasPrefix(call, string(service)+" ") {
		call = string(service) + " " + call
	}
	if where != "" {
		call += " on " + where
	}
	return call
}
