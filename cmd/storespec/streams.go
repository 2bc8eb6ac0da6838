package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/storespec/storespec/internal/events"
)

// readStreams reads event streams as one: a file, or all *.ndjson of a directory and those below it, where a pipeline keeps what
// its machines have written. Shards are merged. What is no whole run is refused with a *usageError.
func readStreams(paths []string) (*events.Stream, error) {
	var parts []events.Part
	for _, path := range paths {
		files, err := streamFiles(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			stream, err := readStream(file)
			if err != nil {
				return nil, err
			}
			parts = append(parts, events.Part{Name: file, Stream: stream})
		}
	}
	merged, err := events.Merge(parts)
	if apart, ok := errors.AsType[*events.MergeError](err); ok {
		return nil, &usageError{apart.Error(), ""}
	}
	return merged, err
}

// streamFiles is the files that a path stands for, in order.
func streamFiles(path string) ([]string, error) {
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
		return nil, &usageError{fmt.Sprintf("%s holds no *.ndjson", path), streamHint}
	}
	return files, unreadable(err)
}

const streamHint = "verify --report DIR writes one as DIR/" + streamName

// unreadable is a *usageError, or nil where there is no error.
func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{fmt.Sprintf("the event stream cannot be read: %v", err), streamHint}
}

// readStream reads one event stream. One that is none is a command that was not understood.
func readStream(name string) (*events.Stream, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(err)
	}
	defer func() { _ = file.Close() }() // it was only read
	stream, err := events.Read(name, file)
	if malformed, ok := errors.AsType[*events.Error](err); ok {
		return nil, &usageError{malformed.Error(), ""}
	}
	return stream, unreadable(err)
}
