// Package cause compares the messages of failures: two with the same cause differ only in what changes from scenario to
// scenario and from run to run.
//
// Those are ids, hashes, times, durations, ports and counts. A status, such as 404, stays: it often is the difference
// between two defects. The package knows nothing about scenarios, and never decides what a failure means.
//
// [Kind] compares less: reports group failures by it. A list of known failures goes by [Of], so that an entry never
// covers another defect.
//
// Open [Of] first.
package cause

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
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
	status = regexp.MustCompile(`^[1-5]\d\d$`)
)

// Of returns what a message says of its cause: its lines without what changes from run to run, each once and sorted. A
// server may make its storage calls in any order, and of forty requests at once another number may fail each time.
func Of(message string) string {
	message, _, _ = strings.Cut(message, Later)
	text := replays.ReplaceAllString(output.ReplaceAllString(message, ""), "")
	text = among.ReplaceAllString(text, "")
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
	return Union(strings.Split(text, "\n"))
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
