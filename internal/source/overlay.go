package source

import (
	"io/fs"
	"strings"
)

// Overlay is the files of FS, some of them with another text than on the disk, which Text returns for a file's name:
// with the rows of Examples written out, or as they are in an editor. It never changes a file, and adds none.
type Overlay struct {
	fs.FS
	Text func(name string) (text string, other bool)
}

// Open opens a file with its other text, if it has one. A file that FS lacks cannot be opened.
func (f Overlay) Open(name string) (fs.File, error) {
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
