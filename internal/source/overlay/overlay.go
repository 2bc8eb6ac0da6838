// Package overlay is files of which some have another text than on the disk: with the rows of Examples written out, or
// as they are in an editor.
//
// The package never changes a file, and adds none.
package overlay

import (
	"io/fs"
	"strings"
)

// Files are the files of FS, with the text that Text returns for a file's name, if it has another.
type Files struct {
	fs.FS
	Text func(name string) (text string, other bool)
}

// Open opens a file with its other text, if it has one. A file that FS lacks cannot be opened.
func (f Files) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	text, other := f.Text(name)
	if err != nil || !other {
		return file, err
	}
	return &opened{file, strings.NewReader(text)}, nil
}

// opened is an open file with another text.
type opened struct {
	fs.File
	text *strings.Reader
}

// Read reads from that text.
func (o *opened) Read(p []byte) (int, error) { return o.text.Read(p) }
