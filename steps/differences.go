package steps

import (
	"fmt"
	"slices"

	"github.com/storespec/storespec/internal/wire"
)

// Difference is what was expected somewhere and what was seen there. It is an error too.
type Difference struct {
	Where    string `json:"where,omitempty"`
	Expected string `json:"expected"`
	Seen     string `json:"seen"`

	text string // in words
}

func (d *Difference) Error() string { return d.text }

// isNot says that something "is …, not …"; placed says what.
func isNot(seen, expected string) error {
	return &Difference{Expected: expected, Seen: seen, text: fmt.Sprintf("is %s, not %s", seen, expected)}
}

// placed puts in front of an error what it is about.
func placed(err error, format string, args ...any) error {
	where := fmt.Sprintf(format, args...)
	if d, ok := err.(*Difference); ok { //nolint:errorlint // one that is wrapped has its place already
		return &Difference{Where: where, Expected: d.Expected, Seen: d.Seen, text: where + " " + d.text}
	}
	return fmt.Errorf("%s %w", where, err)
}

// holdsSome compares how many rows, or whatever noun names, there are somewhere.
func holdsSome(where, noun string, seen, expected int) error {
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

// several is a number and its noun.
func several(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// presence is what a row or a blob is, as a difference says it.
func presence(there bool) string {
	if there {
		return "there"
	}
	return "absent"
}

// isMissing says that something which is named without its article is not there; isThere that it is.
func isMissing(name string) error {
	return &Difference{Where: "the " + name, Expected: presence(true), Seen: presence(false), text: "there is no " + name}
}

func isThere(name string) error {
	return &Difference{Where: "the " + name, Expected: presence(false), Seen: presence(true), text: "there is a " + name}
}

// inner is an error about a part of something.
type inner struct {
	of  string
	err error
}

func (e *inner) Error() string { return e.of + ": " + e.err.Error() }

func (e *inner) Unwrap() error { return e.err }

// cleaned is an error without secrets, and its differences without them.
type cleaned struct {
	text        string
	differences []error
}

func (e *cleaned) Error() string { return e.text }

func (e *cleaned) Unwrap() []error { return e.differences }

// newCleaned hides in an error, and in its differences, what scrub takes out of texts.
func newCleaned(err error, scrub func(string) string) error {
	e := &cleaned{text: scrub(err.Error())}
	for _, d := range Differences(err) {
		e.differences = append(e.differences, &Difference{Where: scrub(d.Where), Expected: scrub(d.Expected), Seen: scrub(d.Seen)})
	}
	return e
}

// Differences is every one that an error is made of.
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

// complain marks a storage call of whichever request.
func (w *World) complain(about wire.Call) {
	for _, e := range w.exchanges {
		e.complain(about)
	}
}

// complain marks a storage call of the exchange as one that may not be.
func (e *exchange) complain(about wire.Call) {
	i := slices.IndexFunc(e.calls(), func(c wire.Call) bool {
		return c.Start.Equal(about.Start) && c.Class == about.Class && c.Resource == about.Resource && c.Row == about.Row && c.Blob == about.Blob
	})
	if i >= 0 && !slices.Contains(e.odd, i) {
		e.odd = append(e.odd, i)
	}
}
