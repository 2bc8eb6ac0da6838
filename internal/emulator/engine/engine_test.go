package engine

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"
)

func open(t testing.TB, opts Options) *Engine {
	t.Helper()
	e, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func closeEngine(t testing.TB, e *Engine) {
	t.Helper()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func set(t testing.TB, e *Engine, s Space, value string, parts ...string) {
	t.Helper()
	if err := e.Set(s.Key(nil, parts...), []byte(value)); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, e *Engine, s Space, parts ...string) string {
	t.Helper()
	value, found, err := e.Get(s.Key(nil, parts...), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		return "(none)"
	}
	return string(value)
}

// list reads a range as "part/part=value".
func list(t testing.TB, e *Engine, s Space, parts ...string) []string {
	t.Helper()
	it, err := e.Iter(s.Range(parts...))
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for ok := it.First(); ok; ok = it.Next() {
		names, err := s.Parts(it.Key())
		if err != nil {
			t.Fatal(err)
		}
		value, err := it.Value()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, strings.Join(names, "/")+"="+string(value))
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func count(t testing.TB, e *Engine, lower, upper []byte) (n int) {
	t.Helper()
	it, err := e.Iter(lower, upper)
	if err != nil {
		t.Fatal(err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRangeHoldsExactlyTheExtensions(t *testing.T) {
	e := open(t, Options{})
	defer closeEngine(t, e)
	s := e.Account("a").Data()
	for _, parts := range [][]string{{"T", "p"}, {"T", "p", "r"}, {"T", "p", ""}, {"T", "p\x00", "r"}, {"T", "pq", "r"},
		{"T", ""}, {"T"}, {"U", "p"}, {"", "T"}} {
		set(t, e, s, "x", parts...)
	}
	set(t, e, e.Account("b").Data(), "other", "T", "p", "r")
	want := []string{"T/p=x", "T/p/=x", "T/p/r=x"}
	if got := list(t, e, s, "T", "p"); !slices.Equal(got, want) {
		t.Errorf("range of T, p: %q, want %q", got, want)
	}
	if got := list(t, e, s); len(got) != 9 {
		t.Errorf("range of the space: %q, want 9 rows", got)
	}
}

func TestKeyOrderIsTupleOrder(t *testing.T) {
	s := newAccount(nil, "a", epochs{}).Data()
	part := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 'a', 'b', 0xFE, 0xFF}), 0, 4)
	tuple := rapid.SliceOfN(rapid.Map(part, func(b []byte) string { return string(b) }), 0, 4)
	rapid.Check(t, func(t *rapid.T) {
		a, b := tuple.Draw(t, "a"), tuple.Draw(t, "b")
		ka, kb := s.Key(nil, a...), s.Key(nil, b...)
		if got, want := bytes.Compare(ka, kb), slices.Compare(a, b); got != want {
			t.Fatalf("keys of %q and %q compare %d, the tuples %d", a, b, got, want)
		}
		lower, upper := s.Range(a...)
		within := bytes.Compare(kb, lower) >= 0 && bytes.Compare(kb, upper) < 0
		if extends := len(b) >= len(a) && slices.Equal(b[:len(a)], a); within != extends {
			t.Fatalf("%q in the range of %q: %v, want %v", b, a, within, extends)
		}
		if back, err := s.Parts(kb); err != nil || !slices.Equal(back, b) {
			t.Fatalf("parts of %q: %q, %v", b, back, err)
		}
	})
}

func FuzzParts(f *testing.F) {
	s := newAccount(nil, "a", epochs{}).Data()
	f.Add([]byte("a\x00\x01"))
	f.Add([]byte("a\x00\xff\x00\x01\x00\x01"))
	f.Fuzz(func(t *testing.T, rest []byte) {
		key := append(s.Key(nil), rest...)
		parts, err := s.Parts(key)
		if err != nil {
			return
		}
		if back := s.Key(nil, parts...); !bytes.Equal(back, key) {
			t.Fatalf("%q decodes to %q, which encodes to %q", key, parts, back)
		}
	})
}

func TestResetKeepsTheCatalogue(t *testing.T) {
	dir := t.TempDir()
	e := open(t, Options{Dir: dir})
	a, b := e.Account("a"), e.Account("b")
	for range 3 * dropEvery {
		old := a.Data()
		set(t, e, old, "row", "T", "1")
		set(t, e, a.Catalogue(), "table", "T")
		set(t, e, b.Data(), "kept", "T", "1")
		files, err := e.FilesDir()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(files, old.Name()), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := a.Reset(); err != nil {
			t.Fatal(err)
		}
		if got := get(t, e, a.Data(), "T", "1"); got != "(none)" {
			t.Fatalf("after a reset the row is %s", got)
		}
		if got := get(t, e, old, "T", "1"); got != "row" {
			t.Fatalf("a request under way reads %s, want its row", got)
		}
	}
	if n := count(t, e, []byte{dataKeys}, []byte{dataKeys + 1}); n > dropEvery+1 {
		t.Errorf("%d rows of dead epochs are left", n)
	}
	if files, err := os.ReadDir(filepath.Join(dir, filesName)); err != nil || len(files) > dropEvery {
		t.Errorf("%d directories of dead epochs are left (%v)", len(files), err)
	}
	set(t, e, a.Data(), "new", "T", "2")
	closeEngine(t, e)

	e = open(t, Options{Dir: dir})
	defer closeEngine(t, e)
	a, b = e.Account("a"), e.Account("b")
	if got := list(t, e, a.Data()); !slices.Equal(got, []string{"T/2=new"}) {
		t.Errorf("data after a restart: %q", got)
	}
	if got := get(t, e, a.Catalogue(), "T") + get(t, e, b.Data(), "T", "1"); got != "tablekept" {
		t.Errorf("catalogue and other account after a restart: %s", got)
	}
	if err := a.Drop(); err != nil {
		t.Fatal(err)
	}
	if got := append(list(t, e, a.Data()), list(t, e, a.Catalogue())...); len(got) != 0 {
		t.Errorf("after a drop there are %q", got)
	}
}

// modelled is an engine in a directory and what one account of it has to hold.
type modelled struct {
	fs    vfs.FS
	e     *Engine
	model map[string]string
}

// keyPart draws a part of a key, with those that could be mistaken for the end of another.
func keyPart(t *rapid.T, label string) string {
	return rapid.SampledFrom([]string{"", "\x00", "a", "a\x00", "b", "ü"}).Draw(t, label)
}

func (m *modelled) data() Space { return m.e.Account("x").Data() }

func (m *modelled) reopen(t *rapid.T) {
	e, err := Open(Options{Dir: "data", FS: m.fs})
	if err != nil {
		t.Fatal(err)
	}
	m.e = e
}

// batch sets and deletes keys, some by range.
func (m *modelled) batch(t *rapid.T) {
	s := m.data()
	b := m.e.NewBatch()
	defer b.Discard()
	for i := range rapid.IntRange(1, 5).Draw(t, "n") {
		key := []string{keyPart(t, "p"), keyPart(t, "r")}
		switch rapid.IntRange(0, 4).Draw(t, "op") {
		case 0:
			must(t, b.Delete(s.Key(nil, key...)))
			delete(m.model, strings.Join(key, "/"))
		case 1:
			must(t, b.DeleteRange(s.Range(key[0])))
			maps.DeleteFunc(m.model, func(k, _ string) bool { return strings.HasPrefix(k, key[0]+"/") })
		default:
			must(t, b.Set(s.Key(nil, key...), []byte{byte(i)}))
			m.model[strings.Join(key, "/")] = string([]byte{byte(i)})
		}
	}
	must(t, b.Commit())
}

func (m *modelled) discard(t *rapid.T) {
	b := m.e.NewBatch()
	must(t, b.Set(m.data().Key(nil, keyPart(t, "p"), "r"), []byte("discarded")))
	b.Discard()
}

func (m *modelled) check(t *rapid.T) {
	s := m.data()
	it, err := m.e.Iter(s.Range())
	must(t, err)
	got := map[string]string{}
	for ok := it.First(); ok; ok = it.Next() {
		parts, err := s.Parts(it.Key())
		must(t, err)
		value, err := it.Value()
		must(t, err)
		got[strings.Join(parts, "/")] = string(value)
	}
	must(t, it.Close())
	if !maps.Equal(got, m.model) {
		t.Fatalf("engine has %q, want %q", got, m.model)
	}
}

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestAgainstSortedMap compares an engine in a directory with a map, over random batches, ranges,
// resets and restarts.
func TestAgainstSortedMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &modelled{fs: vfs.NewMem(), model: map[string]string{}}
		m.reopen(t)
		defer func() { must(t, m.e.Close()) }()
		t.Repeat(map[string]func(*rapid.T){
			"batch":   m.batch,
			"discard": m.discard,
			"reset": func(t *rapid.T) {
				must(t, m.e.Account("x").Reset())
				clear(m.model)
			},
			"restart": func(t *rapid.T) {
				must(t, m.e.Close())
				m.reopen(t)
			},
			"": m.check,
		})
	})
}

// TestConcurrentUse is for the race detector, and for the snapshot of an iterator: writers set both
// keys of a pair in one batch, so a reader never sees them differ.
func TestConcurrentUse(t *testing.T) {
	e := open(t, Options{})
	defer closeEngine(t, e)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 200 {
				a := e.Account(fmt.Sprint("lane", i%3))
				s := a.Data()
				unlock := a.Lock(s.Key(nil, "pair"))
				b := e.NewBatch()
				value := fmt.Append(nil, w, i)
				err := errors.Join(b.Set(s.Key(nil, "pair", "1"), value), b.Set(s.Key(nil, "pair", "2"), value),
					b.Commit())
				b.Discard()
				unlock()
				if err != nil {
					t.Error(err)
				}
				rows := list(t, e, s, "pair")
				if len(rows) == 2 && strings.TrimPrefix(rows[0], "pair/1=") != strings.TrimPrefix(rows[1], "pair/2=") {
					t.Errorf("torn pair: %q", rows)
				}
				if i%50 == w {
					if err := a.Reset(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// TestLockAll takes overlapping sets of locks in both orders: it must not stand still, and the
// counters must not be torn.
func TestLockAll(t *testing.T) {
	e := open(t, Options{})
	defer closeEngine(t, e)
	a := e.Account("a")
	keys := make([][]byte, 2*lockStripes) // more than locks: some are shared
	for i := range keys {
		keys[i] = fmt.Append(nil, i)
	}
	backwards := slices.Clone(keys)
	slices.Reverse(backwards)
	count := 0
	var wg sync.WaitGroup
	for _, order := range [][][]byte{keys, backwards, keys[:1], backwards[:3]} {
		wg.Go(func() {
			for range 50 {
				unlock := a.LockAll(order)
				if len(order) == len(keys) {
					count++
				}
				unlock()
			}
		})
	}
	wg.Wait()
	if count != 100 {
		t.Errorf("%d of 100 turns were counted", count)
	}
}

func BenchmarkReset(b *testing.B) {
	e := open(b, Options{})
	defer closeEngine(b, e)
	a := e.Account("lane")
	for b.Loop() {
		s := a.Data()
		set(b, e, s, "row", "T", "p", "r")
		if err := a.Reset(); err != nil {
			b.Fatal(err)
		}
		if got := list(b, e, a.Data()); len(got) != 0 {
			b.Fatal(got)
		}
	}
}
