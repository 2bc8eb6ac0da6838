package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// output is a file that appears under its name whole, or not at all.
type output struct {
	path  string
	file  *os.File // beside it; nil: nothing can be taken back any more
	kept  bool     // it has its name
	aside string   // where the file is that had the name before; "": none had
	made  []string // directories, the outermost last
}

// create makes sure that a file can be written before there is anything to write. A directory that is missing is made.
// The caller must call put, or keep and settle, or abandon.
func create(path string) (*output, error) {
	if err := free(path); err != nil {
		return nil, err
	}
	directory, name := filepath.Split(path)
	if name == "" {
		return nil, cannotWrite(path, errors.New("it is a directory"))
	}
	o := &output{path: path, made: missing(filepath.Clean(directory))}
	err := os.MkdirAll(filepath.Clean(directory), 0o755)
	if err == nil {
		o.file, err = os.OpenFile(filepath.Join(directory, ".storespec-"+rand.Text()), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		err = cause(err)
	}
	if err != nil {
		o.unmake()
		return nil, cannotWrite(path, err)
	}
	return o, nil
}

// free refuses a name that something else than a file has.
func free(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return cannotWrite(path, errors.New("it is no regular file"))
	}
	return nil
}

// missing is a directory and those above it that are not there.
func missing(directory string) (list []string) {
	for {
		if _, err := os.Stat(directory); !errors.Is(err, fs.ErrNotExist) {
			return list
		}
		list = append(list, directory)
		directory = filepath.Dir(directory)
	}
}

func cannotWrite(path string, err error) error {
	if gone(err) {
		return err
	}
	return &usageError{fmt.Sprintf("%s cannot be written: %v", path, err), ""}
}

// fill writes all of the file. It has no name yet.
func (o *output) fill(fill func(io.Writer) error) error {
	if err := errors.Join(fill(o.file), o.file.Sync(), o.file.Close()); err != nil {
		return cannotWrite(o.path, err)
	}
	return nil
}

// keep gives the file its name. What had it waits for settle, or abandon.
func (o *output) keep() error {
	if err := free(o.path); err != nil {
		return err
	}
	aside := o.file.Name() + ".old"
	switch err := os.Rename(o.path, aside); {
	case err == nil:
		o.aside = aside
	case !errors.Is(err, fs.ErrNotExist):
		return cannotWrite(o.path, cause(err))
	}
	if err := os.Rename(o.file.Name(), o.path); err != nil {
		return cannotWrite(o.path, cause(err))
	}
	o.kept = true
	return nil
}

// settle ends what can be taken back.
func (o *output) settle() {
	if o.aside != "" {
		_ = os.Remove(o.aside) // a file of ours that nobody knows
	}
	o.file = nil
}

// put is fill, keep and settle: of a file that appears alone.
func (o *output) put(fill func(io.Writer) error) error {
	if err := o.fill(fill); err != nil {
		return err
	}
	if err := o.keep(); err != nil {
		return err
	}
	o.settle()
	return nil
}

// abandon leaves everything as it was. It does nothing after settle, nor for nil.
func (o *output) abandon() {
	if o == nil || o.file == nil {
		return
	}
	_ = o.file.Close() // it was closed, unless it is empty
	if o.kept {
		_ = os.Remove(o.path)
	} else {
		_ = os.Remove(o.file.Name()) // a file of ours that nobody knows
	}
	if o.aside != "" {
		_ = os.Rename(o.aside, o.path)
	}
	o.unmake()
}

// unmake removes the directories that were made, unless somebody has put something there since.
func (o *output) unmake() {
	for _, directory := range o.made {
		_ = os.Remove(directory)
	}
}

// outputs are files that appear together, or not at all.
type outputs []*output

// add makes a file of which nobody knows before keep.
func (all *outputs) add(path string, fill func(io.Writer) error) error {
	if slices.ContainsFunc(*all, func(o *output) bool { return filepath.Clean(o.path) == filepath.Clean(path) }) {
		return &usageError{path + " is named twice", ""}
	}
	o, err := create(path)
	if err != nil {
		return err
	}
	*all = append(*all, o)
	return o.fill(fill)
}

func (all outputs) keep() error {
	for _, o := range all {
		if err := o.keep(); err != nil {
			return err
		}
	}
	return nil
}

func (all outputs) settle() {
	for _, o := range all {
		o.settle()
	}
}

func (all outputs) abandon() {
	for _, o := range all {
		o.abandon()
	}
}

// extend adds text to the end of somebody else's file, whole or not at all; nothing when either is empty. back takes it away
// again.
func extend(path string, text []byte) (back func(), err error) {
	if path == "" || len(text) == 0 {
		return func() {}, nil
	}
	_, absent := os.Stat(path)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, cannotWrite(path, err)
	}
	before, err := file.Stat()
	if err == nil {
		_, err = file.Write(text)
	}
	back = func() {
		if absent != nil {
			_ = os.Remove(path)
		} else {
			_ = os.Truncate(path, before.Size()) // a device has no size
		}
	}
	if err = errors.Join(err, file.Close()); err != nil {
		if before != nil {
			back()
		}
		return nil, cannotWrite(path, err)
	}
	return back, nil
}
