package account

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// overtaken is a store of one number, which another request changes before the writes that are to lose.
type overtaken struct {
	number int
	loses  int   // writes that come too late
	fails  error // of a read after a lost write
	calls  []string
}

func (o *overtaken) change(decide func(now int) (int, error)) Change[int] {
	lost := 0
	return Change[int]{
		Rounds: 3,
		Read: func() (*int, error) {
			o.calls = append(o.calls, "read")
			if lost > 0 && o.fails != nil {
				return nil, o.fails
			}
			now := o.number
			return &now, nil
		},
		Decide: func(now *int) (*int, error) {
			next, err := decide(*now)
			if next == 0 {
				return nil, err
			}
			return &next, err
		},
		Write: func(now, next *int) error {
			o.calls = append(o.calls, "write")
			if lost < o.loses {
				lost++
				o.number = 10 * lost
				return ErrChanged
			}
			if *now != o.number {
				return errors.New("written over what was not read")
			}
			o.number = *next
			return nil
		},
	}
}

func TestChange(t *testing.T) {
	failure, refusal := errors.New("read failed"), errors.New("refused")
	add := func(now int) (int, error) { return now + 1, nil }
	for name, c := range map[string]struct {
		store   overtaken
		decide  func(now int) (next int, err error)
		want    string // the calls
		result  int
		written bool
		err     error
	}{
		"the first round wins": {overtaken{}, add, "read write", 1, true, nil},
		"a lost round is read and decided again": {overtaken{loses: 2}, add, "read write read write read write", 21,
			true, nil},
		"all rounds are lost": {overtaken{loses: 3}, add, "read write read write read write", 0, false, ErrChanged},
		"nothing to be written": {overtaken{number: 5}, func(int) (int, error) { return 0, nil }, "read", 5, false,
			nil},
		"refused in the second round": {overtaken{loses: 1}, func(now int) (int, error) {
			if now > 0 {
				return 0, refusal
			}
			return 1, nil
		}, "read write read", 0, false, refusal},
		"the second read fails": {overtaken{loses: 1, fails: failure}, add, "read write read", 0, false, failure},
	} {
		t.Run(name, func(t *testing.T) {
			for _, known := range []bool{false, true} {
				store, first := c.store, []string(nil)
				run := store.change(c.decide).Do
				if known { // the same calls, but for the first read
					first = []string{"read"}
					run = func(ctx context.Context) (*int, bool, error) {
						now := c.store.number
						return store.change(c.decide).From(ctx, &now)
					}
				}
				result, written, err := run(t.Context())
				calls := strings.Join(append(first, store.calls...), " ")
				if !errors.Is(err, c.err) || written != c.written || calls != c.want {
					t.Errorf("%v, %v by %q, want %v, %v by %q", written, err, calls, c.written, c.err, c.want)
				}
				if c.err == nil && *result != c.result {
					t.Errorf("the result is %d, want %d", *result, c.result)
				}
			}
		})
	}
}

// A lost round is followed by a pause only where one is asked for, and a pause ends with the request.
func TestChangePauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for pause, want := range map[bool]error{true: ErrUnavailable, false: ErrChanged} {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, _, err := Change[int]{
				Rounds: 2, Pause: pause,
				Read:   func() (*int, error) { return nil, nil },
				Decide: func(*int) (*int, error) { return new(int), nil },
				Write:  func(_, _ *int) error { time.Sleep(time.Second); return ErrChanged },
			}.Do(ctx)
			if !errors.Is(err, want) {
				t.Errorf("pause %v: %v, want %v", pause, err, want)
			}
		}
	})
}
