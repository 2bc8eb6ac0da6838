package verify

import (
	"bytes"
	"io/fs"
)

// overlay is files of which some have another text.
type overlay struct {
	fs.FS
	texts map[string][]byte
}

// Open opens a file with its other text, if it has one.
func (o overlay) Open(name string) (fs.File, error) {
	file, err := o.FS.Open(name)
	text, other := o.texts[name]
	if err != nil || !other {
		return file, err
	}
	return &overlaid{file, bytes.NewReader(text)}, nil
}

// overlaid is an open file with another text.
type overlaid struct {
	fs.File
	text *bytes.Reader
}

// Read reads from that text.
func (o *overlaid) Read(p []byte) (int, error) { return o.text.Read(p) }
