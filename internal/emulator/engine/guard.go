package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// guardFS is between Pebble and the disk. Pebble cannot handle a disk that refuses a write: an error of its log or
// manifest ends the process, and a flush that fails is retried forever while writers wait.
//
// At the first refusal the guard freezes the disk: nothing is written, renamed or removed there any more, so it stays
// as it was when the last write was acknowledged. Pebble does not notice: new files go to memory, and additions to its
// log and manifest, which it reads only when it is opened, are discarded. So flushes end, no call waits, and reads and
// Close work. The engine checks failure before it acknowledges anything.
//
// Until arm is called, errors are passed on, so that Open fails.
type guardFS struct {
	vfs.FS
	spare *vfs.MemFS
	// noSync: a sync of the log ends once the operating system has what was written.
	noSync bool
	armed  atomic.Bool
	cause  atomic.Pointer[error]
}

func newGuardFS(disk vfs.FS, noSync bool) *guardFS {
	return &guardFS{FS: disk, spare: vfs.NewMem(), noSync: noSync}
}

func (g *guardFS) arm() { g.armed.Store(true) }

// failure returns why the disk is frozen, or nil.
func (g *guardFS) failure() error {
	if cause := g.cause.Load(); cause != nil {
		return *cause
	}
	return nil
}

// fail freezes the disk, once armed. The first cause is kept.
func (g *guardFS) fail(op string, err error) {
	if g.armed.Load() {
		cause := fmt.Errorf("%w: %s: %w", ErrFailed, op, err)
		g.cause.CompareAndSwap(nil, &cause)
	}
}

func (g *guardFS) frozen() bool { return g.cause.Load() != nil }

// write executes a change on the disk, or the same in memory when the disk is frozen or freezes now.
func (g *guardFS) write(op string, disk, memory func() error) error {
	if g.frozen() {
		return memory()
	}
	err := disk()
	if err == nil {
		return nil
	}
	if g.fail(op, err); g.frozen() {
		return memory()
	}
	return err
}

// openToWrite runs open on the disk, or on a new file in memory.
func (g *guardFS) openToWrite(op, name string, open func() (vfs.File, error)) (file vfs.File, err error) {
	err = g.write(op, func() error {
		f, err := open()
		if err == nil {
			base := g.PathBase(name)
			file = &guardFile{File: f, guard: g, reread: !appended(base), noSync: g.noSync && isLog(base)}
		}
		return err
	}, func() error {
		file, err = g.inMemory(name)
		return err
	})
	return file, err
}

func (g *guardFS) inMemory(name string) (vfs.File, error) {
	if err := g.spare.MkdirAll(g.PathDir(name), 0o755); err != nil {
		return nil, err
	}
	return g.spare.Create(name, vfs.WriteCategoryUnspecified)
}

// appended reports whether Pebble only appends to the file while it is open.
func appended(base string) bool {
	return isLog(base) || strings.HasPrefix(base, "MANIFEST-")
}

// isLog reports whether the file is a write-ahead log.
func isLog(base string) bool { return strings.HasSuffix(base, ".log") }

// isSpare reports whether a file is one of those in memory.
func (g *guardFS) isSpare(name string) bool {
	if !g.frozen() {
		return false
	}
	_, err := g.spare.Stat(name)
	return err == nil
}

func (g *guardFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return g.openToWrite("create a file", name, func() (vfs.File, error) { return g.FS.Create(name, category) })
}

func (g *guardFS) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return g.openToWrite("open a file for writing", name, func() (vfs.File, error) {
		return g.FS.OpenReadWrite(name, category, opts...)
	})
}

func (g *guardFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return g.openToWrite("reuse a file", newname, func() (vfs.File, error) {
		return g.FS.ReuseForWrite(oldname, newname, category)
	})
}

func (g *guardFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if g.isSpare(name) {
		return g.spare.Open(name, opts...)
	}
	return g.FS.Open(name, opts...)
}

func (g *guardFS) OpenDir(name string) (vfs.File, error) {
	f, err := g.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &guardFile{File: f, guard: g}, nil
}

func (g *guardFS) Stat(name string) (vfs.FileInfo, error) {
	if g.isSpare(name) {
		return g.spare.Stat(name)
	}
	return g.FS.Stat(name)
}

func (g *guardFS) List(dir string) ([]string, error) {
	names, err := g.FS.List(dir)
	if err != nil || !g.frozen() {
		return names, err
	}
	more, err := g.spare.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return append(names, more...), err
}

func (g *guardFS) Remove(name string) error {
	return g.write("remove a file", func() error {
		err := g.FS.Remove(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}, func() error { return g.removeSpare(name) })
}

func (g *guardFS) removeSpare(name string) error {
	if g.isSpare(name) {
		return g.spare.Remove(name)
	}
	return nil // the disk keeps it: the next start may need it
}

func (g *guardFS) RemoveAll(name string) error {
	return g.write("remove a directory", func() error { return g.FS.RemoveAll(name) },
		func() error { return g.removeSpare(name) })
}

func (g *guardFS) Rename(oldname, newname string) error {
	return g.write("rename a file", func() error { return g.FS.Rename(oldname, newname) },
		func() error { return g.spare.Rename(oldname, newname) })
}

func (g *guardFS) Link(oldname, newname string) error {
	return g.write("link a file", func() error { return g.FS.Link(oldname, newname) }, g.failure)
}

func (g *guardFS) MkdirAll(dir string, perm os.FileMode) error {
	return g.write("make a directory", func() error { return g.FS.MkdirAll(dir, perm) },
		func() error { return g.spare.MkdirAll(dir, perm) })
}

func (g *guardFS) Unwrap() vfs.FS { return g.FS }

// guardFile is a file on the disk that was opened for writing, or a directory.
type guardFile struct {
	vfs.File
	guard *guardFS
	// reread: the file will be read back, so it must contain everything that was reported as written: an error is
	// passed on, and Pebble recreates the file, in memory.
	reread bool
	noSync bool
}

func (f *guardFile) write(op string, disk func() error) error {
	return f.guard.write(op, disk, func() error {
		if f.reread {
			return f.guard.failure()
		}
		return nil
	})
}

func (f *guardFile) Write(p []byte) (n int, err error) {
	return f.put(p, func() (int, error) { return f.File.Write(p) })
}

func (f *guardFile) WriteAt(p []byte, off int64) (n int, err error) {
	return f.put(p, func() (int, error) { return f.File.WriteAt(p, off) })
}

func (f *guardFile) put(p []byte, disk func() (int, error)) (n int, err error) {
	err = f.write("write", func() error {
		n, err = disk()
		return err
	})
	if err == nil {
		n = len(p) // even if it was discarded
	}
	return n, err
}

func (f *guardFile) Preallocate(offset, length int64) error {
	return f.write("reserve space", func() error { return f.File.Preallocate(offset, length) })
}

func (f *guardFile) Sync() error { return f.sync(f.File.Sync) }

func (f *guardFile) SyncData() error { return f.sync(f.File.SyncData) }

func (f *guardFile) sync(disk func() error) error {
	if f.noSync {
		return nil
	}
	return f.write("sync", disk)
}

func (f *guardFile) SyncTo(length int64) (full bool, err error) {
	full = true
	if f.noSync {
		return full, nil
	}
	err = f.write("sync", func() error {
		full, err = f.File.SyncTo(length)
		return err
	})
	return full, err
}

func (f *guardFile) Close() error {
	err := f.File.Close()
	if err != nil {
		// A close that fails may have lost what was written before it.
		return f.write("close", func() error { return err })
	}
	return nil
}
