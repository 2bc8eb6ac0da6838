package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// putFile writes a file of an account's data, as a service does with a large body.
func putFile(t *testing.T, e *Engine, a *Account, name, content string) {
	t.Helper()
	root, err := e.FilesDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, a.Data().Name())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// files lists the files of an account's data as "name=content".
func files(t *testing.T, e *Engine, a *Account) (list []string) {
	t.Helper()
	root, err := e.FilesDir()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(root, a.Data().Name(), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, filepath.Base(path)+"="+string(content))
	}
	return list
}

func takeSnapshot(t testing.TB, a *Account) *Snapshot {
	t.Helper()
	s, err := a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func restore(t testing.TB, s *Snapshot) {
	t.Helper()
	if err := s.Restore(); err != nil {
		t.Fatal(err)
	}
}

// A restored account has the rows and the files of the snapshot and no other, in memory and in a
// directory, where a restart keeps them; its catalogue and other accounts are as they are.
func TestRestoreBringsBackWhatWas(t *testing.T) {
	for name, dir := range map[string]string{"memory": "", "directory": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			e := open(t, Options{Dir: dir})
			defer func() { closeEngine(t, e) }()
			a, other := e.Account("a"), e.Account("b")
			set(t, e, a.Data(), "first", "T", "1")
			set(t, e, a.Data(), "", "T", "nul\x00key")
			set(t, e, a.Catalogue(), "table", "T")
			putFile(t, e, a, "f1", "large")
			snapshot := takeSnapshot(t, a)
			rows, bodies := list(t, e, a.Data()), files(t, e, a)
			for i := range 3 * dropEvery {
				set(t, e, a.Data(), "changed", "T", "1")
				set(t, e, a.Data(), "new", "T", fmt.Sprint(i))
				set(t, e, a.Catalogue(), "later", "U")
				set(t, e, other.Data(), fmt.Sprint(i), "T", "1")
				putFile(t, e, a, fmt.Sprint("new", i), "larger")
				if err := os.Remove(filepath.Join(mustFilesDir(t, e), a.Data().Name(), "f1")); err != nil {
					t.Fatal(err)
				}
				restore(t, snapshot)
				if got := list(t, e, a.Data()); !slices.Equal(got, rows) {
					t.Fatalf("rows after restore %d: %q, want %q", i, got, rows)
				}
				if got := files(t, e, a); !slices.Equal(got, bodies) {
					t.Fatalf("files after restore %d: %q, want %q", i, got, bodies)
				}
				if got := get(t, e, a.Catalogue(), "T") + get(t, e, a.Catalogue(), "U") +
					get(t, e, other.Data(), "T", "1"); got != fmt.Sprint("tablelater", i) {
					t.Fatalf("catalogue and other account after restore %d: %s", i, got)
				}
			}
			if err := errors.Join(snapshot.Discard(), snapshot.Discard()); err != nil {
				t.Error(err)
			}
			if dir == "" {
				return
			}
			closeEngine(t, e)
			e = open(t, Options{Dir: dir})
			a = e.Account("a")
			if got := append(list(t, e, a.Data()), files(t, e, a)...); !slices.Equal(got, append(rows, bodies...)) {
				t.Errorf("after a restart there are %q", got)
			}
		})
	}
}

func mustFilesDir(t *testing.T, e *Engine) string {
	t.Helper()
	dir, err := e.FilesDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// However often it is restored, a snapshot costs no more rows and directories than resets do, and none
// once it is discarded and some resets have passed.
func TestRestoresLeaveNothingBehind(t *testing.T) {
	const rows = 20
	e := open(t, Options{})
	defer closeEngine(t, e)
	a := e.Account("a")
	for i := range rows {
		set(t, e, a.Data(), "row", "T", fmt.Sprint(i))
	}
	putFile(t, e, a, "f1", "large")
	snapshot := takeSnapshot(t, a)
	check := func(when string, most int) {
		t.Helper()
		if n := count(t, e, []byte{dataKeys}, []byte{dataKeys + 1}); n > most*rows {
			t.Errorf("%s there are %d rows, want at most %d", when, n, most*rows)
		}
		if dirs, err := os.ReadDir(mustFilesDir(t, e)); err != nil || len(dirs) > most+1 {
			t.Errorf("%s there are %d directories (%v), want at most %d", when, len(dirs), err, most+1)
		}
	}
	for range 1000 {
		restore(t, snapshot)
	}
	check("after 1,000 restores", dropEvery+1)
	if err := snapshot.Discard(); err != nil {
		t.Fatal(err)
	}
	for range 2 * dropEvery {
		if err := a.Reset(); err != nil {
			t.Fatal(err)
		}
	}
	check("after it was discarded", 0)
	if snapshot.rows != nil {
		t.Error("a discarded snapshot keeps its rows")
	}
}

func TestRestoreRefused(t *testing.T) {
	e := open(t, Options{})
	defer closeEngine(t, e)
	a := e.Account("a")
	set(t, e, a.Data(), "row", "T", "1")
	discarded, dropped := takeSnapshot(t, a), takeSnapshot(t, a)
	if err := discarded.Discard(); err != nil {
		t.Fatal(err)
	}
	if err := discarded.Restore(); !errors.Is(err, errDiscarded) {
		t.Errorf("restore of a discarded snapshot: %v", err)
	}
	if err := a.Drop(); err != nil {
		t.Fatal(err)
	}
	if err := dropped.Restore(); !errors.Is(err, errDiscarded) {
		t.Errorf("restore after the account was dropped: %v", err)
	}
	if got := list(t, e, a.Data()); len(got) != 0 {
		t.Errorf("a refused restore left %q", got)
	}
}

func BenchmarkRestore(b *testing.B) {
	for _, rows := range []int{20, 1000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			e := open(b, Options{})
			defer closeEngine(b, e)
			a := e.Account("lane")
			for i := range rows {
				set(b, e, a.Data(), fmt.Sprintf("%0250d", i), "T", "p", fmt.Sprint(i))
			}
			snapshot := takeSnapshot(b, a)
			for b.Loop() {
				restore(b, snapshot)
			}
		})
	}
}
