package steps

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
)

// longestBody bounds what a report repeats of a request, in bytes.
const longestBody = 2 << 10

// confiding is the name of a member that may hold what no report may.
var confiding = regexp.MustCompile(`(?i)token|secret|session|password|signature|(api|account)_?key|code$|e-?mail`)

// leftOut stands for a body of which nothing may be repeated. Who sends it again fills it in, as what is confidential.
const leftOut = "{body}"

// ofForm is the type of what browsers send for a form.
const ofForm = "application/x-www-form-urlencoded"

// shownBody is a request's body of some type as a report may repeat it: JSON or a form, without what the names in it say is
// confidential. Anything else is left out, and what is too long to be read.
func shownBody(kind, body string) string {
	switch {
	case body == "":
		return ""
	case len(body) > longestBody:
		return leftOut
	case kind == ofForm:
		return strings.TrimPrefix(shownQuery(body), "?")
	}
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber() // large ones stay as they are
	var value any
	if err := decoder.Decode(&value); err != nil || decoder.More() {
		return leftOut
	}
	switch value.(type) {
	case map[string]any, []any:
		return mustJSON(withoutSecrets(value))
	}
	return leftOut
}

// shownQuery is a request's query as a report may repeat it, with its question mark.
func shownQuery(query string) string {
	values, err := url.ParseQuery(query)
	if err != nil || len(values) == 0 {
		return ""
	}
	for name := range values {
		if confiding.MatchString(name) {
			values.Set(name, "{"+name+"}")
		}
	}
	return "?" + values.Encode()
}

func withoutSecrets(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if _, text := member.(string); text && confiding.MatchString(name) {
				value[name] = "{" + name + "}"
				continue
			}
			value[name] = withoutSecrets(member)
		}
	case []any:
		for i := range value {
			value[i] = withoutSecrets(value[i])
		}
	}
	return value
}
