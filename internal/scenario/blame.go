package scenario

import (
	"errors"
	"slices"
)

// blamed is an error about one of several requests.
type blamed struct {
	error
	about *RoundTrip
}

// Unwrap returns what is wrong with the request.
func (b *blamed) Unwrap() error { return b.error }

// Blame returns err as an error about this request, so that reports show it and not the last one; nil for nil.
func (e *RoundTrip) Blame(err error) error {
	if err == nil {
		return nil
	}
	return &blamed{err, e}
}

// Blamed returns the number, among Exchanges, of the request that an error is about, from 1; 0 if it names none.
func (r *Report) Blamed(err error) int {
	if r.shown != nil {
		r = r.shown
	}
	found, ok := errors.AsType[*blamed](err)
	if !ok {
		return 0
	}
	return slices.Index(r.requests.exchanges, found.about) + 1
}
