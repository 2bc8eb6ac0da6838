package dynamodb

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// object is a JSON object whose members keep their order, and their values their form: what is not changed is sent on
// as it was.
type object []member

type member struct {
	name  string
	value json.RawMessage
}

var errNoObject = errors.New("not one JSON object")

func parseObject(raw []byte) (object, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	start, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	if start != json.Delim('{') {
		return nil, errNoObject
	}
	o := object{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		one := member{name: name.(string)} // a member's name is a string
		if err := decoder.Decode(&one.value); err != nil {
			return nil, err
		}
		o = append(o, one)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	return o, nil
}

// get returns the value of a member; nil: there is none.
func (o object) get(name string) json.RawMessage {
	for _, one := range o {
		if one.name == name {
			return one.value
		}
	}
	return nil
}

// has reports whether there is a member, and that it is not null.
func (o object) has(name string) bool {
	value := o.get(name)
	return value != nil && string(value) != "null"
}

// text returns the value of a member that is a string, else "".
func (o object) text(name string) (text string) {
	_ = json.Unmarshal(o.get(name), &text) // another value is not a text
	return text
}

// with returns the object with another value of a member.
func (o object) with(name string, value any) object {
	raw, err := marshal(value)
	if err != nil {
		return o
	}
	o = slices.Clone(o)
	for i := range o {
		if o[i].name == name {
			o[i].value = raw
			return o
		}
	}
	return append(o, member{name, raw})
}

// without returns the object without some members.
func (o object) without(names ...string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return slices.Contains(names, m.name) })
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, one := range o {
		if i > 0 {
			text = append(text, ',')
		}
		name, err := marshal(one.name)
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, name...), ':'), one.value...)
	}
	return append(text, '}'), nil
}

// bytes returns the object as JSON.
func (o object) bytes() []byte {
	text, _ := o.MarshalJSON() // a name can always be encoded
	return text
}

// marshal encodes a value without changing < and > in it.
func marshal(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimRight(text.Bytes(), "\n"), nil
}
