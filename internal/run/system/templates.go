package system

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/net/http/httpguts"
)

// environment reads a server's environment variables.
func (r *reader) environment(k key, value *yaml.Node) error {
	kind := r.Stores[slices.Index(r.stores(), r.system.Store)]
	own, err := r.templates(k, value, r.Known(r.system))
	if err != nil {
		return err
	}
	r.system.Env = over(r.system.Env, own)
	found := false
	for _, m := range r.system.Env {
		if m.Name == "" || strings.ContainsAny(m.Name, "=\x00") {
			return r.At(value, "%s: %q is not a variable name", k.name, m.Name)
		}
		found = found || slices.ContainsFunc(kind.Reach, m.Uses)
	}
	if !found {
		return r.At(value, "no variable of %s tells the server where its store is: one must hold {%s}", k.name,
			strings.Join(kind.Reach, "}, {"))
	}
	return nil
}

// personHeaders reads the headers that identify the sender of a request.
func (r *reader) personHeaders(k key, value *yaml.Node) error {
	own, err := r.templates(k, value, PersonPlaceholders())
	if err != nil {
		return err
	}
	r.system.People = over(r.system.People, own)
	for _, m := range r.system.People {
		if !httpguts.ValidHeaderFieldName(m.Name) {
			return r.At(value, "%s: %q is not a header name", k.name, m.Name)
		}
		if !httpguts.ValidHeaderFieldValue(m.template) {
			return r.At(value, "%s: %s must be a text that a header can hold, on one line", k.name, m.Name)
		}
	}
	return nil
}

// templates reads a mapping from names to templates.
func (r *reader) templates(k key, value *yaml.Node, known []string) (list []Mapping, _ error) {
	k.want = "a mapping from names to texts"
	err := r.pairs(k, value, func(name, template *yaml.Node) error {
		if template.Kind != yaml.ScalarNode || strings.Contains(template.Value, "\x00") {
			return r.At(template, "%s: %s must be a text; one that begins with a brace needs quotes, such as \"{%s}\"",
				k.name, name.Value, known[0])
		}
		mapping, err := NewMapping(name.Value, template.Value, known)
		if err != nil {
			return r.At(template, "%s: %s; known: {%s}", k.name, err, strings.Join(known, "}, {"))
		}
		list = append(list, mapping)
		return nil
	})
	return list, err
}
