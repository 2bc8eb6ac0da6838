package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Error is an error about a file that cannot be written.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s cannot be written: %v", e.Path, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// File is a file that appears under its name complete, or not at all.
type File struct {
	path  string
	file  *os.File // in the same directory; nil: nothing can be undone any more
	kept  bool     // it was renamed to its final name
	aside string   // where the previous file of that name was moved; "": there was none
	made  []string // directories that were created, outermost last
}

// Create makes sure that a file can be written before there is anything to write. Missing directories are created. The
// caller must call Put, or Abandon, which does nothing after Put. The error is an *Error.
func Create(path string) (*File, error) {
	if err := free(path); err != nil {
		return nil, err
	}
	directory, name := filepath.Split(path)
	if name == "" {
		return nil, &Error{path, errors.New("it is a directory")}
	}
	f := &File{path: path, made: missing(filepath.Clean(directory))}
	err := os.MkdirAll(filepath.Clean(directory), 0o755)
	if err == nil {
		f.file, err = os.OpenFile(filepath.Join(directory, ".storespec-"+rand.Text()),
			os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		err = Cause(err)
	}
	if err != nil {
		f.unmake()
		return nil, &Error{path, err}
	}
	return f, nil
}

// free refuses a name that is taken by something other than a file.
func free(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return &Error{path, errors.New("it is not a regular file")}
	}
	return nil
}

// missing returns the directory and its parents that do not exist.
func missing(directory string) (list []string) {
	for {
		if _, err := os.Stat(directory); !errors.Is(err, fs.ErrNotExist) {
			return list
		}
		list = append(list, directory)
		directory = filepath.Dir(directory)
	}
}

// Cause returns an error without the operation and the paths that os prepends.
func Cause(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	if failed, ok := errors.AsType[*os.LinkError](err); ok {
		return failed.Err
	}
	return err
}

// fill writes the whole file, which does not have its final name yet.
func (f *File) fill(fill func(io.Writer) error) error {
	if err := errors.Join(fill(f.file), f.file.Sync(), f.file.Close()); err != nil {
		return &Error{f.path, err}
	}
	return nil
}

// keep renames the file to its final name. A previous file of that name is set aside until settle or Abandon.
func (f *File) keep() error {
	if err := free(f.path); err != nil {
		return err
	}
	aside := f.file.Name() + ".old"
	switch err := os.Rename(f.path, aside); {
	case err == nil:
		f.aside = aside
	case !errors.Is(err, fs.ErrNotExist):
		return &Error{f.path, Cause(err)}
	}
	if err := os.Rename(f.file.Name(), f.path); err != nil {
		return &Error{f.path, Cause(err)}
	}
	f.kept = true
	return nil
}

// settle makes the change final.
func (f *File) settle() {
	if f.aside != "" {
		_ = os.Remove(f.aside) // our own file, which no one else knows
	}
	f.file = nil
}

// Put writes the whole file, and then renames it to its final name. The error is an *Error.
func (f *File) Put(fill func(io.Writer) error) error {
	if err := f.fill(fill); err != nil {
		return err
	}
	if err := f.keep(); err != nil {
		return err
	}
	f.settle()
	return nil
}

// Abandon restores the previous state. It does nothing after Put or on nil.
func (f *File) Abandon() {
	if f == nil || f.file == nil {
		return
	}
	_ = f.file.Close() // already closed, unless it is empty
	if f.kept {
		_ = os.Remove(f.path)
	} else {
		_ = os.Remove(f.file.Name()) // our own file, which no one else knows
	}
	if f.aside != "" {
		_ = os.Rename(f.aside, f.path)
	}
	f.unmake()
}

// unmake removes the directories that were created, unless something was put there since.
func (f *File) unmake() {
	for _, directory := range f.made {
		_ = os.Remove(directory)
	}
}
