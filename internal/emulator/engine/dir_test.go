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
		{"somebody's home", write(".bashrc", "alias"), ErrForeign},
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
