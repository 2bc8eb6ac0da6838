package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// The contents of a data directory.
const (
	formatName = "FORMAT" // one line: what the directory is, and its format
	dbName     = "db"     // Pebble's
	filesName  = "files"  // large bodies
	lockName   = "LOCK"   // within db
)

// format is raised when keys or values change their meaning, and with pebbleFormat.
const (
	format       = 1
	formatPrefix = "storespec data, format "
	pebbleFormat = pebble.FormatValueSeparation
)

// private are the permissions of the directories: the data is its owner's. One that exists already keeps its own.
const private = 0o700

// prepare creates a data directory if there is none, takes its lock, and checks its format.
func prepare(dir string, disk vfs.FS) (*pebble.Lock, error) {
	if err := disk.MkdirAll(dir, private); err != nil {
		return nil, err
	}
	if err := checkEntries(dir, disk); err != nil {
		return nil, err
	}
	db := disk.PathJoin(dir, dbName)
	if err := disk.MkdirAll(db, private); err != nil {
		return nil, err
	}
	if err := syncDir(disk.PathDir(dir), disk); err != nil {
		return nil, err // otherwise the directory itself may be lost in a power cut
	}
	lock, err := pebble.LockDirectory(db, disk)
	if err != nil {
		if lockHeld(err) {
			err = fmt.Errorf("%w: %w", ErrLocked, err)
		}
		return nil, err
	}
	if err := checkFormat(dir, disk); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// wipe deletes the contents of a data directory that is locked, whose lock stays.
func wipe(dir string, disk vfs.FS) error {
	if err := disk.RemoveAll(disk.PathJoin(dir, filesName)); err != nil {
		return err
	}
	db := disk.PathJoin(dir, dbName)
	entries, err := disk.List(db)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry == lockName {
			continue
		}
		if err := disk.RemoveAll(disk.PathJoin(db, entry)); err != nil {
			return err
		}
	}
	return syncDir(db, disk)
}

// lockHeld distinguishes a lock held by another process from a lock file that cannot be created. The latter error
// contains the file's path; the former is a bare error of the lock call, Pebble's text if this process holds it, or
// Windows' sharing violation.
func lockHeld(err error) bool {
	var path *fs.PathError
	if errors.As(err, &path) {
		return false
	}
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) ||
		strings.Contains(err.Error(), "lock held") || strings.Contains(err.Error(), "used by another process")
}

// checkEntries rejects a directory with other contents: a home directory, given by mistake.
func checkEntries(dir string, disk vfs.FS) error {
	entries, err := disk.List(dir)
	if err != nil {
		return err
	}
	ours := []string{formatName, formatName + ".new", dbName, filesName, "lost+found"}
	for _, entry := range entries {
		if !slices.Contains(ours, entry) {
			return fmt.Errorf("%w: it holds %s", ErrForeign, entry)
		}
	}
	return nil
}

// checkFormat reads the format, or writes it in a new directory.
func checkFormat(dir string, disk vfs.FS) error {
	name := disk.PathJoin(dir, formatName)
	f, err := disk.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return writeFormat(dir, disk)
	}
	if err != nil {
		return err
	}
	line, err := io.ReadAll(io.LimitReader(f, 100))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	number, ok := strings.CutPrefix(strings.TrimSpace(string(line)), formatPrefix)
	found, err := strconv.Atoi(number)
	switch {
	case !ok || err != nil:
		return fmt.Errorf("%w: its file %s is not ours", ErrForeign, formatName)
	case found > format:
		return fmt.Errorf("%w: it has format %d, this program knows up to %d", ErrNewerFormat, found, format)
	}
	return nil
}

func writeFormat(dir string, disk vfs.FS) error {
	next := disk.PathJoin(dir, formatName+".new")
	f, err := disk.Create(next, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s%d\n", formatPrefix, format)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := disk.Rename(next, disk.PathJoin(dir, formatName)); err != nil {
		return err
	}
	return syncDir(dir, disk)
}

// syncDir makes the names in a directory durable.
func syncDir(dir string, disk vfs.FS) error {
	d, err := disk.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// filesDir is the directory of large bodies. Its zero value is a temporary one, created when needed.
type filesDir struct {
	dir string // of a data directory

	mu   sync.Mutex
	path string // once created
}

func (d *filesDir) make() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path != "" {
		return d.path, nil
	}
	path, err := d.dir, error(nil)
	if path == "" {
		path, err = os.MkdirTemp("", "storespec-emulator-*")
	} else {
		err = os.MkdirAll(path, private)
	}
	if err != nil {
		return "", fmt.Errorf("make a directory for files: %w", err)
	}
	d.path = path
	return path, nil
}

// made returns the directory if it may contain files.
func (d *filesDir) made() (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path != "" {
		return d.path, true
	}
	return d.dir, d.dir != ""
}

func (d *filesDir) remove() error {
	if d.dir != "" || d.path == "" {
		return nil
	}
	return os.RemoveAll(d.path)
}
