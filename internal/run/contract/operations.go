package contract

import (
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Operation is a request that the contract describes, for a program that generates such requests.
type Operation struct {
	Method, Path string // the path with its {parameters}
	Parameters   []Parameter
	Body         *Shape // of a JSON body; nil if it has none
	// Required are the names of the members, at any depth, that the contract requires of the answers with a status.
	Required map[string]map[string]bool
	// Answers are the shapes of its JSON answers by status, nil for one without JSON.
	Answers map[string]*Shape
}

// String returns the operation as Contract.Routes does.
func (o Operation) String() string { return o.Method + " " + o.Path }

// Parameter is a value outside the body: In is path, query or header.
type Parameter struct {
	Name, In string
	Required bool
	Shape    *Shape
}

// Shape is what a schema says of a value, as far as one can be made up from it.
type Shape struct {
	Types   []string // of JSON Schema; empty: any
	Values  []any    // its enum, or its examples
	Members []Member // of an object, by name
	Items   *Shape   // of an array
}

// Member is a member of an object.
type Member struct {
	Name     string
	Required bool
	Shape    *Shape
}

// deepest bounds how far a schema is followed: one may refer to itself.
const deepest = 6

// Operations lists the contract's operations, in the order of Routes.
func (c *Contract) Operations() []Operation {
	var list []Operation
	for path, item := range c.document.Paths.Map() {
		for method, operation := range item.Operations() {
			o := Operation{Method: method, Path: path}
			for _, group := range []openapi3.Parameters{item.Parameters, operation.Parameters} {
				for _, ref := range group {
					p := ref.Value
					o.Parameters = append(o.Parameters,
						Parameter{p.Name, p.In, p.Required, shape(p.Schema, deepest)})
				}
			}
			if operation.RequestBody != nil {
				if media := operation.RequestBody.Value.Content.Get("application/json"); media != nil {
					o.Body = shape(media.Schema, deepest)
				}
			}
			o.Required, o.Answers = map[string]map[string]bool{}, map[string]*Shape{}
			for status, response := range operation.Responses.Map() {
				o.Required[status], o.Answers[status] = map[string]bool{}, nil
				if response.Value == nil {
					continue
				}
				if media := jsonOf(response.Value.Content); media != nil {
					o.Answers[status] = shape(media.Schema, deepest)
				}
				for _, media := range response.Value.Content {
					addNames(media.Schema, 2*deepest, o.Required[status]) // allOf and $ref are steps too
				}
			}
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b Operation) int { return strings.Compare(a.String(), b.String()) })
	return list
}

// Unlisted returns the shapes of the JSON answers to a path that the contract does not list, and to a method that a
// path does not list, as far as the contract describes them.
func (c *Contract) Unlisted() (shapes []*Shape) {
	if c.document.Components == nil {
		return nil
	}
	for _, name := range []string{unknownPath, unknownMethod} {
		response := c.document.Components.Responses[name]
		if response == nil || response.Value == nil {
			continue
		}
		if media := jsonOf(response.Value.Content); media != nil {
			shapes = append(shapes, shape(media.Schema, deepest))
		}
	}
	return shapes
}

// jsonOf returns the media type that is JSON: application/json or a range such as */* that has it, or else the first
// such as application/problem+json; nil if no media type is.
func jsonOf(content openapi3.Content) *openapi3.MediaType {
	if media := content.Get("application/json"); media != nil {
		return media
	}
	for _, name := range slices.Sorted(maps.Keys(content)) {
		if strings.HasSuffix(name, "+json") {
			return content[name]
		}
	}
	return nil
}

// addNames adds the names of the members that a schema requires.
func addNames(ref *openapi3.SchemaRef, depth int, names map[string]bool) {
	if ref == nil || ref.Value == nil || depth == 0 {
		return
	}
	for _, name := range ref.Value.Required {
		names[name] = true
	}
	for _, member := range ref.Value.Properties {
		addNames(member, depth-1, names)
	}
	addNames(ref.Value.Items, depth-1, names)
	for _, part := range slices.Concat(ref.Value.AllOf, ref.Value.AnyOf, ref.Value.OneOf) {
		addNames(part, depth-1, names)
	}
}

func shape(ref *openapi3.SchemaRef, depth int) *Shape {
	if ref == nil || ref.Value == nil || depth == 0 {
		return &Shape{}
	}
	s := ref.Value
	found := &Shape{Types: s.Type.Slice(), Values: s.Enum}
	if len(found.Values) == 0 {
		found.Values = s.Examples
	}
	if s.Items != nil {
		found.Items = shape(s.Items, depth-1)
	}
	for name, member := range s.Properties {
		found.Members = append(found.Members,
			Member{name, slices.Contains(s.Required, name), shape(member, depth-1)})
	}
	for _, part := range slices.Concat(s.AllOf, first(s.AnyOf), first(s.OneOf)) {
		found.add(shape(part, depth-1))
	}
	slices.SortFunc(found.Members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return found
}

func first(refs openapi3.SchemaRefs) openapi3.SchemaRefs { return refs[:min(1, len(refs))] }

// add joins what a part of allOf says.
func (s *Shape) add(part *Shape) {
	if len(s.Types) == 0 {
		s.Types = part.Types
	}
	if len(s.Values) == 0 {
		s.Values = part.Values
	}
	if s.Items == nil {
		s.Items = part.Items
	}
	for _, member := range part.Members {
		i := slices.IndexFunc(s.Members, func(m Member) bool { return m.Name == member.Name })
		if i < 0 {
			s.Members = append(s.Members, member)
			continue
		}
		s.Members[i].Shape.add(member.Shape)
	}
}
