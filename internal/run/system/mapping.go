package system

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// SecretIs describes {secret} for people; docs/run/verify-your-server.md promises this.
const SecretIs = "the secret that signs sign-in links"

// Mapping passes a value to a target under the name that it reads.
type Mapping struct {
	Name     string // of an environment variable, or of a header
	template string
}

// placeholder is a word in braces.
var placeholder = regexp.MustCompile(`\{([A-Za-z][\w.-]*)\}`)

// ParseMapping reads NAME=TEMPLATE, such as "STORAGE_URL={tables}?key={key}". known lists the placeholders that a
// template may use; braces around anything but a word are literal. The error does not repeat the template, which may be
// a secret.
func ParseMapping(text string, known []string) (Mapping, error) {
	name, template, found := strings.Cut(text, "=")
	if !found || name == "" {
		return Mapping{}, errors.New("want NAME=TEMPLATE, such as STORAGE_URL={tables}")
	}
	return NewMapping(name, template, known)
}

// PersonPlaceholders returns the placeholders allowed in the template of a header in System.People, in order.
func PersonPlaceholders() []string { return []string{"email", "name", "userKey"} }

// NewMapping returns a template whose placeholders must be in known. The error does not repeat the template.
func NewMapping(name, template string, known []string) (Mapping, error) {
	for _, match := range placeholder.FindAllStringSubmatch(template, -1) {
		if !slices.Contains(known, match[1]) {
			return Mapping{}, fmt.Errorf("%s: {%s} is not known", name, match[1])
		}
	}
	return Mapping{name, template}, nil
}

// Uses reports whether the template contains the placeholder.
func (m Mapping) Uses(name string) bool { return strings.Contains(m.template, "{"+name+"}") }

// Varies reports whether the template contains any placeholder.
func (m Mapping) Varies() bool { return placeholder.MatchString(m.template) }

// Expand returns variables with their placeholders filled in, by the variables' names. Without a port, variables that
// need one are omitted.
func Expand(list []Mapping, values map[string]string, port string) map[string]string {
	env, all := map[string]string{}, map[string]string{"port": port}
	maps.Copy(all, values)
	for _, m := range list {
		if port != "" || !m.Uses("port") {
			env[m.Name] = m.Fill(all)
		}
	}
	return env
}

// Fill returns the template with a value for each placeholder.
func (m Mapping) Fill(values map[string]string) string {
	return placeholder.ReplaceAllStringFunc(m.template,
		func(match string) string { return values[strings.Trim(match, "{}")] })
}
