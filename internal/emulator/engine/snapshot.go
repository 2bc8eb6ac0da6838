package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

var errDiscarded = errors.New("the snapshot was discarded, or its account dropped")

// Snapshot is the data of an account as it was at one moment. It is kept in memory, except for the files of large
// bodies, which are linked, not copied.
type Snapshot struct {
	account *Account
	drops   uint64 // of the account when it was taken

	mu   sync.Mutex // held while it is restored or discarded
	rows []row      // without the prefix of their epoch
	dir  string     // of linked files; empty: there are none
	gone bool
}

type row struct{ key, value []byte }

// Snapshot captures the data of the current epoch, about 0.5 ms per 1,000 rows, and does not change it. Nothing may
// write to the account meanwhile. The catalogue is not part of it. The errors are those of reads and of the file
// system. Discard it when it is no longer needed; a process that dies before leaves the links to its files in FilesDir.
func (a *Account) Snapshot() (*Snapshot, error) {
	s := &Snapshot{account: a, drops: a.Drops()}
	space := a.Data()
	err := s.take(space)
	if err == nil {
		err = s.linkFiles(space)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("snapshot of account %s: %w", a.name, err), s.Discard())
	}
	return s, nil
}

// take copies the rows of a space.
func (s *Snapshot) take(space Space) error {
	lower, upper := space.Range()
	return s.account.engine.Each(lower, upper, nil, func(key, value []byte) (bool, error) {
		key, _ = space.Trim(key)
		both := append(append(make([]byte, 0, len(key)+len(value)), key...), value...)
		s.rows = append(s.rows, row{key: both[:len(key):len(key)], value: both[len(key):]})
		return true, nil
	})
}

// linkFiles keeps the files of a space. They never change once they have their name.
func (s *Snapshot) linkFiles(space Space) error {
	root, made := s.account.engine.files.made()
	if !made {
		return nil
	}
	from := filepath.Join(root, space.Name())
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	dir, err := os.MkdirTemp(root, "snapshot-*")
	if err != nil {
		return err
	}
	s.dir = dir
	return linkAll(from, dir)
}

// linkAll links every file of a directory into another one of the same file system.
func linkAll(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		err := os.Link(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a file that no row named disappears with its last reader
			return err
		}
	}
	return nil
}

// Restore starts a new epoch of the account that has the data of the snapshot, byte for byte, about as fast as it was
// captured. As after Reset, a request in flight belongs to the epoch in which it began, and tables and containers
// created since remain, empty; one that was deleted since is not brought back. It may be called many times. The errors
// are those of Engine.Set and of the file system, and then nothing has changed.
func (s *Snapshot) Restore() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// After Drop the names of tables and containers may have been reused.
	if s.gone || s.drops != s.account.Drops() {
		return fmt.Errorf("restore account %s: %w", s.account.name, errDiscarded)
	}
	return s.account.renew(s.putBack)
}

// putBack puts the rows into a batch and the files in their place.
func (s *Snapshot) putBack(b *Batch, space Space) error {
	var key []byte
	for _, r := range s.rows {
		key = append(space.Key(key[:0]), r.key...)
		if err := b.Set(key, r.value); err != nil {
			return err
		}
	}
	if s.dir == "" {
		return nil
	}
	to := filepath.Join(filepath.Dir(s.dir), space.Name())
	if err := os.RemoveAll(to); err != nil { // left by a failed restore
		return err
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	return linkAll(s.dir, to)
}

// Discard frees the snapshot. It is safe to call twice; Restore fails afterwards.
func (s *Snapshot) Discard() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone, s.rows = true, nil
	if s.dir == "" {
		return nil
	}
	if err := os.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("discard the snapshot of account %s: %w", s.account.name, err)
	}
	s.dir = ""
	return nil
}
