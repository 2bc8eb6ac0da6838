package familyscheduler

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/storespec/storespec/reference/web"
)

// A client that got no answer, or a 503, repeats its request. It marks the repetition with the header Idempotency-Key:
// the same caller, route and key are one operation, with one id. What an operation creates is named by that id, the
// rows that it changes store it (opId), and counters store the last ones that they counted (recentOps). So a repetition
// finds what is already done, does the rest, and answers as the first attempt would have.
//
// Requests without a session have no caller to distinguish them, so their keys are ignored: anyone who guessed a key
// would get another person's guest.

var idempotencyPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// operationOf returns the id of a request's operation: 22 characters of [A-Za-z0-9_-], or a new id when the request has
// no key. Errors: 400 bad_request for an invalid key.
func (s *Server) operationOf(c *call) (string, error) {
	keys := c.Request.Header.Values("Idempotency-Key")
	if len(keys) == 0 {
		return s.newID(), nil
	}
	key := strings.Join(keys, ",") // two of them make an invalid one
	if !idempotencyPattern.MatchString(key) {
		return "", web.BadRequest("Idempotency-Key must be 1 to 64 letters, digits, _ or -")
	}
	sum := sha256.Sum256([]byte(c.who.userKey + "\n" + c.Request.Method + " " + c.Request.URL.Path + "\n" + key))
	return base64.RawURLEncoding.EncodeToString(sum[:16]), nil
}
