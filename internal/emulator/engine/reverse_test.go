package engine

import (
	"strings"
	"testing"
)

// TestBackwards walks a range from its end: what lies outside its bounds is never seen.
func TestBackwards(t *testing.T) {
	e := open(t, Options{})
	defer closeEngine(t, e)
	for _, key := range []string{"a", "b1", "b2", "b4", "c"} {
		if err := e.Set([]byte(key), []byte("v")); err != nil {
			t.Fatal(err)
		}
	}
	it, err := e.Iter([]byte("b"), []byte("c"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := it.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, test := range []struct {
		name  string
		begin func() bool
		want  string
	}{
		{"from the end", it.Last, "b4 b2 b1"},
		{"below a key that is there", func() bool { return it.SeekLT([]byte("b2")) }, "b1"},
		{"below a key that is missing", func() bool { return it.SeekLT([]byte("b3")) }, "b2 b1"},
		{"below what is after the range", func() bool { return it.SeekLT([]byte("z")) }, "b4 b2 b1"},
		{"below what is before the range", func() bool { return it.SeekLT([]byte("a")) }, ""},
	} {
		var seen []string
		for ok := test.begin(); ok; ok = it.Prev() {
			seen = append(seen, string(it.Key()))
		}
		if got := strings.Join(seen, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
