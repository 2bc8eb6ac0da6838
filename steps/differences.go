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

// Differences is every one that an error is made of.
func Differences(err error) []Difference {
	switch e := err.(type) { //nolint:errorlint // this walks the tree itself
	case *Difference:
		return []Difference{*e}
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
