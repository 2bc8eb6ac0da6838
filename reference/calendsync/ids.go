package calendsync

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/storespec/storespec/reference/web"
)

// id returns an id that the path names. Errors: 404 not_found for a text that is not an id.
func (c *call) id(name string) (string, error) {
	id := c.Request.PathValue(name)
	if !isUUID(id) {
		return "", notFound()
	}
	return id, nil
}

// requestID names a request that has an Idempotency-Key, the same for each repetition by the same caller; "": it has
// none. It has the form of a UUID v4.
func (c *call) requestID() (string, error) {
	given := c.Request.Header.Get("Idempotency-Key")
	switch {
	case given == "":
		return "", nil
	case len(given) > maxHeader:
		return "", web.BadRequest("an Idempotency-Key may have at most 200 bytes")
	}
	return uuid(strings.Join([]string{c.caller, c.Request.Method, c.Request.URL.Path, given}, "\x00")), nil
}

// creationID is the id of what a request creates: that of its Idempotency-Key, or a new one.
func (s *Server) creationID(c *call) (string, error) {
	id, err := c.requestID()
	if id == "" && err == nil {
		id = uuid(s.newID())
	}
	return id, err
}

// uuid returns the SHA-256 of a text in the form of a UUID v4 (RFC 9562, section 5.4).
func uuid(of string) string {
	sum := sha256.Sum256([]byte(of))
	sum[6] = sum[6]&0x0f | 0x40
	sum[8] = sum[8]&0x3f | 0x80
	digits := hex.EncodeToString(sum[:16])
	return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
}

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// isUUID reports whether a text is a UUID v4 in lower case.
func isUUID(text string) bool { return uuidForm.MatchString(text) }
