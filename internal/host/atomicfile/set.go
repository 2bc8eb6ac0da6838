package atomicfile

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// Set is a set of files that appear together, or not at all. After Add the caller must call Keep and then Settle, or
// Abandon, which does nothing after Settle. The zero value is ready to use.
type Set []*File

// Add writes a file that stays invisible until Keep. The error is an *Error.
func (all *Set) Add(path string, fill func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	*all = append(*all, f)
	return f.fill(fill)
}

// Keep renames the files to their final names; Abandon can still undo it. The error is an *Error.
func (all Set) Keep() error {
	for _, f := range all {
		if err := f.keep(); err != nil {
			return err
		}
	}
	return nil
}

// Settle makes the changes final.
func (all Set) Settle() {
	for _, f := range all {
		f.settle()
	}
}

// Abandon restores the previous state.
func (all Set) Abandon() {
	for _, f := range all {
		f.Abandon()
	}
}

// pipeWithin is how long the reader of a pipe may take for what is written to it.
const pipeWithin = 10 * time.Second

// Extend appends text to another program's file, completely or not at all; it does nothing if either is empty. back
// removes the text again, except from a pipe or a device. The error is an *Error, also for a pipe without a reader.
func Extend(path string, text []byte) (back func(), err error) {
	if path == "" || len(text) == 0 {
		return func() {}, nil
	}
	_, absent := os.Stat(path)
	// Without O_NONBLOCK opening a pipe without a reader would block forever; with it, that is an error.
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return nil, &Error{path, Cause(err)}
	}
	_ = file.SetWriteDeadline(time.Now().Add(pipeWithin)) // a regular file has none
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
		return nil, &Error{path, err}
	}
	return back, nil
}
