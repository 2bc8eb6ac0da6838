package contract

import (
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

const schemas = "#/components/schemas/"

// common returns the members of every answer, which the page describes once.
func common() []string { return []string{"ok", "traceId"} }

// fields writes a table of the members of a JSON body, except those of every answer.
func (p *page) fields(title string, content openapi3.Content) {
	media := jsonOf(content)
	for i, alternative := range alternatives(media.Schema.Value) {
		if i > 0 {
			title = "or"
		}
		p.members(title, alternative)
	}
}

// alternatives returns the bodies a schema allows, each as the parts it consists of.
func alternatives(s *openapi3.Schema) [][]*openapi3.Schema {
	list := [][]*openapi3.Schema{{s}}
	for _, part := range s.AllOf {
		var next [][]*openapi3.Schema
		for _, so := range list {
			for _, more := range alternatives(part.Value) {
				next = append(next, append(slices.Clone(so), more...))
			}
		}
		list = next
	}
	if len(s.AnyOf) == 0 {
		return list
	}
	var each [][]*openapi3.Schema
	for _, one := range s.AnyOf {
		each = append(each, alternatives(one.Value)...)
	}
	return each
}

// members writes a table of an object's members, collected from its parts: required ones first, in their order.
func (p *page) members(title string, parts []*openapi3.Schema) {
	p.table("| %s | | |", title)
	shown := 0
	for _, part := range parts {
		if part.Type.Is(openapi3.TypeArray) {
			p.line("| %s | | |", cell(&openapi3.SchemaRef{Value: part}, p.named))
			shown++
		}
		names := slices.Clone(part.Required)
		for _, name := range slices.Sorted(maps.Keys(part.Properties)) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		for _, name := range names {
			if !slices.Contains(common(), name) {
				p.row(name, slices.Contains(part.Required, name), part.Properties[name])
				shown++
			}
		}
	}
	if shown == 0 {
		p.line("| nothing more | | |")
	}
}

func (p *page) row(name string, required bool, ref *openapi3.SchemaRef) {
	need := "optional"
	if required {
		need = "required"
	}
	p.line("| `%s` | %s | %s |", name, need, cell(ref, p.named))
}

// named returns a link to a named schema: to its own heading if it has one.
func (p *page) named(reference string) string {
	name, ok := strings.CutPrefix(reference, schemas)
	if !ok {
		return ""
	}
	if isObject(p.document.Components.Schemas[name].Value) {
		return "[" + name + "](#" + strings.ToLower(name) + ")"
	}
	return "[" + name + "](#forms)"
}

// isAnswer reports whether a schema is the one of every success or every failure.
func isAnswer(s *openapi3.Schema) bool {
	return s.Properties["ok"] != nil || s.Properties["correlationId"] != nil
}

func isObject(s *openapi3.Schema) bool { return len(s.Properties)+len(s.AllOf) > 0 }

// cell returns a schema, with its description, formatted for a table cell.
func cell(ref *openapi3.SchemaRef, named func(string) string) string {
	text := form(ref, named)
	if at := strings.Index(text, "like ^"); at >= 0 {
		text = text[:at] + "like `" + text[at+len("like "):] + "`"
	}
	if ref != nil && ref.Value.Description != "" && (named == nil || ref.Ref == "") {
		text = ref.Value.Description + ": " + text
	}
	return strings.ReplaceAll(text, "|", `\|`)
}

// codes returns the words by which programs distinguish failures: the possible values of `error` or `errorCode`.
func codes(response *openapi3.Response) []string {
	media := jsonOf(response.Content)
	if media == nil || media.Schema == nil {
		return nil
	}
	var list []string
	for _, parts := range alternatives(media.Schema.Value) {
		for _, part := range parts {
			for _, name := range []string{"error", "errorCode"} {
				if code := part.Properties[name]; code != nil {
					for _, word := range code.Value.Enum {
						list = append(list, word.(string)) // the contract's own words, all strings
					}
				}
			}
		}
	}
	return list
}

// errors writes a table of all failures.
func (p *page) errors() {
	p.paragraph("## Failures")
	p.table("| status | error | when |")
	rows := map[string]bool{}
	add := func(status string, response *openapi3.Response) {
		if words := codes(response); len(words) > 0 {
			rows["| "+status+" | `"+strings.Join(words, "`, `")+"` | "+*response.Description+" |"] = true
		}
	}
	for _, item := range p.document.Paths.Map() {
		for _, operation := range item.Operations() {
			for status, response := range operation.Responses.Map() {
				if status >= "400" {
					add(status, response.Value)
				}
			}
		}
	}
	add("404", p.document.Components.Responses[unknownPath].Value)
	add("405", p.document.Components.Responses[unknownMethod].Value)
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		p.line("%s", row)
	}
	for _, name := range slices.Sorted(maps.Keys(p.document.Components.Responses)) {
		if response := p.document.Components.Responses[name].Value; len(codes(response)) > 0 &&
			len(response.Headers) > 0 {
			p.paragraph("With `%s`:", strings.Join(codes(response), "`, `"))
			p.headers(response)
		}
	}
}

// forms writes what routes share: first the values, then the objects.
func (p *page) forms() {
	p.paragraph("## Forms")
	p.table("| form | |")
	all := p.document.Components.Schemas
	var objects []string // except those described at the beginning of the page
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch s := all[name].Value; {
		case !isObject(s):
			p.line("| %s | %s |", name, cell(all[name], nil))
		case !slices.ContainsFunc(alternatives(s)[0], isAnswer):
			objects = append(objects, name)
		}
	}
	for _, name := range objects {
		s := all[name].Value
		p.paragraph("### %s", name)
		if s.Description != "" {
			p.paragraph("It is %s.", s.Description)
		}
		for _, parts := range alternatives(s) {
			p.members("field", parts)
		}
	}
}
