package contract

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Violation is an answer that breaks the contract. It contains no value of the answer.
type Violation struct {
	Route  string // method and path
	Status int
	Where  string // "the status", "the header Allow", "the body", or a path in its JSON such as groups[0].groupName
	Want   string // what the contract requires there
}

func (v *Violation) Error() string {
	return fmt.Sprintf("%s answered %d against its contract: %s must be %s", v.Route, v.Status, v.Where, v.Want)
}

func (v *Violation) at(where, want string) *Violation {
	v.Where, v.Want = where, want
	return v
}

// of converts an error of the validator, whose text contains values, into a violation; nil for none.
func (v *Violation) of(err error) error {
	if err == nil {
		return nil
	}
	found := innermost(err)
	if found == nil {
		return v.at("the body", "of the contract's form")
	}
	where, want := jsonPath(found.JSONPointer()), "there"
	if found.SchemaField != "required" {
		want = form(found.Schema.NewRef(), nil)
	}
	return v.at(where, want)
}

// innermost returns the first error without a cause: the others say only that a part of them is wrong.
func innermost(err error) *openapi3.SchemaError {
	switch e := err.(type) { //nolint:errorlint // each level of the tree is looked at for itself
	case nil:
		return nil
	case *openapi3.SchemaError:
		return cmp.Or(innermost(e.Origin), e)
	case openapi3.MultiError:
		for _, cause := range e {
			if inner := innermost(cause); inner != nil {
				return inner
			}
		}
		return nil
	}
	return innermost(errors.Unwrap(err))
}

// jsonPath formats a JSON pointer as people write it.
func jsonPath(pointer []string) string {
	var path strings.Builder
	for _, part := range pointer {
		if _, err := strconv.Atoi(part); err == nil {
			fmt.Fprintf(&path, "[%s]", part)
			continue
		}
		if path.Len() > 0 {
			path.WriteByte('.')
		}
		path.WriteString(part)
	}
	if path.Len() == 0 {
		return "the body"
	}
	return path.String()
}

// form says in words what a schema requires of a value. named may return a name to use for a schema by reference, ""
// for none.
func form(ref *openapi3.SchemaRef, named func(reference string) string) string {
	if ref == nil || ref.Value == nil {
		return "anything"
	}
	if named != nil && ref.Ref != "" {
		if name := named(ref.Ref); name != "" {
			return name
		}
	}
	s := ref.Value
	if len(s.AnyOf) > 0 {
		var each []string
		for _, one := range s.AnyOf {
			each = append(each, form(one, named))
		}
		return strings.Join(each, ", or ")
	}
	if len(s.Enum) > 0 {
		var values []string
		for _, value := range s.Enum {
			values = append(values, fmt.Sprint(value))
		}
		return oneOf(values)
	}
	return strings.Join(append([]string{kind(s, named)}, limits(s)...), ", ")
}

// kind returns a schema's types in words.
func kind(s *openapi3.Schema, named func(string) string) string {
	var kinds []string
	for _, name := range s.Type.Slice() {
		switch name {
		case openapi3.TypeString:
			name = "a text"
		case openapi3.TypeInteger:
			name = "a whole number"
		case openapi3.TypeNumber:
			name = "a number"
		case openapi3.TypeBoolean:
			name = "true or false"
		case openapi3.TypeObject:
			name = "an object"
			if len(s.Required) > 0 {
				name += " with " + strings.Join(s.Required, ", ")
			}
		case openapi3.TypeArray:
			name = "a list"
			if s.Items != nil {
				name += " of: " + form(s.Items, named)
			}
		}
		kinds = append(kinds, name)
	}
	if len(kinds) == 0 {
		return "of the contract's form"
	}
	return strings.Join(kinds, " or ")
}

// limits returns a schema's bounds in words.
func limits(s *openapi3.Schema) []string {
	var said []string
	length := func(unit string, least uint64, most *uint64) {
		switch {
		case least > 0 && most != nil:
			said = append(said, fmt.Sprintf("%d to %d %s", least, *most, unit))
		case least == 1:
			said = append(said, "not empty")
		case least > 0:
			said = append(said, fmt.Sprintf("at least %d %s", least, unit))
		case most != nil:
			said = append(said, fmt.Sprintf("at most %d %s", *most, unit))
		}
	}
	length("code points", s.MinLength, s.MaxLength)
	length("items", s.MinItems, s.MaxItems)
	if s.Min != nil {
		said = append(said, fmt.Sprintf("at least %g", *s.Min))
	}
	if s.Max != nil {
		said = append(said, fmt.Sprintf("at most %g", *s.Max))
	}
	if s.Pattern != "" {
		said = append(said, "like "+s.Pattern)
	}
	return said
}

func oneOf(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return "one of " + strings.Join(values, ", ")
}
