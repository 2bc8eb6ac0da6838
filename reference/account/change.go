package account

import (
	"context"
	"errors"
	"time"
)

// Change is how a server changes what other requests may change at the same time. All such changes use this one loop;
// a port has one of its own:
//
//	read    the current value, with its ETag
//	decide  the new value; if there is nothing to write, or the request is refused, the loop ends
//	write   on the condition that the value is unchanged: under If-Match, or, if there was none, as an insert or
//	        under If-None-Match: *
//	again   from the read on, when the condition failed (412; 409 or 404 if a row was created or deleted): another
//	        request has won
//
// A lost round means that another request has won it, so each of n concurrent requests needs at most n rounds.
type Change[T any] struct {
	Rounds int  // how many attempts
	Pause  bool // wait before each new attempt (PauseAfter): for what many clients write at the same moment

	// Read returns the current value; nil if there is none.
	Read func() (*T, error)
	// Decide returns the value that is to replace now; nil to leave it as is, and with an error. It may modify and
	// return now itself. It is called once per round and has no side effects.
	Decide func(now *T) (next *T, err error)
	// Write replaces now, which is nil if there was nothing, with next. Errors: ErrChanged when the condition failed.
	Write func(now, next *T) error
}

// Do runs rounds until one succeeds. If written is true, result is what it wrote; otherwise result is what it read and
// left as is. Errors: those of Read, Decide and Write; ErrChanged when all rounds were lost; ErrUnavailable when ctx
// ends during a pause.
func (c Change[T]) Do(ctx context.Context) (result *T, written bool, err error) {
	return c.begin(ctx, c.Read)
}

// From is Do for a caller that has just read the current value: the first round needs no read.
func (c Change[T]) From(ctx context.Context, known *T) (result *T, written bool, err error) {
	return c.begin(ctx, func() (*T, error) { return known, nil })
}

func (c Change[T]) begin(ctx context.Context, read func() (*T, error)) (*T, bool, error) {
	for lost := range c.Rounds {
		began := time.Now()
		now, err := read()
		if err != nil {
			return nil, false, err
		}
		next, err := c.Decide(now)
		if next == nil {
			return now, false, err
		}
		if err := c.Write(now, next); !errors.Is(err, ErrChanged) {
			return next, err == nil, err
		}
		if c.Pause {
			if err := PauseAfter(ctx, lost, time.Since(began)); err != nil {
				return nil, false, err
			}
		}
		read = c.Read
	}
	return nil, false, ErrChanged
}
