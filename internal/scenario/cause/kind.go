package cause

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

var (
	// a text in quotes, as Go and JSON write it, and one that a report has cut
	quoted = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*(?:"|…)`)
	// a name, a code, or the place of a member: free text has a space, or characters that these do not have
	name = regexp.MustCompile(`^"(?:[A-Za-z][A-Za-z_.:\-\[\]\d]{0,39})?"$`)
	// what a server was started with
	started = regexp.MustCompile(`(started with \w+ )"(?:[^"\\\n]|\\.)*"`)
	holds   = regexp.MustCompile(`\bholds (\d+) (\pL+?)s?, not (\d+)\b`)
	plural  = regexp.MustCompile(`(# \pL+?)s?\b`)
)

// Kind returns what a message says of its cause, as Of does, without the values that it quotes: JSON, free text, and
// how many items a list has. A place that differs, a field or an error code stays. It is for people, who see one of
// the failures in full.
func Kind(message string) string {
	text := holds.ReplaceAllStringFunc(message, func(found string) string {
		counts := holds.FindStringSubmatch(found)
		seen, _ := strconv.Atoi(counts[1])
		if expected, _ := strconv.Atoi(counts[3]); seen > expected {
			return "holds too many " + counts[2] + "s"
		}
		return "holds too few " + counts[2] + "s"
	})
	text = withoutJSON(started.ReplaceAllString(text, `$1"*"`))
	text = quoted.ReplaceAllStringFunc(text, func(found string) string {
		if name.MatchString(found) {
			return found
		}
		return `"*"`
	})
	return plural.ReplaceAllString(Of(text), "$1")
}

// begins matches the beginning of JSON that a message quotes: an object, or a list of values; not a place in a list.
var begins = regexp.MustCompile(`(?:^|[^\w.\])}"])(\{(?:"|\})|\[(?:[\[{"\]]|\d|true|false|null))`)

// withoutJSON replaces each list and each object that a text quotes.
func withoutJSON(text string) string {
	var kept strings.Builder
	for {
		at := begins.FindStringSubmatchIndex(text)
		if at == nil {
			return kept.String() + text
		}
		from := at[2] // of the group
		kept.WriteString(text[:from] + "<JSON>")
		line, _, _ := strings.Cut(text[from:], "\n")
		text = text[from+lengthOfJSON(line):]
	}
}

// lengthOfJSON returns how many bytes of a line belong to the JSON value that it begins with: up to where a report has
// cut it, if it has no end, or else all.
func lengthOfJSON(line string) int {
	decoder := json.NewDecoder(strings.NewReader(line))
	if err := decoder.Decode(new(json.RawMessage)); err == nil {
		return int(decoder.InputOffset())
	}
	if cut := strings.Index(line, "…"); cut >= 0 {
		return cut + len("…")
	}
	return len(line)
}
