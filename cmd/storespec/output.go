package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// output is a file that appears under its name whole, or not at all.
type output struct {
	path string
	file *os.File // beside it
}

// create makes sure that a file can be written before there is anything to write. A directory that is missing is made.
// The caller must call write or abandon.
func create(path string) (*output, error) {
	directory, name := filepath.Split(path)
	if err := os.MkdirAll(filepath.Clean(directory), 0o755); err != nil {
		return nil, cannotWrite(path, err)
	}
	file, err := os.OpenFile(filepath.Join(directory, fmt.Sprintf(".%s.%d", name, os.Getpid())), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, cannotWrite(path, err)
	}
	return &output{path, file}, nil
}

func cannotWrite(path string, err error) error {
	return &usageError{fmt.Sprintf("%s cannot be written: %v", path, err), ""}
}

// write fills the file and gives it its name.
func (o *output) write(fill func(io.Writer) error) error {
	err := fill(o.file)
	if err = errors.Join(err, o.file.Close()); err == nil {
		err = os.Rename(o.file.Name(), o.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", o.path, err), os.Remove(o.file.Name()))
	}
	return nil
}

// abandon leaves nothing behind. It does nothing after write.
func (o *output) abandon() {
	if o.file.Close() == nil {
		_ = os.Remove(o.file.Name()) // an empty file of ours
	}
}
