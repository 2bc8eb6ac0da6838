package scenario

import (
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
func (w *World) Written(text string) (string, error) {
	expanded, err := w.Expand(text)
	if err != nil {
		return "", err
	}
	return Unfold(expanded)
}

// Address returns the path of a request, with the values of names escaped so that they can stand in it whatever they
// contain. A path that begins with a name was given to the scenario.
func (w *World) Address(path string) (string, error) {
	if strings.HasPrefix(path, "{") {
		return w.Expand(path)
	}
	path, query, hasQuery := strings.Cut(path, "?")
	path, err := w.expandWith(path, url.PathEscape)
	if err != nil || !hasQuery {
		return path, err
	}
	query, err = w.expandWith(query, url.QueryEscape)
	return path + "?" + query, err
}

// Counted returns a text repeated count times, each expanded as Written does; {i} is the index, from 0.
func (w *World) Counted(count int, text string) ([]string, error) {
	texts := make([]string, count)
	err := w.Counting(count, func(i int) (err error) {
		texts[i], err = w.Written(text)
		return err
	})
	return texts, err
}

// Counting does something count times; {i} is the index, from 0.
func (w *World) Counting(count int, do func(i int) error) error {
	defer delete(w.kept, "i")
	for i := range count {
		w.Keep("i", strconv.Itoa(i))
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
}

// WriteOut expands each text in place, as Written does.
func (w *World) WriteOut(texts ...*string) error {
	for _, text := range texts {
		written, err := w.Written(*text)
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
func (w *World) Expand(text string) (string, error) {
	return w.expandWith(text, func(value string) string { return value })
}

// expandWith is Expand with a function that formats each value.
func (w *World) expandWith(text string, spelled func(string) string) (string, error) {
	var failed error
	expanded := Placeholder.ReplaceAllStringFunc(text, func(match string) string {
		value, err := w.value(match[1 : len(match)-1])
		if err != nil && failed == nil {
			failed = err
		}
		return spelled(value)
	})
	return expanded, failed
}

func (w *World) value(name string) (string, error) {
	if value, ok := w.kept[name]; ok {
		return value, nil
	}
	if _, ok := w.System().Names[name]; ok {
		return w.Lane().Called(name), nil
	}
	if owner, field, dotted := strings.Cut(name, "."); dotted {
		if p, ok := w.people[owner]; ok {
			if value, ok := w.fact(p, field); ok {
				return value, nil
			}
		}
	}
	for _, given := range givenNames {
		if given.name == name {
			return given.value(w, time.Now().UTC()), nil
		}
	}
	known := slices.Concat(slices.Sorted(maps.Keys(w.kept)), slices.Sorted(maps.Keys(w.System().Names)))
	for _, p := range slices.Sorted(maps.Keys(w.people)) {
		for _, f := range w.facts() {
			known = append(known, p+"."+f.Name)
		}
	}
	return "", noName(name, known)
}

type givenName struct {
	name  string
	value func(w *World, now time.Time) string
}

// givenNames are the names that every scenario knows.
var givenNames = []givenName{
	{"now", func(_ *World, now time.Time) string { return Timestamp(now) }},
	{"today", func(_ *World, now time.Time) string { return now.Format(time.DateOnly) }},
	{"month", func(_ *World, now time.Time) string { return now.Format("2006-01") }},
	{"otherDay", func(_ *World, now time.Time) string { // of this month
		if now.Day() > 1 {
			return now.Format("2006-01") + "-01"
		}
		return now.Format("2006-01") + "-02"
	}},
	{"lastMonthsEnd", func(_ *World, now time.Time) string {
		return now.AddDate(0, 0, -now.Day()).Format(time.DateOnly)
	}},
	{"tag", func(w *World, _ time.Time) string { return w.tag }},              // no other scenario has or had it
	{"number", func(w *World, _ time.Time) string { return numberOf(w.tag) }}, // likewise
	{"target", func(w *World, _ time.Time) string { return w.Lane().Target.URL }},
	{"png", func(*World, time.Time) string { return onePixelPNG }},
	{"jpeg", func(*World, time.Time) string { return onePixelJPEG }},
	{"webp", func(*World, time.Time) string { return onePixelWebP }},
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
