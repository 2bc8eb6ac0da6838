//go:build linux

package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// keysEach is how many keys a worker has: what the emulator holds stays the same, however long it runs.
const keysEach = 200

// ledger is what one worker knows of the values below its partition, which no one else changes. A value is known by
// its number; 0 if it has no value.
type ledger struct {
	partition string
	last      int            // the highest number that was used
	held      map[string]int // what was acknowledged last
	tried     map[string]int // what was sent, and neither acknowledged nor refused: it may have been made
}

func newLedger(partition string) *ledger {
	return &ledger{partition: partition, held: map[string]int{}, tried: map[string]int{}}
}

func (l *ledger) clone() *ledger {
	return &ledger{l.partition, l.last, maps.Clone(l.held), maps.Clone(l.tried)}
}

// value is the text with a number: mostly short, sometimes more than a body that stays in memory or a page of a file.
func value(n int) string {
	if n == 0 {
		return ""
	}
	length := 50 + n*37%2000
	if n%250 == 0 {
		length = 30_000
	}
	return fmt.Sprintf("%d %s", n, strings.Repeat(string(rune('a'+n%26)), length))
}

func key(i int) string { return fmt.Sprintf("k%03d", i) }

// step makes one request and holds its answer to the ledger.
func (l *ledger) step(ctx context.Context, s service) error {
	at := key(rand.IntN(keysEach))
	switch what := rand.IntN(100); {
	case what < 50:
		l.last++
		return l.change(at, l.last, func() error { return s.put(ctx, l.partition, at, value(l.last)) })
	case what < 60:
		return l.change(at, 0, func() error { return s.remove(ctx, l.partition, at) })
	case what < 97:
		return l.look(ctx, s, at)
	default:
		return l.lookAtAll(ctx, s)
	}
}

// change notes what becomes of a write.
func (l *ledger) change(at string, n int, do func() error) error {
	l.tried[at] = n
	if err := do(); err != nil {
		return err
	}
	delete(l.tried, at)
	l.held[at] = n
	return nil
}

// look reads a value, and settles what is not known of it.
func (l *ledger) look(ctx context.Context, s service, at string) error {
	got, err := s.get(ctx, l.partition, at)
	if err != nil {
		return err
	}
	tried, open := l.tried[at]
	switch {
	case got == value(l.held[at]):
	case open && got == value(tried):
		l.held[at] = tried
	default:
		return lost(fmt.Sprintf("%s/%s holds %.20q; number %d was acknowledged", l.partition, at, got, l.held[at]))
	}
	delete(l.tried, at)
	return nil
}

// lookAtAll compares a list with what must be there.
func (l *ledger) lookAtAll(ctx context.Context, s service) error {
	if len(l.tried) > 0 {
		return nil // look settles it first
	}
	got, err := s.list(ctx, l.partition)
	if err != nil {
		return err
	}
	var want []string
	for _, at := range slices.Sorted(maps.Keys(l.held)) {
		if l.held[at] != 0 {
			want = append(want, at)
		}
	}
	if !slices.Equal(got, want) {
		return lost(fmt.Sprintf("the list of %s has %d keys; %d were acknowledged", l.partition, len(got), len(want)))
	}
	return nil
}

// settle reads every value, after a kill.
func (l *ledger) settle(ctx context.Context, s service) error {
	for i := range keysEach {
		if err := l.look(ctx, s, key(i)); err != nil {
			return err
		}
	}
	return l.lookAtAll(ctx, s)
}

// lost is the error for something that was acknowledged and is not there.
type lost string

func (l lost) Error() string { return string(l) }
