package calendsync

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// call is a request in progress. The deadline of its storage calls is in the context passed with it.
type call struct {
	*web.Exchange
	caller string // the id of the user whose session it is; "": nobody has to be signed in
	body   web.Object
}

// identify returns whose session a request has: Authorization: Bearer SESSION.
func (s *Server) identify(ctx context.Context, c *call) (userID string, _ error) {
	session, is := strings.CutPrefix(c.Request.Header.Get("Authorization"), "Bearer ")
	if !is || session == "" || len(session) > maxName {
		return "", unauthorized()
	}
	found, err := s.store.get(ctx, sessionKey(session))
	if err != nil {
		return "", err
	}
	expires, err := time.Parse(time.RFC3339, found.text(attrExpires))
	if err != nil || !s.now().Before(expires) || found.text(attrUser) == "" {
		return "", unauthorized()
	}
	return found.text(attrUser), nil
}

// role is what a member may do. Each includes what the ones before it may.
type role string

const (
	roleReader role = "reader"
	roleWriter role = "writer"
	roleOwner  role = "owner"
)

// allows reports whether a role includes another; roles that are not known include none.
func (r role) allows(needed role) bool {
	rank := map[role]int{roleReader: 1, roleWriter: 2, roleOwner: 3}
	return rank[r] >= rank[needed]
}

func (r role) known() bool { return r == roleReader || r == roleWriter || r == roleOwner }

// member returns the caller's membership of a calendar. Errors: 404 not_found for a stranger, who must not learn that
// the calendar exists; 403 forbidden for a member with a lesser role than is needed.
func (s *Server) member(ctx context.Context, c *call, calendar string, needed role) (membership, error) {
	m, found, err := s.membership(ctx, calendar, c.caller)
	switch {
	case err != nil:
		return m, err
	case !found:
		return m, notFound()
	case !m.role.allows(needed):
		return m, forbidden()
	}
	return m, nil
}

func (s *Server) membership(ctx context.Context, calendar, user string) (_ membership, found bool, _ error) {
	i, err := s.store.get(ctx, memberKey(calendar, user))
	return membershipOf(i), i != nil, err
}

// id returns an id that the path names. Errors: 404 not_found for what no id looks like.
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
	case len(given) > maxName:
		return "", badRequest("an Idempotency-Key has 200 characters at most")
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

// isUUID reports whether a text is a UUID v4 in lower case.
func isUUID(text string) bool {
	if len(text) != 36 || text[14] != '4' || !strings.ContainsRune("89ab", rune(text[19])) {
		return false
	}
	for i, digit := range text {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (digit == '-') || !dash && !strings.ContainsRune("0123456789abcdef", digit) {
			return false
		}
	}
	return true
}

// version returns the version that If-Match demands. Errors: 428 precondition_required without one; 400 bad_request.
func (c *call) version() (int64, error) {
	given := c.Request.Header.Get("If-Match")
	if given == "" {
		return 0, &web.Error{Status: http.StatusPreconditionRequired, Code: "precondition_required",
			Message: "If-Match has to name the version that is to be changed"}
	}
	tag, quoted := strings.CutPrefix(given, `"`)
	tag, ended := strings.CutSuffix(tag, `"`)
	version, err := strconv.ParseInt(tag, 10, 64)
	if !quoted || !ended || err != nil || version < 1 {
		return 0, badRequest(`If-Match is not an ETag such as "3"`)
	}
	return version, nil
}

// versioned is an answer with the ETag of what it shows.
func (c *call) versioned(status int, version int64, value any) web.Reply {
	c.Header.Set("ETag", fmt.Sprintf("%q", strconv.FormatInt(version, 10)))
	return web.JSON{Status: status, Value: value}
}

func (s *Server) timestamp() string { return s.now().UTC().Format(time.RFC3339) }
