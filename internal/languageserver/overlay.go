package languageserver

import (
	"io/fs"
	"strings"
)

// overlay is files of which some have another text.
type overlay struct {
	fs.FS
	text func(name string) (string, bool)
}

// Open opens a file with its other text, if it has one.
func (o overlay) Open(name string) (fs.File, error) {
	file, err := o.FS.Open(name)
	text, other := o.text(name)
	if err != nil || !other {
		return file, err
	}
	return &overlaid{file, strings.NewReader(text)}, nil
}

// overlaid is an open file with another text.
type overlaid struct {
	fs.File
	text *strings.Reader
}

// Read reads from that text.
func (o *overlaid) Read(p []byte) (int, error) { return o.text.Read(p) }
