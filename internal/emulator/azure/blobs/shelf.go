package blobs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// shelf is the data of one account in one epoch: its rows, and the directory of its large chunks.
type shelf struct {
	engine  *engine.Engine
	account *engine.Account
	space   engine.Space
	sync    bool // files reach the disk before the rows that name them

	// staged reports that some blob may have uncommitted blocks, so that most writes need not check.
	staged atomic.Bool

	// containers has the ids of containers by name: every request needs one.
	remembered sync.RWMutex
	containers map[string]string
	deleted    map[string]ticks // when containers were deleted, for as long as Azure takes

	// writing is held for reading while a blob is written, and for writing while a container is marked as dead, so that
	// nothing is written into what is being buried. A lock of the account is taken before it, never while it is held.
	writing sync.RWMutex
	burying sync.Mutex // held while the rows of deleted containers are removed

	// gone reports that something may be soft-deleted, so that most requests need not look.
	gone    atomic.Bool
	expiry  atomic.Int64 // ticks: when to purge what has expired of it
	purging sync.Mutex   // held while that is done

	mu     sync.Mutex          // held while counts of shared chunks change and while readers pin
	pins   map[string]int      // files being read, with the number of readers
	doomed map[string]struct{} // files that no row names any more and that are still being read
	dir    string              // once created
}

// The rows of the data, by the first part of their keys.
const (
	blobRows   = "bb" // container id, name, snapshot or version → record
	stagedRows = "bs" // container id, name, block id → staged block
	extentRows = "bx" // body, end of the extent → extent
	chunkRows  = "bd" // chunk → its bytes, or nothing if it is a file
	countRows  = "bn" // chunk → how many extents and staged blocks name it; absent: one
	goneRows   = "bg" // container id, name, snapshot or version → deletion and record of what is soft-deleted
	deadRows   = "bt" // container id of a deleted container whose rows are still to be removed
)

// containerRows is the first part of a container's key in the catalogue.
const containerRows = "bc"

// The last part of a blob's key: a snapshot's time, a version's id with versionMark behind it, or one of the others,
// which sort after every time.
const (
	versionMark = "v" // a previous version
	stagedMark  = "}" // there are uncommitted blocks, and perhaps no blob
	baseMark    = "~" // the blob itself
)

func newShelf(e *engine.Engine, account *engine.Account, space engine.Space, sync, lasting bool) (*shelf, error) {
	s := &shelf{engine: e, account: account, space: space, sync: sync,
		containers: map[string]string{}, deleted: map[string]ticks{}, pins: map[string]int{},
		doomed: map[string]struct{}{}}
	some, err := s.has(stagedRows)
	if err != nil {
		return nil, err
	}
	s.staged.Store(some)
	if some, err = s.has(goneRows); err != nil {
		return nil, err
	}
	s.gone.Store(some)
	if !some {
		s.expiry.Store(noExpiry)
	}
	if lasting {
		if err := s.removeStrays(); err != nil {
			return nil, err
		}
	}
	return s, s.bury()
}

// has reports whether there is a row whose key begins with the parts.
func (s *shelf) has(parts ...string) (found bool, err error) {
	it, err := s.engine.Iter(s.space.Range(parts...))
	if err != nil {
		return false, err
	}
	found = it.First()
	return found, it.Close()
}

// files returns the path of the shelf's directory of files, which may not exist.
func (s *shelf) files() (string, error) {
	root, err := s.engine.FilesDir()
	return filepath.Join(root, s.space.Name()), err
}

// path returns the path of a chunk's file; it creates the directory if needed.
func (s *shelf) path(chunk string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" {
		dir, err := s.files()
		if err != nil {
			return "", err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", fmt.Errorf("make a directory for bodies: %w", err)
		}
		s.dir = dir
	}
	return filepath.Join(s.dir, chunk), nil
}

// removeStrays removes the files that no row names, left by interrupted writes.
func (s *shelf) removeStrays() error {
	dir, err := s.files()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for stray bodies: %w", err)
	}
	for _, entry := range entries {
		_, found, err := s.engine.Get(s.space.Key(nil, chunkRows, entry.Name()), nil)
		if err != nil {
			return err
		}
		if found {
			continue
		}
		if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil {
			return fmt.Errorf("remove a stray body: %w", err)
		}
	}
	return nil
}

// fileChunk marks the names of chunks that are files.
const fileChunk = "f"

func isFile(chunk string) bool { return strings.HasPrefix(chunk, fileChunk) }

// pin keeps the files of extents until unpin. The caller holds mu.
func (s *shelf) pin(extents []extent) {
	for i := range extents {
		if isFile(extents[i].chunk) {
			s.pins[extents[i].chunk]++
		}
	}
}

// unpin releases files and removes those that no row names and no one else reads.
func (s *shelf) unpin(extents []extent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range extents {
		chunk := extents[i].chunk
		if !isFile(chunk) {
			continue
		}
		if s.pins[chunk]--; s.pins[chunk] > 0 {
			continue
		}
		delete(s.pins, chunk)
		if _, dead := s.doomed[chunk]; dead {
			delete(s.doomed, chunk)
			_ = os.Remove(filepath.Join(s.dir, chunk)) // on failure a stray, removed at the next start
		}
	}
}

// remove removes a file that no row names any more, now or after its last reader. The caller holds mu.
func (s *shelf) remove(chunk string) {
	if s.pins[chunk] > 0 {
		s.doomed[chunk] = struct{}{}
		return
	}
	dir := s.dir
	if dir == "" { // a file from an earlier run, and none was read in this one
		var err error
		if dir, err = s.files(); err != nil {
			return
		}
	}
	_ = os.Remove(filepath.Join(dir, chunk)) // on failure a stray, removed at the next start
}

// containerNamed returns a container's id. It takes the container's lock when the id is not cached, so no other lock
// may be held.
func (s *shelf) containerNamed(name string) (id string, found bool, err error) {
	s.remembered.RLock()
	id, found = s.containers[name]
	s.remembered.RUnlock()
	if found {
		return id, true, nil
	}
	key := s.account.Catalogue().Key(nil, containerRows, name)
	defer s.account.Lock(key)() // no deletion may come between the row and the cache
	value, found, err := s.engine.Get(key, nil)
	if err == nil && !found && name == logsContainer {
		return logsContainer, true, nil
	}
	if err != nil || !found {
		return "", false, err
	}
	if id, err = containerID(value); err != nil {
		return "", false, err
	}
	s.remembered.Lock()
	s.containers[name] = id
	s.remembered.Unlock()
	return id, true, nil
}
