package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Names are what a scenario calls its values, and what its texts stand for: {Family}, {Ana.email}, {61×a}.
type Names struct {
	stage  *Stage
	people *People
	kept   map[string]string // ids and values by the name the scenario gave them
	shown  *Names            // of the case that reports show; nil: none
}

// Notation for texts that a feature file cannot contain directly: {61×a} repeats a text, {byte ff} is a byte.
var (
	repeated = regexp.MustCompile(`\{(\d+)×([^{}]+)\}`)
	rawByte  = regexp.MustCompile(`\{byte ([0-9a-f]{2})\}`)
)

// Unfold expands repeated texts and raw bytes.
func Unfold(text string) (string, error) {
	if !strings.Contains(text, "×") && !strings.Contains(text, "{byte ") {
		return text, nil // which spares most texts the search
	}
	text = rawByte.ReplaceAllStringFunc(text, func(match string) string {
		value, err := strconv.ParseUint(rawByte.FindStringSubmatch(match)[1], 16, 8)
		if err != nil {
			return match // the pattern only allows two hex digits
		}
		return string([]byte{byte(value)})
	})
	var failed error
	text = repeated.ReplaceAllStringFunc(text, func(match string) string {
		parts := repeated.FindStringSubmatch(match)
		count, err := strconv.Atoi(parts[1])
		if err != nil || count > MaxAnswer/len(parts[2]) {
			failed = fmt.Errorf("%s times a text is more than a request may hold here", parts[1])
			return ""
		}
		return strings.Repeat(parts[2], count)
	})
	return text, failed
}

// Written expands everything that a feature file cannot contain directly: names, repeated texts and raw bytes.
func (n *Names) Written(text string) (string, error) {
	expanded, err := n.Expand(text)
	if err != nil {
		return "", err
	}
	return Unfold(expanded)
}

// Address returns the path of a request, with the values of names escaped so that they fit in it whatever they
// contain. A path that begins with a name was given to the scenario.
func (n *Names) Address(path string) (string, error) {
	if strings.HasPrefix(path, "{") {
		return n.Expand(path)
	}
	path, query, hasQuery := strings.Cut(path, "?")
	path, err := n.expandWith(path, url.PathEscape)
	if err != nil || !hasQuery {
		return path, err
	}
	query, err = n.expandWith(query, url.QueryEscape)
	return path + "?" + query, err
}

// Counted returns a text repeated count times, each expanded as Written does; {i} is the index, from 0.
func (n *Names) Counted(count int, text string) ([]string, error) {
	texts := make([]string, count)
	err := n.Counting(count, func(i int) (err error) {
		texts[i], err = n.Written(text)
		return err
	})
	return texts, err
}

// Counting does something count times; {i} is the index, from 0.
func (n *Names) Counting(count int, do func(i int) error) error {
	defer delete(n.kept, "i")
	for i := range count {
		n.Keep("i", strconv.Itoa(i))
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
}

// WriteOut expands each text in place, as Written does.
func (n *Names) WriteOut(texts ...*string) error {
	for _, text := range texts {
		written, err := n.Written(*text)
		if err != nil {
			return err
		}
		*text = written
	}
	return nil
}

// Placeholder matches a name in braces, such as {Ana.email} or {Family}.
var Placeholder = regexp.MustCompile(`\{([A-Za-z][\w.]*)\}`)

// Expand replaces each {name} in text: {Ana.userKey}, a kept name such as {Family}, or one of the system's names.
func (n *Names) Expand(text string) (string, error) {
	return n.expandWith(text, func(value string) string { return value })
}

// expandWith is Expand with a function that formats each value.
func (n *Names) expandWith(text string, spelled func(string) string) (string, error) {
	var failed error
	expanded := Placeholder.ReplaceAllStringFunc(text, func(match string) string {
		value, err := n.value(match[1 : len(match)-1])
		if err != nil && failed == nil {
			failed = err
		}
		return spelled(value)
	})
	return expanded, failed
}

func (n *Names) value(name string) (string, error) {
	if value, ok := n.kept[name]; ok {
		return value, nil
	}
	if _, ok := n.stage.System().Names[name]; ok {
		return n.stage.Lane().Called(name), nil
	}
	if owner, field, dotted := strings.Cut(name, "."); dotted {
		if p, ok := n.people.byName[owner]; ok {
			if value, ok := n.people.fact(p, field); ok {
				return value, nil
			}
		}
	}
	for _, given := range givenNames {
		if given.name == name {
			return given.value(n, time.Now().UTC()), nil
		}
	}
	known := slices.Concat(slices.Sorted(maps.Keys(n.kept)), slices.Sorted(maps.Keys(n.stage.System().Names)))
	for _, p := range slices.Sorted(maps.Keys(n.people.byName)) {
		for _, f := range n.people.facts() {
			known = append(known, p+"."+f.Name)
		}
	}
	return "", noName(name, known)
}

type givenName struct {
	name  string
	value func(n *Names, now time.Time) string
}

// givenNames are the names that every scenario knows.
var givenNames = []givenName{
	{"now", func(_ *Names, now time.Time) string { return Timestamp(now) }},
	{"today", func(_ *Names, now time.Time) string { return now.Format(time.DateOnly) }},
	{"month", func(_ *Names, now time.Time) string { return now.Format("2006-01") }},
	{"otherDay", func(_ *Names, now time.Time) string { // of this month
		if now.Day() > 1 {
			return now.Format("2006-01") + "-01"
		}
		return now.Format("2006-01") + "-02"
	}},
	{"lastMonthsEnd", func(_ *Names, now time.Time) string {
		return now.AddDate(0, 0, -now.Day()).Format(time.DateOnly)
	}},
	{"tag", func(n *Names, _ time.Time) string { return n.people.tag }},              // no other scenario has or had it
	{"number", func(n *Names, _ time.Time) string { return numberOf(n.people.tag) }}, // likewise
	{"target", func(n *Names, _ time.Time) string { return n.stage.Lane().Target.URL }},
	{"png", func(*Names, time.Time) string { return onePixelPNG }},
	{"jpeg", func(*Names, time.Time) string { return onePixelJPEG }},
	{"webp", func(*Names, time.Time) string { return onePixelWebP }},
}

// numberOf returns a number of 13 digits that is as unique as a tag.
func numberOf(tag string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	number := 0
	for _, letter := range tag[:min(len(tag), 8)] {
		number = number*len(letters) + max(0, strings.IndexRune(letters, letter))
	}
	return strconv.Itoa(1_000_000_000_000 + number)
}

// ErrNoName is returned by a step that uses a name no earlier step has defined: the rule is written incorrectly.
var ErrNoName = errors.New("names nothing in this scenario")

// Timestamp formats a time as the designs store it: UTC, ISO 8601, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// onePixelPNG is a complete PNG of one pixel, base64.
const onePixelPNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// onePixelWebP is a complete lossless WebP of one pixel, base64.
const onePixelWebP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

// onePixelJPEG is a complete JPEG of one grey pixel, base64.
const onePixelJPEG = "/9j/2wCEAP////////////////////////////////////////////////////////////////////////////////////" +
	"8B///////////////////////////////////////////////////////////////////////////////////////AAAsIAAEAAQEBEQD/xADS" +
	"AAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgsQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNico" +
	"IJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1" +
	"tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAAgBAQAAPwCOv//Z"

// Keep gives a value a name: {name} stands for that value from then on.
func (n *Names) Keep(name, value string) { n.kept[name] = value }

// NewID makes up an id in the design's form, and keeps it under the name.
func (n *Names) NewID(name string) string {
	id := n.stage.System().NewID(name, n.people.tag)
	n.Keep(name, id)
	return id
}

// KeepValue is Keep for a JSON value or a column value. It reports whether the value is a string or a number; only
// those can be kept.
func (n *Names) KeepValue(name string, value any) bool {
	switch value := value.(type) {
	case string:
		n.Keep(name, value)
	case json.Number:
		n.Keep(name, value.String())
	default:
		return false
	}
	return true
}

// Kept returns the value with the given name; ok is false if there is none.
func (n *Names) Kept(name string) (value string, ok bool) {
	value, ok = n.kept[name]
	return value, ok
}

// Known returns the names that values and people have so far, each sorted.
func (n *Names) Known() (values, people []string) {
	return slices.Sorted(maps.Keys(n.kept)), slices.Sorted(maps.Keys(n.people.byName))
}
