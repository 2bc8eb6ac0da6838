// Package cause compares the messages of failures: two with the same cause differ only in what changes from scenario to
// scenario and from run to run.
//
// Those are ids, hashes, times, durations, ports, counts, quoted JSON and quoted free text. A status, such as 404,
// stays, and so does a quoted name, such as a field or an error code: they often are the difference between two
// defects. The package knows nothing about scenarios, and never decides what a failure means.
//
// Open [Of] first.
package cause

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Later begins what a message says of the consequences of what it is about: those differ from scenario to scenario.
const Later = "\nlater: "

// What a program wrote differs from run to run, and so do how many of several requests failed, and the tokens that
// replay a case.
var (
	output  = regexp.MustCompile(`(?s); it wrote:\n.*`)
	among   = regexp.MustCompile(`\b\d+ of \d+ requests: `)
	replays = regexp.MustCompile(`(?m)^\s*(again: --replay .*|and \d+ more like it)$\n?`)
)

var (
	instant  = regexp.MustCompile(`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?`)
	duration = regexp.MustCompile(`\b\d+(?:\.\d+)?(?:ns|µs|ms|s|m|h)(?:\d+(?:\.\d+)?(?:ms|s|m))*\b`)
	port     = regexp.MustCompile(`(\b(?:127\.0\.0\.1|localhost|\[::1\])):\d+`)
	// a run of the characters of ids: one that is a number, has a digit in it, or is longer than a word
	word   = regexp.MustCompile(`[\w|-]*\d[\w|-]*(?:…)?|[\w|-]{20,}`)
	number = regexp.MustCompile(`^\d+$`)
	// a text in quotes, as Go and JSON write it, and one that a report has cut
	quoted = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*(?:"|…)`)
	name   = regexp.MustCompile(`^"(?:[A-Za-z][A-Za-z_.-]{0,39})?"$`)
	// what a server was started with
	started = regexp.MustCompile(`(started with \w+ )"(?:[^"\\\n]|\\.)*"`)
	status  = regexp.MustCompile(`^[1-5]\d\d$`)
	holds   = regexp.MustCompile(`\bholds (\d+) items?, not (\d+)\b`)
	plural  = regexp.MustCompile(`(# \pL+?)s?\b`)
)

// Of returns what a message says of its cause: its lines without what changes from run to run, each once and sorted. A
// server may make its storage calls in any order, and of forty requests at once another number may fail each time.
func Of(message string) string {
	message, _, _ = strings.Cut(message, Later)
	text := replays.ReplaceAllString(output.ReplaceAllString(message, ""), "")
	text = among.ReplaceAllString(text, "")
	text = holds.ReplaceAllStringFunc(text, func(found string) string {
		counts := holds.FindStringSubmatch(found)
		seen, _ := strconv.Atoi(counts[1])
		if expected, _ := strconv.Atoi(counts[2]); seen > expected {
			return "holds too many items"
		}
		return "holds too few items"
	})
	text = withoutJSON(started.ReplaceAllString(text, `$1"*"`))
	text = quoted.ReplaceAllStringFunc(text, func(found string) string {
		if name.MatchString(found) {
			return found
		}
		return `"*"`
	})
	text = instant.ReplaceAllString(text, "<time>")
	text = duration.ReplaceAllString(text, "<duration>")
	text = port.ReplaceAllString(text, "$1:<port>")
	text = word.ReplaceAllStringFunc(text, func(found string) string {
		switch {
		case status.MatchString(found):
			return found
		case number.MatchString(found):
			return "#"
		}
		return "*"
	})
	return Union(strings.Split(plural.ReplaceAllString(text, "$1"), "\n"))
}

// begins matches the beginning of JSON that a message quotes: an object, or a list of values.
var begins = regexp.MustCompile(`\{(?:"|\})|\[(?:[\[{"\]]|\d|true|false|null)`)

// withoutJSON replaces each list and each object that a text quotes. One that was cut goes on to the end of its line.
func withoutJSON(text string) string {
	var kept strings.Builder
	for {
		at := begins.FindStringIndex(text)
		if at == nil {
			return kept.String() + text
		}
		kept.WriteString(text[:at[0]] + "<JSON>")
		line, _, _ := strings.Cut(text[at[0]:], "\n")
		text = text[at[0]+lengthOfJSON(line):]
	}
}

// lengthOfJSON returns how many bytes of a line belong to the JSON value that it begins with: all, if that has no end.
func lengthOfJSON(line string) int {
	decoder := json.NewDecoder(strings.NewReader(line))
	if err := decoder.Decode(new(json.RawMessage)); err != nil {
		return len(line)
	}
	return int(decoder.InputOffset())
}

// Union returns the cause of a failure that has several, in any order and each of them any number of times.
func Union(causes []string) string {
	var lines []string
	for _, cause := range causes {
		for line := range strings.Lines(cause) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	slices.Sort(lines)
	return strings.TrimSpace(strings.Join(slices.Compact(lines), "\n"))
}

// Digest returns a short text that differs for different causes.
func Digest(cause string) string {
	sum := sha256.Sum256([]byte(cause))
	return hex.EncodeToString(sum[:6])
}
