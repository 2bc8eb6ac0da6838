package main

import (
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
	path string
	file *os.File // beside it
	made []string // directories, the outermost last
}

// create makes sure that a file can be written before there is anything to write. A directory that is missing is made.
// The caller must call keep, or abandon.
func create(path string) (*output, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, cannotWrite(path, errors.New("it is no regular file"))
	}
	directory, name := filepath.Split(path)
	o := &output{path: path, made: missing(filepath.Clean(directory))}
	err := os.MkdirAll(filepath.Clean(directory), 0o755)
	if err == nil {
		o.file, err = os.OpenFile(filepath.Join(directory, fmt.Sprintf(".%s.%d", name, os.Getpid())), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	}
	if err != nil {
		o.unmake()
		return nil, cannotWrite(path, err)
	}
	return o, nil
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
	return &usageError{fmt.Sprintf("%s cannot be written: %v", path, err), ""}
}

// fill writes all of the file. It has no name yet.
func (o *output) fill(fill func(io.Writer) error) error {
	if err := errors.Join(fill(o.file), o.file.Close()); err != nil {
		return cannotWrite(o.path, err)
	}
	return nil
}

// keep gives the file its name.
func (o *output) keep() error {
	if err := os.Rename(o.file.Name(), o.path); err != nil {
		return cannotWrite(o.path, err)
	}
	o.file = nil
	return nil
}

// abandon leaves nothing behind. It does nothing after keep.
func (o *output) abandon() {
	if o.file == nil {
		return
	}
	_ = o.file.Close()           // it was closed, unless it is empty
	_ = os.Remove(o.file.Name()) // a file of ours that nobody knows
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

func (all outputs) abandon() {
	for _, o := range all {
		o.abandon()
	}
}

// extend adds text to the end of somebody else's file, whole or not at all.
func extend(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return cannotWrite(path, err)
	}
	before, err := file.Stat()
	if err == nil {
		if _, err = file.Write(text); err != nil {
			_ = file.Truncate(before.Size()) // a device has no size
		}
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return cannotWrite(path, err)
	}
	return nil
}
