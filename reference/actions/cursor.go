package actions

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

// cursor is where a list continues: the store's own continuation token, bound to the table and the owner that it was
// made for. It holds no state of this process, so it survives a restart.
type cursor struct {
	table     string
	partition string // of the owner whose records are listed; "" for a list of all
	position
}

// cursorVersion is the prefix of every cursor, so that another format can be distinguished from this one.
const cursorVersion = "1"

// checksumSize is enough to detect a modified cursor. A cursor is not secret: it gives access to nothing that a list
// without one does not show.
const checksumSize = 8

var errCursor = errors.New("the cursor was not issued by this list")

// String returns the cursor as clients see it: letters, digits, - and _.
func (c cursor) String() string {
	place := []byte(c.NextPartition + "\n" + c.NextRow) // header values, which contain no line breaks
	return base64.RawURLEncoding.EncodeToString(append(c.checksum(place), place...))
}

// read sets the cursor to what a client sent: the one spelling that String gives it. The error is for the client, and
// quotes nothing of what was sent.
func (c *cursor) read(text string) error {
	data, _ := base64.RawURLEncoding.DecodeString(text) // of another text, what it begins with
	place := data[min(len(data), checksumSize):]
	c.NextPartition, c.NextRow, _ = strings.Cut(string(place), "\n")
	if c.String() != text {
		return errCursor
	}
	return nil
}

func (c cursor) checksum(place []byte) []byte {
	// none of them holds a line break but the last
	sum := sha256.Sum256([]byte(strings.Join([]string{cursorVersion, c.table, c.partition, string(place)}, "\n")))
	return sum[:checksumSize]
}
