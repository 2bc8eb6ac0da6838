package system

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// capabilities reads the parts that a server may lack. Those without a pattern have tags in the features.
func (r *reader) capabilities(k key, value *yaml.Node) error {
	s := &r.system
	return r.pairs(k, value, func(name, value *yaml.Node) error {
		if !capabilityName.MatchString(name.Value) {
			return r.At(name, "%s: %q is not a name: small letters, digits and single hyphens", k.name, name.Value)
		}
		c, err := r.capability(k.name+": "+name.Value, value)
		c.Name = name.Value
		if tag := c.Tag(); err == nil && !slices.Contains(s.Tags, tag) {
			s.Tags = append(s.Tags, tag)
		}
		s.Capabilities = slices.DeleteFunc(s.Capabilities, func(of Capability) bool { return of.Name == c.Name })
		s.Capabilities = append(s.Capabilities, c)
		return err
	})
}

func (r *reader) capability(what string, value *yaml.Node) (c Capability, err error) {
	if value.Kind == yaml.MappingNode {
		fields, err := r.Fields(value, what, "description", "shown")
		if err != nil {
			return c, err
		}
		if shown := fields["shown"]; shown != nil {
			if c.Shown, err = r.pattern(shown, what+": shown"); err != nil {
				return c, err
			}
		}
		if fields["description"] != nil {
			value = fields["description"]
		}
	}
	if !isText(value) {
		return c, r.At(value, "%s must be a text that says what it is, or have one as its description", what)
	}
	c.Description = value.Value
	return c, nil
}
