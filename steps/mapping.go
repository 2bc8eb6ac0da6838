package steps

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Mapping gives a target a value under the name that it reads.
type Mapping struct {
	Name     string // of an environment variable, or of a header
	template string
}

// ParseMapping reads NAME=TEMPLATE, such as "STORAGE_URL={tables}?key={key}". Placeholders names what a template can
// hold; braces around anything but a word stand for themselves. The error does not repeat the template, which may
// be a secret.
func ParseMapping(text string) (Mapping, error) {
	name, template, found := strings.Cut(text, "=")
	if !found || name == "" {
		return Mapping{}, errors.New("it is not like NAME={tables}")
	}
	return NewMapping(name, template, Placeholders())
}

// NewMapping is a template whose placeholders must be among known. The error does not repeat the template.
func NewMapping(name, template string, known []string) (Mapping, error) {
	for _, match := range placeholder.FindAllStringSubmatch(template, -1) {
		if !slices.Contains(known, match[1]) {
			return Mapping{}, fmt.Errorf("%s: {%s} is not known", name, match[1])
		}
	}
	return Mapping{name, template}, nil
}

// Placeholders are the names that a template can have in braces, in order.
func Placeholders() []string { return slices.Sorted(maps.Keys(Connections{}.values(""))) }

// values is what stands for each placeholder.
func (c Connections) values(port string) map[string]string {
	return map[string]string{
		"account": c.Account, "blobs": c.Blobs, "ca": c.CA, "connection": c.Storage, "container": c.Container, "key": c.Key,
		"openai": c.OpenAI, "outbox": c.Outbox, "port": port, "secret": c.Secret, "tables": c.Tables,
	}
}

// Uses reports whether the template holds a placeholder.
func (m Mapping) Uses(name string) bool { return strings.Contains(m.template, "{"+name+"}") }

// expand is the template with the lane's values.
func (m Mapping) expand(c Connections, port string) string { return m.fill(c.values(port)) }

// fill is the template with a value for each placeholder.
func (m Mapping) fill(values map[string]string) string {
	return placeholder.ReplaceAllStringFunc(m.template, func(match string) string { return values[strings.Trim(match, "{}")] })
}
