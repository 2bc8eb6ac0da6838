package events

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// FileError is a path without a readable event stream.
type FileError struct{ Reason string }

func (e *FileError) Error() string { return e.Reason }

// ReadAll reads several event streams as one, resolving each path with Files. Shards are merged. Errors: *FileError;
// *Error and *MergeError, as from Read and Merge.
func ReadAll(paths []string) (*Stream, error) {
	var parts []Part
	for _, path := range paths {
		files, err := Files(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			stream, err := readFile(file)
			if err != nil {
				return nil, err
			}
			parts = append(parts, Part{Name: file, Stream: stream})
		}
	}
	return Merge(parts)
}

// Files returns the files that a path stands for, in order: the path itself, or all *.ndjson of a directory and its
// subdirectories, where a pipeline keeps what its machines have written. The error is a *FileError.
func Files(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, unreadable(err)
	}
	var files []string
	err := fs.WalkDir(os.DirFS(path), ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(file, ".ndjson") {
			files = append(files, filepath.Join(path, filepath.FromSlash(file)))
		}
		return err
	})
	if err == nil && len(files) == 0 {
		return nil, &FileError{fmt.Sprintf("%s holds no *.ndjson", path)}
	}
	return files, unreadable(err)
}

// unreadable returns a *FileError, or nil if err is nil.
func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &FileError{fmt.Sprintf("the event stream cannot be read: %v", err)}
}

func readFile(name string) (*Stream, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(err)
	}
	defer func() { _ = file.Close() }() // it was only read
	stream, err := Read(name, file)
	if _, ok := errors.AsType[*Error](err); ok {
		return nil, err
	}
	return stream, unreadable(err)
}
