package system

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/source"
)

// base begins the design with all that a built-in one has but its name. What the other keys say comes on top: a text
// takes the place of the base's, the items of a list are added to it, and so are the entries of a mapping, of which one
// takes the place of an entry that has its name.
func (r *reader) base(k key, value *yaml.Node) error {
	i := slices.IndexFunc(r.bases, func(s System) bool { return isText(value) && s.Name == value.Value })
	if i < 0 {
		return r.At(value, "%s must be %s%s", k.name, k.want, source.Meant(value.Value, Names(r.bases)))
	}
	s := r.bases[i]
	s.Base, s.Name = s.Name, r.system.Name
	s.Env, s.People, s.Tables = slices.Clone(s.Env), slices.Clone(s.People), slices.Clone(s.Tables)
	s.Shared, s.Tags, s.Capabilities = slices.Clone(s.Shared), slices.Clone(s.Tags), slices.Clone(s.Capabilities)
	s.Companions, s.Services, s.Names = slices.Clone(s.Companions), slices.Clone(s.Services), maps.Clone(s.Names)
	r.system = s
	return nil
}

// asBase reads a name that must be the base's, if there is a base.
func (r *reader) asBase(to *string, is func(string) bool) func(key, *yaml.Node) error {
	return func(k key, value *yaml.Node) error {
		if r.system.Base != "" && value.Value != *to {
			return r.At(value, "%s is that of the base, %s, and cannot be another: leave it out", k.name, r.system.Base)
		}
		return r.text(to, is)(k, value)
	}
}

// over returns the mappings of a base, with others in the place of those that have their names, and then the rest.
func over(base, others []Mapping) []Mapping {
	base = slices.DeleteFunc(base, func(m Mapping) bool {
		return slices.ContainsFunc(others, func(other Mapping) bool { return other.Name == m.Name })
	})
	return append(base, others...)
}
