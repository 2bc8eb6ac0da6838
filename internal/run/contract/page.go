package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Page returns the contract for people, in Markdown: every route with its parameters and answers, then the errors and
// the schemas that routes share. source identifies the document, as a path or a link that the page's reader can follow.
func (c *Contract) Page(source string) string {
	p := &page{document: c.document}
	info := c.document.Info
	p.line("# %s: the HTTP contract", info.Title)
	p.paragraph("Made from %s by `go test ./internal/run/contract -update`; do not edit. Every answer in every "+
		"scenario "+
		"is held to it.", source)
	p.paragraph("%s", strings.TrimSpace(info.Description))
	p.requests()
	p.overview()
	for _, tag := range c.document.Tags {
		p.paragraph("## %s", tag.Name)
		for _, r := range p.routes(tag.Name) {
			p.route(r)
		}
	}
	p.errors()
	p.forms()
	return p.text.String()
}

type page struct {
	document *openapi3.T
	text     strings.Builder
}

func (p *page) line(format string, values ...any) { fmt.Fprintf(&p.text, format+"\n", values...) }

// paragraph writes a line after an empty one.
func (p *page) paragraph(format string, values ...any) { p.line("\n"+format, values...) }

// table begins a table with as many columns as its head.
func (p *page) table(head string, values ...any) {
	p.paragraph(head, values...)
	p.line("%s|", strings.Repeat("|---", strings.Count(head, "|")-1))
}

// described is a route of the document.
type described struct {
	method, path string
	*openapi3.Operation
}

func (r described) name() string { return r.method + " " + r.path }

// routes returns the routes with a tag, by path and then by method.
func (p *page) routes(tag string) []described {
	var list []described
	for _, path := range slices.Sorted(maps.Keys(p.document.Paths.Map())) {
		operations := p.document.Paths.Value(path).Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			if slices.Contains(operations[method].Tags, tag) {
				list = append(list, described{method, path, operations[method]})
			}
		}
	}
	return list
}

func (p *page) overview() {
	p.table("| route | |")
	for _, tag := range p.document.Tags {
		for _, r := range p.routes(tag.Name) {
			p.line("| `%s` | %s |", r.name(), r.Summary)
		}
	}
}

func (p *page) route(r described) {
	p.paragraph("### %s", r.name())
	p.paragraph("%s.", r.Summary)
	if r.Description != "" {
		p.paragraph("%s", strings.TrimSpace(r.Description))
	}
	p.query(r)
	if r.RequestBody != nil {
		p.fields("body", r.RequestBody.Value.Content)
	}
	var failures []string
	for _, status := range slices.Sorted(maps.Keys(r.Responses.Map())) {
		response := r.Responses.Value(status).Value
		if status >= "400" {
			failures = append(failures, strings.TrimSpace(status+" "+strings.Join(codes(response), ", ")))
			continue
		}
		p.success(status, response)
	}
	if len(failures) > 0 {
		p.paragraph("Failures: %s.", strings.Join(failures, " · "))
	}
}

// query writes a table of a route's query parameters. Request headers are described once for all routes, by their
// meaning.
func (p *page) query(r described) {
	var query []*openapi3.Parameter
	for _, parameter := range r.Parameters {
		if parameter.Value.In == openapi3.ParameterInQuery {
			query = append(query, parameter.Value)
		}
	}
	if len(query) == 0 {
		return
	}
	p.table("| query | | |")
	for _, parameter := range query {
		p.row(parameter.Name, parameter.Required, parameter.Schema)
	}
}

// requests describes what is the same for all requests: the sender, and the headers they may have.
func (p *page) requests() {
	if len(p.document.Components.SecuritySchemes)+len(p.document.Components.Parameters) == 0 {
		return
	}
	p.table("| header | |")
	for _, name := range slices.Sorted(maps.Keys(p.document.Components.SecuritySchemes)) {
		scheme := p.document.Components.SecuritySchemes[name].Value
		where := scheme.Name
		if scheme.In == openapi3.ParameterInCookie {
			where = "Cookie: " + scheme.Name
		}
		p.line("| `%s` | %s |", where, scheme.Description)
	}
	for _, name := range slices.Sorted(maps.Keys(p.document.Components.Parameters)) {
		if parameter := p.document.Components.Parameters[name].Value; parameter.In == openapi3.ParameterInHeader {
			p.line("| `%s` | %s |", parameter.Name, strings.Join(strings.Fields(parameter.Description), " "))
		}
	}
}

func (p *page) success(status string, response *openapi3.Response) {
	if media := jsonOf(response.Content); media != nil && media.Schema != nil {
		p.fields("answer "+status, response.Content)
	} else {
		shown := append([]string{*response.Description}, slices.Sorted(maps.Keys(response.Content))...)
		p.paragraph("Answers %s: %s.", status, strings.Join(shown, ", "))
	}
	p.headers(response)
}

func (p *page) headers(response *openapi3.Response) {
	for _, name := range slices.Sorted(maps.Keys(response.Headers)) {
		p.paragraph("Header `%s`: %s.", name, response.Headers[name].Value.Description)
	}
}
