package steps

import (
	"encoding/json"
	"net/url"
	"regexp"
)

// longestBody bounds what a report repeats of a request, in bytes.
const longestBody = 2 << 10

// confiding is the name of a member that may hold what no report may.
var confiding = regexp.MustCompile(`(?i)token|secret|session|password|signature|(api|account)_?key|code$|e-?mail`)

// shownBody is a request's body as a report may repeat it: JSON without what its members' names say is confidential.
// It is empty for anything else, and for what is too long to be read.
func shownBody(body string) string {
	var object map[string]any
	if len(body) > longestBody || json.Unmarshal([]byte(body), &object) != nil || len(object) == 0 {
		return ""
	}
	return mustJSON(withoutSecrets(object))
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
