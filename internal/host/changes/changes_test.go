package changes

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

// write writes files below the working directory, with the directories that they need.
func write(t *testing.T, content string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func watched(t *testing.T, paths, aside []string) *Watcher {
	t.Helper()
	w, err := Watch(paths, aside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// expect waits for the next changes. They may come in parts, on a slow machine.
func expect(t *testing.T, w *Watcher, want ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var got []string
	for len(got) < len(want) {
		more, err := w.Next(ctx)
		if err != nil {
			t.Fatalf("%v, after %v", err, got)
		}
		got = append(got, more...)
		slices.Sort(got)
		got = slices.Compact(got)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("changes (-want +got):\n%s", diff)
	}
}

func TestNext(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "1", "server.js", "features/notes/a.feature", "node_modules/x/index.js", "out/run.json", "alone.txt")
	w := watched(t, []string{"."}, []string{"out"})
	write(t, "2", "node_modules/x/index.js", "out/run.json", ".storespec-temporary", "server.js")
	expect(t, w, "server.js")
	write(t, "2", "features/notes/a.feature", "features/notes/b.feature")
	expect(t, w, "features/notes/a.feature", "features/notes/b.feature")
	write(t, "2", "new/deep/c.feature") // in directories that were not there
	expect(t, w, "new/deep/c.feature")
	write(t, "3", "new/deep/c.feature") // which are watched from then on
	expect(t, w, "new/deep/c.feature")
	write(t, "3", ".next")
	if err := os.Rename(".next", "server.js"); err != nil { // as editors save
		t.Fatal(err)
	}
	expect(t, w, "server.js")
	if err := os.Remove("alone.txt"); err != nil {
		t.Fatal(err)
	}
	expect(t, w, "alone.txt")
}

func TestOneFile(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "1", "bin/server", "bin/other")
	w := watched(t, []string{"bin/server"}, nil)
	write(t, "2", "bin/other", "bin/server")
	expect(t, w, "bin/server")
}

// A file that a build writes again with the same content is not a change; one that a user saves is.
func TestTheSameContent(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "1", "server.js")
	w := watched(t, []string{"."}, nil)
	arrived := func(path string) {
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			w.mu.Lock()
			_, here := w.pending[path]
			w.mu.Unlock()
			if here {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s did not change", path)
			}
		}
	}
	write(t, "built", "server.bin")
	expect(t, w, "server.bin")
	write(t, "built", "server.bin") // while a run goes on
	arrived("server.bin")
	write(t, "2", "server.js")
	arrived("server.js")
	expect(t, w, "server.js")
	done := make(chan []string)
	go func() {
		paths, _ := w.Next(t.Context())
		done <- paths
	}()
	for again := true; again; { // while it is awaited: how soon Next waits is not known, so it is saved until then
		write(t, "2", "server.js")
		select {
		case paths := <-done:
			if again = false; !slices.Equal(paths, []string{"server.js"}) {
				t.Errorf("changes %v", paths)
			}
		case <-time.After(2 * quiet):
		}
	}
}

// Of a directory that comes with all that is in it, what is set aside is not reported.
func TestADirectoryThatComesWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "1", "work/a.js", "other/node_modules/x/index.js", "other/out/run.json", "other/.storespec-temporary",
		"other/deep/b.js")
	w := watched(t, []string{"work"}, []string{"work/other/out"})
	if err := os.Rename("other", "work/other"); err != nil {
		t.Fatal(err)
	}
	expect(t, w, "work/other/deep/b.js")
}

// More changes than could be noted are a change each time, though the directory that stands for them has no content.
func TestOverflow(t *testing.T) {
	t.Chdir(t.TempDir())
	w := watched(t, []string{"."}, nil)
	for range 2 {
		w.notify.Errors <- fsnotify.ErrEventOverflow // returns once it has been received
		for deadline := time.Now().Add(time.Minute); !w.Pending(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("nothing is pending")
			}
		}
		expect(t, w, ".") // what changed before the call
		if w.Pending() {
			t.Error("it is still pending")
		}
	}
}

func TestWhatGitIgnores(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("git is not in PATH")
		}
		t.Skip("git is not in PATH")
	}
	t.Chdir(t.TempDir())
	if out, err := exec.Command("git", "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	write(t, "dist/\n*.log\n", ".gitignore")
	write(t, "1", "dist/server.js", "server.js", "a.log")
	for _, test := range []struct {
		root string
		want string
	}{{".", "server.js"}, {"dist", "dist/server.js"}} {
		w := watched(t, []string{test.root}, nil)
		write(t, test.root, "dist/server.js", "a.log", "server.js")
		expect(t, w, test.want)
	}
}

func TestWhatCannotBeWatched(t *testing.T) {
	if _, err := Watch([]string{filepath.Join(t.TempDir(), "nowhere")}, nil); err == nil {
		t.Error("no error")
	}
	w := watched(t, []string{t.TempDir()}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Next(ctx); err != ctx.Err() { //nolint:errorlint // it is that error
		t.Errorf("error %v", err)
	}
}
