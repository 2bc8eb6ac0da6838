package source

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestOverlay(t *testing.T) {
	below := fstest.MapFS{"a/one": {Data: []byte("on the disk")}, "a/two": {Data: []byte("on the disk")}}
	files := Overlay{below, func(name string) (string, bool) {
		return "in the editor", name == "a/one" || name == "a/three"
	}}
	for name, want := range map[string]string{"a/one": "in the editor", "a/two": "on the disk"} {
		if text, err := fs.ReadFile(files, name); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, err := fs.ReadFile(files, "a/three"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
	if found, err := fs.Glob(files, "a/*"); err != nil || len(found) != 2 {
		t.Errorf("the files are %v, %v", found, err)
	}
}
