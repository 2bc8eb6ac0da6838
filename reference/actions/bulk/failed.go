package bulk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// failedFile receives the lines that are not in the server, unchanged. It is created with its first line.
type failedFile struct {
	path   string
	file   *os.File
	length int64
	dirty  bool // written data may not be on disk yet
}

// openFailed creates a failed file, or continues it at the length an earlier load recorded. What that load wrote after
// that is dropped: the lines are sent again.
func openFailed(path string, length int64) (*failedFile, error) {
	if length == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("replace the failed records of an earlier load: %w", err)
		}
		return &failedFile{path: path}, nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("go on with the failed records: %w", err)
	}
	if err := file.Truncate(length); err != nil {
		return nil, errors.Join(fmt.Errorf("go on with the failed records: %w", err), file.Close())
	}
	return &failedFile{path: path, file: file, length: length}, nil
}

// hasFailed reports whether the failed file is at least as long as an earlier load recorded.
func hasFailed(path string, length int64) bool {
	info, err := os.Stat(path)
	return length == 0 || err == nil && info.Size() >= length
}

func (f *failedFile) add(text []byte) error {
	if f.file == nil {
		file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return fmt.Errorf("keep a failed record: %w", err)
		}
		f.file = file
	}
	n, err := f.file.WriteAt(append(text[:len(text):len(text)], '\n'), f.length)
	if err != nil {
		return fmt.Errorf("keep a failed record: %w", err)
	}
	f.length += int64(n)
	f.dirty = true
	return nil
}

// sync flushes to disk what a state is about to rely on.
func (f *failedFile) sync() error {
	if !f.dirty {
		return nil
	}
	if err := f.file.Sync(); err != nil {
		return fmt.Errorf("keep failed records: %w", err)
	}
	f.dirty = false
	return nil
}

func (f *failedFile) close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
