// Package changes waits until files change that a user works on: in directories and everything below them, or single
// files.
//
// It ignores what no one edits by hand: the directories of version control and of installed packages, what git
// ignores, and files that come and go at once, as those of editors do. It never reads what it reports, except to
// recognize a file that is written again with what it already contains.
//
// Open [Watcher.Next] first.
package changes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long nothing must have changed before changes are reported: an editor that saves several files, or a
// build that writes some, is one change.
const quiet = 150 * time.Millisecond

// uninteresting are the names of directories without anything that a user edits.
func uninteresting() []string {
	return []string{".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"}
}

// Watcher notes changes from its making until Close.
type Watcher struct {
	notify *fsnotify.Watcher
	roots  []root
	aside  []string            // absolute paths of what is not watched
	seen   map[string][32]byte // the content of files that were reported, by path

	mu       sync.Mutex
	pending  map[string]bool // what has changed; true: it was not there before
	overflow bool            // more has changed than could be noted
	failed   error
	woken    chan struct{}
}

// root is a path that is watched.
type root struct {
	path string
	file bool // alone, not everything next to it
	all  bool // also what git ignores: the path itself is ignored, and was named all the same
}

// Watch begins to watch paths, each a directory with everything below it or a file, except for what is at or below the
// paths in aside. The error names the path that cannot be watched.
func Watch(paths, aside []string) (*Watcher, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	w := &Watcher{notify: notify, seen: map[string][32]byte{}, pending: map[string]bool{},
		woken: make(chan struct{}, 1)}
	for _, path := range aside {
		w.aside = append(w.aside, absolute(path))
	}
	for _, path := range paths {
		if err := w.watch(filepath.Clean(path)); err != nil {
			return nil, errors.Join(err, notify.Close())
		}
	}
	go w.collect()
	return w, nil
}

// Close ends the watch.
func (w *Watcher) Close() error { return w.notify.Close() }

func (w *Watcher) watch(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	w.roots = append(w.roots, root{path, !info.IsDir(), len(ignored(filepath.Dir(path), []string{path})) > 0})
	if !info.IsDir() { // an editor may replace it, so its directory is asked
		return w.add(filepath.Dir(path))
	}
	return w.addTree(path)
}

func (w *Watcher) add(directory string) error {
	if err := w.notify.Add(directory); err != nil {
		return fmt.Errorf("watch %s: %w", directory, err)
	}
	return nil
}

// addTree watches a directory and all below it, level by level.
func (w *Watcher) addTree(top string) error {
	for level := []string{top}; len(level) > 0; {
		var below []string
		for _, directory := range level {
			if err := w.add(directory); err != nil {
				return err
			}
			entries, err := os.ReadDir(directory)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			for _, entry := range entries {
				if path := filepath.Join(directory, entry.Name()); entry.IsDir() && !w.isAside(path) {
					below = append(below, path)
				}
			}
		}
		level = w.unignored(below)
	}
	return nil
}

// isAside reports whether a path is not watched whatever git says of it.
func (w *Watcher) isAside(path string) bool {
	name := filepath.Base(path)
	if slices.Contains(uninteresting(), name) || strings.HasPrefix(name, ".storespec-") {
		return true
	}
	whole := absolute(path)
	return slices.ContainsFunc(w.aside, func(aside string) bool { return within(aside, whole) })
}

// rootOf returns the innermost root that a path belongs to; ok is false if no root holds it, as for a file next to one
// that is watched alone.
func (w *Watcher) rootOf(path string) (of root, ok bool) {
	for _, one := range w.roots {
		belongs := path == one.path || !one.file && within(absolute(one.path), absolute(path))
		if belongs && len(one.path) >= len(of.path) {
			of, ok = one, true
		}
	}
	return of, ok
}

// unignored returns the paths that git does not ignore, and those below a root that it ignores.
func (w *Watcher) unignored(paths []string) []string {
	asked := map[string][]string{}
	for _, path := range paths {
		if of, ok := w.rootOf(path); ok && !of.all {
			asked[of.directory()] = append(asked[of.directory()], path)
		}
	}
	var hidden []string
	for directory, paths := range asked {
		hidden = append(hidden, ignored(directory, paths)...)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(hidden, path) })
}

func (r root) directory() string {
	if r.file {
		return filepath.Dir(r.path)
	}
	return r.path
}

// collect notes events until the watcher is closed.
func (w *Watcher) collect() {
	for {
		select {
		case event, ok := <-w.notify.Events:
			if !ok {
				return
			}
			w.note(event)
		case err, ok := <-w.notify.Errors:
			if !ok {
				return
			}
			w.mu.Lock()
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				w.overflow = true
			} else {
				w.failed = errors.Join(w.failed, err)
			}
			w.mu.Unlock()
			w.wake()
		}
	}
}

func (w *Watcher) wake() {
	select {
	case w.woken <- struct{}{}:
	default: // it will wake up anyway
	}
}

// note takes an event into account. Of a new directory, what is in it by now is new too.
func (w *Watcher) note(event fsnotify.Event) {
	path := filepath.Clean(event.Name)
	if _, ours := w.rootOf(path); !ours || event.Op == fsnotify.Chmod || w.isAside(path) {
		return
	}
	paths := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if !event.Has(fsnotify.Create) || len(w.unignored([]string{path})) == 0 {
			return
		}
		paths = w.filesBelow(path)
		if err := w.addTree(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.mu.Lock()
			w.failed = errors.Join(w.failed, err)
			w.mu.Unlock()
		}
	}
	w.mu.Lock()
	for _, path := range paths {
		if _, known := w.pending[path]; !known {
			w.pending[path] = event.Has(fsnotify.Create)
		}
	}
	w.mu.Unlock()
	w.wake()
}

// filesBelow returns the files of a directory and of all below it that are not set aside, as far as they can be read.
func (w *Watcher) filesBelow(top string) (files []string) {
	_ = filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // it may be gone
			return nil //nolint:nilerr // as far as they can be read
		case !w.isAside(path) && !entry.IsDir():
			files = append(files, path)
		case w.isAside(path) && entry.IsDir():
			return filepath.SkipDir
		}
		return nil
	})
	return files
}

// Pending reports whether something has changed since Next last returned, such as what a server writes while it runs.
func (w *Watcher) Pending() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending) > 0 || w.overflow
}

// Next returns the paths that have changed since it last returned, once some have and no more do, in alphabetical
// order; the first path that is watched stands for more changes than could be noted. What changed before the call is
// left out if it was reported before with the same content: it is what a build writes again each time. Files that are
// neither regular nor links are left out. The error is that of ctx, or says why changes cannot be noticed any more.
func (w *Watcher) Next(ctx context.Context) ([]string, error) {
	w.mu.Lock()
	before := make(map[string]bool, len(w.pending))
	for path := range w.pending {
		before[path] = true
	}
	waiting := len(before) == 0 && !w.overflow
	w.mu.Unlock()
	for {
		timeout := (<-chan time.Time)(nil)
		if !waiting {
			timeout = time.After(quiet)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-w.woken:
			waiting = false
		case <-timeout:
			paths, err := w.take(before)
			if len(paths) > 0 || err != nil {
				return paths, err
			}
			waiting, before = true, nil
		}
	}
}

// take returns what has changed.
func (w *Watcher) take(before map[string]bool) (paths []string, err error) {
	w.mu.Lock()
	pending, overflow, failed := w.pending, w.overflow, w.failed
	w.pending, w.overflow, w.failed = map[string]bool{}, false, nil
	w.mu.Unlock()
	for path, isNew := range pending {
		sum, err := digest(path)
		gone := isNew && errors.Is(err, fs.ErrNotExist) // it came and went
		if gone || errors.Is(err, errSpecial) {
			continue
		}
		last, reported := w.seen[path]
		w.seen[path] = sum
		if !reported || last != sum || !before[path] {
			paths = append(paths, path)
		}
	}
	paths = w.unignored(paths)
	if first := w.roots[0].path; overflow && !slices.Contains(paths, first) {
		paths = append(paths, first)
	}
	slices.Sort(paths)
	return paths, failed
}
