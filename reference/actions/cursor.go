package actions

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

// cursor is where a list goes on: the store's own continuation, bound to the table and the owner that it was made for.
// It holds nothing of this process, so that it survives a restart.
type cursor struct {
	table     string
	partition string // of the owner whose records are listed; "" of a list of all
	position
}

// cursorVersion begins every cursor, so that another form can be told from this one.
const cursorVersion = "1"

// checksumSize is enough for a change not to go unnoticed. A cursor is no secret: it leads to nothing that a list without
// one does not show.
const checksumSize = 8

var errCursor = errors.New("cursor is none that this list gave")

// unpadded refuses bits that say nothing, so that every cursor has one spelling.
func unpadded() *base64.Encoding { return base64.RawURLEncoding.Strict() }

// String is the cursor as clients see it: letters, digits, - and _.
func (c cursor) String() string {
	place := []byte(c.NextPartition + "\n" + c.NextRow) // header values, which hold no line breaks
	return unpadded().EncodeToString(append(c.checksum(place), place...))
}

// read sets the cursor to what a client sent. The error is for the client, and says nothing of what was sent.
func (c *cursor) read(text string) error {
	data, err := unpadded().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") || len(data) < checksumSize { // the decoder passes over line breaks
		return errCursor
	}
	sum, place := data[:checksumSize], data[checksumSize:]
	if !bytes.Equal(sum, c.checksum(place)) {
		return errCursor
	}
	c.NextPartition, c.NextRow, _ = strings.Cut(string(place), "\n")
	return nil
}

func (c *cursor) checksum(place []byte) []byte {
	sum := sha256.Sum256([]byte(strings.Join([]string{cursorVersion, c.table, c.partition, string(place)}, "\n"))) // none of them holds a line break but the last
	return sum[:checksumSize]
}
