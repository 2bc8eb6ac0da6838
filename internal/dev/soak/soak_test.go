//go:build linux

package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
)

func TestGrowth(t *testing.T) {
	flat := func(i int) sample {
		return sample{pid: 1, memory: 50<<20 + i%3<<20, descriptors: 20, goroutines: 30 + i%5}
	}
	for name, test := range map[string]struct {
		of   func(i int) sample
		want bool // a problem
	}{
		"flat":         {flat, false},
		"memory":       {func(i int) sample { s := flat(i); s.memory += i << 20; return s }, true},
		"descriptors":  {func(i int) sample { s := flat(i); s.descriptors += i; return s }, true},
		"goroutines":   {func(i int) sample { s := flat(i); s.goroutines += i; return s }, true},
		"at first":     {func(i int) sample { s := flat(i); s.descriptors += min(i, 15) * 10; return s }, false},
		"killed often": {func(i int) sample { s := flat(i); s.pid = i; return s }, true},
	} {
		var all []sample
		for i := range 100 {
			all = append(all, test.of(i))
		}
		if err := judge(all).problem(); (err != nil) != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// memory is a service that breaks off after a number of requests, and keeps or loses the write under way.
type memory struct {
	values map[string]string
	left   int
	made   bool
}

var errBroken = errors.New("broken off")

func (m *memory) change(do func()) error {
	if m.left--; m.left >= 0 {
		do()
		return nil
	}
	if m.made {
		do()
	}
	return errBroken
}

func (m *memory) prepare(context.Context) error { return nil }

func (m *memory) put(_ context.Context, _, key, value string) error {
	return m.change(func() { m.values[key] = value })
}

func (m *memory) remove(_ context.Context, _, key string) error {
	return m.change(func() { delete(m.values, key) })
}

func (m *memory) get(_ context.Context, _, key string) (string, error) { return m.values[key], nil }

func (m *memory) list(context.Context, string) ([]string, error) {
	return slices.Sorted(maps.Keys(m.values)), nil
}

func TestALostWriteIsSeen(t *testing.T) {
	for _, made := range []bool{true, false} {
		m := &memory{values: map[string]string{}, left: 500, made: made}
		l := newLedger("w0")
		var err error
		for err == nil {
			err = l.step(t.Context(), m)
		}
		if !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		// The write under way may have been made or not.
		if err := l.settle(t.Context(), m); err != nil {
			t.Errorf("made %t: %v", made, err)
		}
		var kept string
		for key := range m.values {
			kept = key
		}
		was := m.values[kept]
		delete(m.values, kept)
		if _, gone := errors.AsType[lost](l.settle(t.Context(), m)); !gone {
			t.Errorf("%s was lost unnoticed", kept)
		}
		m.values[kept] = was
		m.values["k999"] = "never written"
		if _, gone := errors.AsType[lost](l.settle(t.Context(), m)); !gone {
			t.Error("a list has an extra key unnoticed")
		}
	}
}
