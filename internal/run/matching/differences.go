package matching

import (
	"errors"
	"fmt"
)

// Difference is what was expected somewhere and what was found there. It is also an error.
type Difference struct {
	Where    string `json:"where,omitempty"`
	Expected string `json:"expected"`
	Seen     string `json:"seen"`

	text string // in words
}

// Error returns the difference in words.
func (d *Difference) Error() string { return d.text }

// Differ returns a difference with its full text.
func Differ(where, expected, seen, text string) *Difference {
	return &Difference{Where: where, Expected: expected, Seen: seen, text: text}
}

// isNot returns an error that something "is …, not …"; placed adds what it is.
func isNot(seen, expected string) error {
	return &Difference{Expected: expected, Seen: seen, text: fmt.Sprintf("is %s, not %s", seen, expected)}
}

// Placed prefixes an error with what it is about.
func Placed(err error, format string, args ...any) error {
	where := fmt.Sprintf(format, args...)
	if d, ok := err.(*Difference); ok { //nolint:errorlint // one that is wrapped has its place already
		return &Difference{Where: where, Expected: d.Expected, Seen: d.Seen, text: where + " " + d.text}
	}
	return fmt.Errorf("%s %w", where, err)
}

// HoldsSome compares how many rows, or other things named by noun, there are somewhere.
func HoldsSome(where, noun string, seen, expected int) error {
	if seen == expected {
		return nil
	}
	d := &Difference{Where: where, Expected: several(expected, noun), Seen: several(seen, noun)}
	d.text = fmt.Sprintf("%s holds %s, not %d", where, d.Seen, expected)
	if expected == 0 {
		d.text = fmt.Sprintf("%s holds %s, not none", where, d.Seen)
	}
	return d
}

// several formats a number and its noun.
func several(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Presence says whether a row or a blob is there, for a difference.
func Presence(there bool) string {
	if there {
		return "there"
	}
	return "absent"
}

// IsMissing returns a difference: something, named without an article, is missing.
func IsMissing(name string) error {
	return &Difference{Where: "the " + name, Expected: Presence(true), Seen: Presence(false), text: "there is no " +
		name}
}

// IsThere returns a difference: something, named without an article, is there but should not be.
func IsThere(name string) error {
	return &Difference{Where: "the " + name, Expected: Presence(false), Seen: Presence(true), text: "there is a " +
		name}
}

// inner is an error about a part of something.
type inner struct {
	of  string
	err error
}

// PartOf says what the error is a part of.
func PartOf(of string, err error) error { return &inner{of, err} }

// Error puts the whole before the part.
func (e *inner) Error() string { return e.of + ": " + e.err.Error() }

// Unwrap returns the error about the part.
func (e *inner) Unwrap() error { return e.err }

// cleaned is an error without secrets, and its differences without them.
type cleaned struct {
	text        string
	cause       error
	differences []error
}

// Error returns the text without secrets.
func (e *cleaned) Error() string { return e.text }

// Unwrap returns the differences without secrets, and nothing else of the error.
func (e *cleaned) Unwrap() []error { return e.differences }

// Is matches the original error, so that it is judged as it would be without a family of cases.
func (e *cleaned) Is(target error) bool { return errors.Is(e.cause, target) }

// As matches the original error too. The result may contain secrets: it must not be shown.
func (e *cleaned) As(target any) bool { return errors.As(e.cause, target) }

// NewCleaned returns an error from whose text and differences scrub removes secrets.
func NewCleaned(err error, scrub func(string) string) error {
	e := &cleaned{text: scrub(err.Error()), cause: err}
	for _, d := range Differences(err) {
		e.differences = append(e.differences,
			&Difference{Where: scrub(d.Where), Expected: scrub(d.Expected), Seen: scrub(d.Seen)})
	}
	return e
}

// Differences returns every difference that an error consists of.
func Differences(err error) []Difference {
	switch e := err.(type) { //nolint:errorlint // this walks the tree itself
	case *Difference:
		return []Difference{*e}
	case *inner:
		list := Differences(e.err)
		for i := range list {
			list[i].Where += " of " + e.of
		}
		return list
	case interface{ Unwrap() error }:
		return Differences(e.Unwrap())
	case interface{ Unwrap() []error }:
		var all []Difference
		for _, one := range e.Unwrap() {
			all = append(all, Differences(one)...)
		}
		return all
	}
	return nil
}
