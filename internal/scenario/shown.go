package scenario

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
)

// longestBody limits how much of a request body a report repeats, in bytes.
const longestBody = 8 << 10

// longestRun is the length from which a letter that is repeated is written as features write it: {1000×a}.
const longestRun = 100

// shortestLiteral is the length from which a value in a feature file is not there by chance.
const shortestLiteral = 6

// confiding matches the name of a member that may hold something no report may show.
var confiding = regexp.MustCompile(`(?i)token|secret|session|password|signature|(api|account)_?key|code$|e-?mail`)

// LeftOut replaces a body that must not be repeated. Whoever sends it again fills it in, like the confidential values.
const LeftOut = "{body}"

// OfForm is the Content-Type that browsers send for a form.
const OfForm = "application/x-www-form-urlencoded"

// shownBody returns a request's body as a report may repeat it: without the values of JSON or a form whose names mark
// them as confidential, without secrets, and with repeated characters counted. What cannot be read, or is too long even
// so, is left out.
func (r *Report) shownBody(kind, body string) string {
	if body = counted(body); len(body) > longestBody || !utf8.ValidString(body) {
		return LeftOut
	}
	if kind == OfForm {
		body = r.shownParameters(body)
	} else if value, err := decoded(body); err == nil {
		body = matching.MustJSON(r.withoutSecrets(value))
	} else if body != "" {
		body = r.requests.hide(body)
	}
	return body
}

// decoded reads a text that is one JSON value. Large numbers stay as they are.
func decoded(text string) (value any, err error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err = decoder.Decode(&value); err == nil && decoder.More() {
		err = fmt.Errorf("there is more than one value")
	}
	return value, err
}

// counted returns a text in which long runs of an ASCII letter or digit are counted, up to longestBody.
func counted(text string) string {
	var short strings.Builder
	for len(text) >= longestRun && short.Len() <= longestBody {
		n, c := 1, text[0]
		for n < len(text) && text[n] == c {
			n++
		}
		if n >= longestRun && ('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9') {
			fmt.Fprintf(&short, "{%d×%c}", n, c)
		} else {
			short.WriteString(text[:n])
		}
		text = text[n:]
	}
	return short.String() + text
}

// shownQuery returns a request's query as a report may repeat it, with its question mark.
func (r *Report) shownQuery(query string) string {
	if query == "" {
		return ""
	}
	return "?" + r.shownParameters(counted(query))
}

// shownParameters returns the parameters of a query or a form, in their order, with the names of those that are
// confidential instead of their values.
func (r *Report) shownParameters(text string) string {
	parts := strings.Split(text, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		value, err := url.QueryUnescape(value)
		if err != nil || r.confides(name, value) {
			parts[i] = name + "={" + name + "}"
		}
	}
	return strings.Join(parts, "&")
}

// shownHeader returns the headers that a step sets as a report may repeat them, without the Content-Type, which is
// next to the body.
func (r *Report) shownHeader(set []Header) []string {
	var list []string
	for _, h := range set {
		if http.CanonicalHeaderKey(h.Name) == "Content-Type" {
			continue
		}
		if r.confides(h.Name, h.Value) {
			h.Value = "{" + h.Name + "}"
		}
		list = append(list, h.Name+": "+h.Value)
	}
	return list
}

// confides reports whether the value of a member or a parameter may be confidential: its name says so, and it is not
// in the feature file, for everyone to read.
func (r *Report) confides(name, value string) bool {
	return confiding.MatchString(name) &&
		(len(value) < shortestLiteral || r.stage.pickle == nil || !stands(r.stage.pickle, value))
}

// stands reports whether a text is in a scenario's steps.
func stands(pickle *godog.Scenario, text string) bool {
	for _, step := range pickle.Steps {
		if strings.Contains(step.Text, text) {
			return true
		}
		if step.Argument == nil {
			continue
		}
		if step.Argument.DocString != nil && strings.Contains(step.Argument.DocString.Content, text) {
			return true
		}
		if step.Argument.DataTable == nil {
			continue
		}
		for _, row := range step.Argument.DataTable.Rows {
			for _, cell := range row.Cells {
				if strings.Contains(cell.Value, text) {
					return true
				}
			}
		}
	}
	return false
}

// withoutSecrets returns a JSON value with the names of confidential members instead of their values.
func (r *Report) withoutSecrets(value any) any {
	switch value := value.(type) {
	case map[string]any:
		shown := make(map[string]any, len(value))
		for name, member := range value {
			if text, is := member.(string); is && r.confides(name, text) {
				shown[name] = "{" + name + "}"
				continue
			}
			shown[name] = r.withoutSecrets(member)
		}
		return shown
	case []any:
		shown := make([]any, len(value))
		for i := range value {
			shown[i] = r.withoutSecrets(value[i])
		}
		return shown
	}
	return value
}
