package matching

import (
	"fmt"
	"regexp"
	"strings"
)

// variable is a part of a pattern that stands for any text, such as <group>.
var variable = regexp.MustCompile(`<([A-Za-z]\w*)>`)

// Pattern is a text with variables, such as CAL#<calendar>.
type Pattern struct {
	text  string
	whole *regexp.Regexp
	names []string
}

// NewPattern reads a pattern. The error says that two variables touch, so that the end of one is ambiguous.
func NewPattern(text string) (*Pattern, error) {
	p := &Pattern{text: text}
	var expression strings.Builder
	from := 0
	for _, at := range variable.FindAllStringSubmatchIndex(text, -1) {
		if at[0] == from && from > 0 {
			return nil, fmt.Errorf("in %s nothing stands between two variables, so it is unknown where one ends", text)
		}
		expression.WriteString(regexp.QuoteMeta(text[from:at[0]]) + "(.+?)")
		p.names = append(p.names, text[at[2]:at[3]])
		from = at[1]
	}
	var err error
	p.whole, err = regexp.Compile(`^(?s:` + expression.String() + regexp.QuoteMeta(text[from:]) + `)$`)
	return p, err
}

// Match returns the values of the variables in a text that has the form of the pattern; ok is false for another text.
// given are values that variables have already.
func (p *Pattern) Match(text string, given map[string]string) (values map[string]string, ok bool) {
	found := p.whole.FindStringSubmatch(text)
	if found == nil {
		return nil, false
	}
	values = map[string]string{}
	for i, name := range p.names {
		for _, known := range []map[string]string{given, values} {
			if value, is := known[name]; is && value != found[i+1] {
				return nil, false
			}
		}
		values[name] = found[i+1]
	}
	return values, true
}

// Fill returns a text with values instead of its variables. The error names a variable that has none.
func Fill(text string, value func(name string) (string, bool)) (string, error) {
	var unknown error
	filled := variable.ReplaceAllStringFunc(text, func(match string) string {
		name := match[1 : len(match)-1]
		found, ok := value(name)
		if !ok && unknown == nil {
			unknown = fmt.Errorf("nothing gives a value for <%s>", name)
		}
		return found
	})
	return filled, unknown
}
