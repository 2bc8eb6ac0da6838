package value

import (
	"slices"
	"strings"
)

// Kind is a data type of an attribute value.
type Kind uint8

// The data types. Invalid is the kind of a value that DynamoDB refuses.
const (
	Invalid Kind = iota
	S
	N
	B
	SS
	NS
	BS
	BOOL
	NULL
	L
	M
)

var kindNames = [...]string{"", "S", "N", "B", "SS", "NS", "BS", "BOOL", "NULL", "L", "M"}

// String returns the descriptor of the type in JSON, such as "SS".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// KindOf returns the type with this descriptor, or Invalid.
func KindOf(descriptor string) Kind {
	if i := slices.Index(kindNames[1:], descriptor); i >= 0 {
		return Kind(i + 1)
	}
	return Invalid
}

// Set says whether the kind is SS, NS or BS.
func (k Kind) Set() bool { return k == SS || k == NS || k == BS }

// Element returns the kind of a set's elements: S for SS, N for NS, B for BS.
func (k Kind) Element() Kind {
	if k.Set() {
		return k - SS + S
	}
	return Invalid
}

// Value is an attribute value. The zero Value is Invalid. Values are immutable by convention: code that changes one
// copies the List or Map first, so values can be shared between items.
type Value struct {
	Kind Kind
	// Bool is the value of a BOOL.
	Bool bool
	// Text is the string of an S, the number of an N in DynamoDB's notation (ParseNumber's String), the bytes of a B
	// (not base64), and for an Invalid value the message of DynamoDB's ValidationException.
	Text string
	// List has the elements of an L, or those of a set as values of kind S, N or B.
	List []Value
	// Map has the entries of an M.
	Map Item
}

// Attribute is a named value: of an item or of a map.
type Attribute struct {
	Name  string
	Value Value
}

// Item is a set of attributes with different names, in ascending order of the names' bytes.
type Item []Attribute

// String returns a value of type S.
func String(s string) Value { return Value{Kind: S, Text: s} }

// Binary returns a value of type B with these bytes.
func Binary(b string) Value { return Value{Kind: B, Text: b} }

// Bool returns a value of type BOOL.
func Bool(b bool) Value { return Value{Kind: BOOL, Bool: b} }

// Null returns the value of type NULL.
func Null() Value { return Value{Kind: NULL} }

// List returns a value of type L.
func List(elements ...Value) Value { return Value{Kind: L, List: elements} }

// Map returns a value of type M.
func Map(entries Item) Value { return Value{Kind: M, Map: entries} }

// Get returns the attribute's value, and whether the item has it.
func (it Item) Get(name string) (Value, bool) {
	if i, ok := it.find(name); ok {
		return it[i].Value, true
	}
	return Value{}, false
}

// Has says whether the item has the attribute.
func (it Item) Has(name string) bool {
	_, ok := it.find(name)
	return ok
}

// With returns a copy of the item in which the attribute has the value.
func (it Item) With(name string, v Value) Item {
	i, ok := it.find(name)
	out := make(Item, 0, len(it)+1)
	out = append(append(out, it[:i]...), Attribute{name, v})
	if ok {
		i++
	}
	return append(out, it[i:]...)
}

// Set gives the attribute the value in the item itself, and returns the item, which may have moved.
func (it Item) Set(name string, v Value) Item {
	i, ok := it.find(name)
	if ok {
		it[i].Value = v
		return it
	}
	return slices.Insert(it, i, Attribute{name, v})
}

// Delete removes the attribute from the item itself, and returns the item.
func (it Item) Delete(name string) Item {
	if i, ok := it.find(name); ok {
		return slices.Delete(it, i, i+1)
	}
	return it
}

// Without returns a copy of the item that lacks the attribute, or the item itself if it has none of this name.
func (it Item) Without(name string) Item {
	i, ok := it.find(name)
	if !ok {
		return it
	}
	return slices.Concat(it[:i], it[i+1:])
}

func (it Item) find(name string) (int, bool) {
	if len(it) <= 12 {
		for i := range it {
			if it[i].Name >= name {
				return i, it[i].Name == name
			}
		}
		return len(it), false
	}
	return slices.BinarySearchFunc(it, name,
		func(a Attribute, name string) int { return strings.Compare(a.Name, name) })
}

// Sort orders attributes by name and, of several with one name, keeps the last: what an Item must be. It may reorder
// the argument.
func Sort(attributes []Attribute) Item {
	sorted := true
	for i := 1; i < len(attributes); i++ {
		if attributes[i-1].Name >= attributes[i].Name {
			sorted = false
			break
		}
	}
	if sorted {
		return attributes
	}
	slices.SortStableFunc(attributes, func(a, b Attribute) int { return strings.Compare(a.Name, b.Name) })
	out := attributes[:0]
	for i := range attributes {
		if i+1 == len(attributes) || attributes[i].Name != attributes[i+1].Name {
			out = append(out, attributes[i])
		}
	}
	return out
}
