package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// inside is what a directory holds.
func inside(t *testing.T, directory string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The name of the last of three files is taken at the last moment: the first had been there, the second had not.
func TestFilesAppearTogetherOrNotAtAll(t *testing.T) {
	directory := t.TempDir()
	first, last := filepath.Join(directory, "first"), filepath.Join(directory, "last")
	write(t, first, "before")
	var all Set
	for _, path := range []string{first, filepath.Join(directory, "made", "second"), last} {
		if err := all.Add(path,
			func(w io.Writer) error { _, err := io.WriteString(w, "after"); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(last, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(last, "somebody's"), "")
	var failed *Error
	if err := all.Keep(); !errors.As(err, &failed) {
		t.Errorf("keep: %v", err)
	}
	all.Abandon()
	if got, want := inside(t, directory), []string{"first", "last"}; !slices.Equal(got, want) {
		t.Errorf("there is %v, not %v", got, want)
	}
	if got := read(t, first); got != "before" {
		t.Errorf("the first file holds %q", got)
	}
	if got := inside(t, last); len(got) != 1 {
		t.Errorf("the last holds %v", got)
	}
}

func TestFilesTakeThePlaceOfWhatWasThere(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "page")
	write(t, path, "before")
	var all Set
	if err := all.Add(path, func(w io.Writer) error { _, err := io.WriteString(w, "after"); return err }); err != nil {
		t.Fatal(err)
	}
	if err := all.Keep(); err != nil {
		t.Fatal(err)
	}
	all.Settle()
	all.Abandon()
	if got := inside(t, directory); !slices.Equal(got, []string{"page"}) || read(t, path) != "after" {
		t.Errorf("there is %v, and the page holds %q", got, read(t, path))
	}
}

// In a container each run has the same process id, and what a killed run left must not be in the way of the next.
func TestFileAfterAKilledRun(t *testing.T) {
	directory := t.TempDir()
	write(t, filepath.Join(directory, fmt.Sprintf(".run.ndjson.%d", os.Getpid())), "")
	if _, err := Create(filepath.Join(directory, "first")); err != nil {
		t.Fatal(err)
	}
	o, err := Create(filepath.Join(directory, "run.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	o.Abandon()
}

func TestExtendCanBeTakenBack(t *testing.T) {
	directory := t.TempDir()
	old, created := filepath.Join(directory, "old"), filepath.Join(directory, "created")
	write(t, old, "before")
	for _, path := range []string{old, created} {
		back, err := Extend(path, []byte(", after"))
		if err != nil {
			t.Fatal(err)
		}
		defer back()
	}
	if got := read(t, old) + read(t, created); got != "before, after, after" {
		t.Errorf("they hold %q", got)
	}
	back, err := Extend(old, []byte("!"))
	if err != nil {
		t.Fatal(err)
	}
	back()
	if got := read(t, old); got != "before, after" {
		t.Errorf("taken back, it holds %q", got)
	}
	if back, err = Extend(filepath.Join(directory, "new"), []byte("!")); err != nil {
		t.Fatal(err)
	}
	back()
	if got := inside(t, directory); !slices.Equal(got, []string{"created", "old"}) {
		t.Errorf("there is %v", got)
	}
	var failed *Error
	if _, err = Extend(filepath.Join(directory, "none", "x"), []byte("!")); !errors.As(err, &failed) {
		t.Errorf("where nothing can be: %v", err)
	}
}
