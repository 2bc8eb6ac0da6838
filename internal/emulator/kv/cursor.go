package kv

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// cursors signs the key after which a list goes on, so that one that was not issued is recognized. The key lives as
// long as the process.
type cursors struct{ secret []byte }

func newCursors() cursors { return cursors{[]byte(rand.Text())} }

// issue returns the cursor of a list with this prefix that goes on after a key.
func (c cursors) issue(prefix, after string) string {
	return base64.RawURLEncoding.EncodeToString(append(c.sum(prefix, after), after...))
}

// read returns the key of a cursor; "" for no cursor. The problem says that it was not issued for this prefix.
func (c cursors) read(prefix, cursor string) (after string, _ *problem) {
	if cursor == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < sha256.Size ||
		!hmac.Equal(raw[:sha256.Size], c.sum(prefix, string(raw[sha256.Size:]))) {
		return "", refused(codeCursor, "Invalid cursor. It was not issued by this list.")
	}
	return string(raw[sha256.Size:]), nil
}

func (c cursors) sum(prefix, after string) []byte {
	h := hmac.New(sha256.New, c.secret)
	_, _ = h.Write([]byte(prefix + "\x00" + after)) // never fails
	return h.Sum(nil)
}
