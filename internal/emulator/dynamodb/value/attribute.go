package value

import (
	"encoding/base64"
	"slices"
	"strings"
)

const attributeValue = "AttributeValue"

// Item reads a map of attribute values (Item, Key, ExpressionAttributeValues …). It never returns nil without an error.
// What DynamoDB refuses in a value makes the attribute's value Invalid (see Item.Problem): the whole body is read
// before anything is validated.
func (r *Reader) Item() (Item, error) { return r.attributes(1) }

func (r *Reader) attributes(level int) (Item, error) {
	out := Item{}
	err := r.Map(attributeValue, func(name string) error {
		v, err := r.element(level)
		if p := nameProblem(name); p != "" {
			v = refused(p, p)
		}
		out = append(out, Attribute{name, v})
		return err
	})
	return Sort(out), err
}

func nameProblem(name string) Problem {
	switch {
	case name == "":
		return emptyName
	case len(name) > maxNameBytes:
		return longName
	}
	return ""
}

// Value reads one attribute value that is a member of a structure, such as Expected's Value. See Item.
func (r *Reader) Value() (Value, error) {
	var v Value
	err := r.Struct(attributeValue, r.datatypes(&v, 1))
	return v, err
}

// Values reads a list of attribute values, such as AttributeValueList. It never returns nil without an error.
func (r *Reader) Values() ([]Value, error) { return r.elements(1) }

// element reads a value of a map or an element of a list on a level of the item.
func (r *Reader) element(level int) (Value, error) {
	var v Value
	if level > maxNestingLevel {
		p := Problem(tooDeep)
		return refused(p, p), r.Skip()
	}
	if r.null() {
		return v, nil
	}
	err := r.Element(attributeValue, r.datatypes(&v, level))
	return v, err
}

func (r *Reader) elements(level int) ([]Value, error) {
	out := []Value{}
	err := r.List(func() error {
		v, err := r.element(level)
		out = append(out, v)
		return err
	})
	return out, err
}

// datatypes returns a function that reads the members of an attribute value into v. The first problem counts; that
// there are several members counts last.
func (r *Reader) datatypes(v *Value, level int) func(descriptor string) error {
	found := 0
	return func(descriptor string) error {
		kind := KindOf(descriptor)
		if kind == Invalid {
			return r.Skip()
		}
		next, err := r.datatype(kind, level)
		if found++; found == 1 || next.Kind == Invalid && (v.Kind != Invalid || v.Text == manyTypes) {
			*v = next
		} else if v.Kind != Invalid {
			*v = Value{Text: manyTypes}
		}
		return err
	}
}

func (r *Reader) datatype(kind Kind, level int) (Value, error) {
	switch kind {
	case S:
		s, err := r.String()
		return String(s), err
	case N:
		s, err := r.String()
		return numeric(s), err
	case B:
		b, err := r.blob()
		return Binary(b), err
	case BOOL:
		b, err := r.Bool()
		return Bool(b), err
	case NULL:
		b, err := r.Bool()
		if !b {
			return Value{Text: nullFalse}, err
		}
		return Null(), err
	case L:
		list, err := r.elements(level + 1)
		if i := slices.IndexFunc(list, func(v Value) bool { return v.Kind == Invalid }); i >= 0 {
			return list[i], err
		}
		return List(list...), err
	case M:
		entries, err := r.attributes(level + 1)
		if i := slices.IndexFunc(entries, func(a Attribute) bool { return a.Value.Kind == Invalid }); i >= 0 {
			return entries[i].Value, err
		}
		return Map(entries), err
	}
	return r.set(kind)
}

// blob reads base64 and returns its bytes.
func (r *Reader) blob() (string, error) {
	switch r.peek() {
	case '"':
	case '{':
		return "", unexpectedMap
	case '[':
		return "", SerializationError("Unrecognized collection type class java.nio.ByteBuffer")
	default:
		return "", SerializationError("only base-64-encoded strings are convertible to bytes")
	}
	s, err := r.quoted()
	if err != nil {
		return "", err
	}
	if len(s)%4 != 0 {
		const message = "Base64 encoded length is expected a multiple of 4 bytes but found: "
		return "", SerializationError(message + Int(int64(len(s))).Text)
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") {
		return "", SerializationError("Invalid last non-pad Base64 character dectected") // as DynamoDB spells it
	}
	return string(b), nil
}

func (r *Reader) set(kind Kind) (Value, error) {
	v := Value{Kind: kind, List: []Value{}}
	var bad Value
	err := r.List(func() error {
		var element Value
		var err error
		switch kind {
		case NS:
			var s string
			if s, err = r.String(); err == nil {
				element = numeric(s)
			}
		case BS:
			element.Kind = B
			element.Text, err = r.blob()
		default:
			element.Kind = S
			element.Text, err = r.String()
		}
		if element.Kind == Invalid && bad.Text == "" {
			bad = element
		}
		v.List = append(v.List, element)
		return err
	})
	switch {
	case err != nil || bad.Text != "":
		return bad, err
	case len(v.List) == 0:
		return Value{Text: map[Kind]string{SS: emptyStringSet, NS: emptyNumberSet, BS: emptyBinarySet}[kind]}, nil
	}
	if i := duplicate(v.List); i >= 0 {
		return twice(v, i), nil
	}
	return v, nil
}

// duplicate returns the index of the first element that equals an earlier one, or -1.
func duplicate(elements []Value) int {
	if len(elements) <= 8 {
		for i := range elements {
			if slices.ContainsFunc(elements[:i], func(v Value) bool { return v.Text == elements[i].Text }) {
				return i
			}
		}
		return -1
	}
	seen := make(map[string]struct{}, len(elements))
	for i := range elements {
		if _, ok := seen[elements[i].Text]; ok {
			return i
		}
		seen[elements[i].Text] = struct{}{}
	}
	return -1
}

// twice returns what DynamoDB says of a set whose element i repeats an earlier one: the newer wording lists those
// before it in their order, the older one all as they were sent.
func twice(v Value, i int) Value {
	if v.Kind == NS {
		return refused(numberSetTwice, "Input collection contains duplicates")
	}
	sorted := slices.Clone(v.List)
	slices.SortFunc(sorted[:i], func(a, b Value) int { return strings.Compare(a.Text, b.Text) })
	newer, older := make([]string, len(v.List)), make([]string, len(v.List))
	for i := range v.List {
		newer[i], older[i] = sorted[i].Text, v.List[i].Text
		if v.Kind == BS {
			newer[i] = base64.StdEncoding.EncodeToString([]byte(newer[i]))
			older[i] = base64.StdEncoding.EncodeToString([]byte(older[i]))
		}
		newer[i] = string(AppendString(nil, newer[i]))
	}
	comma, of := ", ", " "
	if v.Kind == BS {
		comma, of = ",", "of type BS " // without a space before it, as DynamoDB writes it
	}
	message := func(elements []string, comma string) Problem {
		const begin, end = invalid + "Input collection [", "contains duplicates."
		return Problem(begin + strings.Join(elements, comma) + "]" + of + end)
	}
	return refused(message(newer, comma), message(older, ", "))
}

// ParseValue reads one attribute value from JSON.
func ParseValue(json string) (Value, error) {
	v, err := parse(json, (*Reader).Value)
	if err != nil {
		return Value{}, err
	}
	return v, v.Problem()
}

// ParseItem reads an item from JSON such as {"pk":{"S":"a"}}.
func ParseItem(json string) (Item, error) {
	it, err := parse(json, (*Reader).Item)
	if err != nil {
		return nil, err
	}
	return it, it.Problem()
}

// parse reads a text that has nothing else.
func parse[T any](json string, read func(*Reader) (T, error)) (T, error) {
	r := &Reader{text: json}
	v, err := read(r)
	if err == nil && r.peek() != 0 {
		err = malformed
	}
	return v, err
}

// CheckSet returns the problem of a set with an element twice, in the older wording, or nil.
func CheckSet(set Value) error {
	if i := duplicate(set.List); i >= 0 {
		v := twice(set, i)
		return v.OlderProblem()
	}
	return nil
}
