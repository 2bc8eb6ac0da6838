package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRefusedDirectories(t *testing.T) {
	write := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name    string
		prepare func(*testing.T, string)
		want    error
	}{
		{"newer format", write(formatName, formatPrefix+"2\n"), ErrNewerFormat},
		{"another FORMAT", write(formatName, "PNG"), ErrForeign},
		{"a home directory", write(".bashrc", "alias"), ErrForeign},
		{"in use", func(t *testing.T, dir string) {
			e := open(t, Options{Dir: dir})
			t.Cleanup(func() { closeEngine(t, e) })
		}, ErrLocked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.prepare(t, dir)
			e, err := Open(Options{Dir: dir})
			if err == nil {
				closeEngine(t, e)
			}
			if !errors.Is(err, tt.want) || !strings.Contains(fmt.Sprint(err), dir) {
				t.Errorf("got %v, want %v with the directory's name", err, tt.want)
			}
		})
	}
}

func TestWipe(t *testing.T) {
	dir := t.TempDir()
	e := open(t, Options{Dir: dir})
	files, err := e.FilesDir()
	if err != nil {
		t.Fatal(err)
	}
	body := filepath.Join(files, "body")
	if err := os.WriteFile(body, []byte("large"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := e.Set([]byte("k"), []byte("v")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: dir, Wipe: true}); !errors.Is(err, ErrLocked) {
		t.Errorf("while it is in use: %v", err)
	}
	closeEngine(t, e)
	for _, wiped := range []bool{false, true} {
		e := open(t, Options{Dir: dir, Wipe: wiped})
		if _, found, err := e.Get([]byte("k"), nil); err != nil || found == wiped {
			t.Errorf("wiped: %v, found: %v, error: %v", wiped, found, err)
		}
		closeEngine(t, e)
	}
	if _, err := os.Stat(body); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the files are still there: %v", err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, ".bashrc"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: foreign, Wipe: true}); !errors.Is(err, ErrForeign) {
		t.Errorf("a home directory: %v", err)
	}
	if _, err := os.Stat(filepath.Join(foreign, ".bashrc")); err != nil {
		t.Error(err)
	}
}

func TestFilesDirInMemoryIsTemporary(t *testing.T) {
	e := open(t, Options{})
	dir, err := e.FilesDir()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := e.FilesDir(); again != dir {
		t.Errorf("second call gives %s, first %s", again, dir)
	}
	closeEngine(t, e)
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Close: %v, want it gone", err)
	}
}
