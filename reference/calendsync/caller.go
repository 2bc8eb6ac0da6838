package calendsync

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// maxHeader is how many bytes a session or an Idempotency-Key may have.
const maxHeader = 200

// call is a request in progress. The deadline of its storage calls is in the context passed with it.
type call struct {
	*web.Exchange
	caller string // the id of the user whose session it is; "" where none is needed
	body   web.Object
}

// identify returns whose session a request has: Authorization: Bearer SESSION.
func (s *Server) identify(ctx context.Context, c *call) (userID string, _ error) {
	scheme, session, _ := strings.Cut(c.Request.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || session == "" || len(session) > maxHeader {
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

// role is what a member may do. Each role includes those listed before it.
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
	case !found, !m.role.known():
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

// version returns the version that If-Match demands. Errors: 428 precondition_required without one; 400 bad_request.
func (c *call) version() (int64, error) {
	given := c.Request.Header.Get("If-Match")
	if given == "" {
		return 0, &web.Error{Status: http.StatusPreconditionRequired, Code: "precondition_required",
			Message: "send the ETag that you have read in If-Match"}
	}
	tag, quoted := strings.CutPrefix(given, `"`)
	tag, ended := strings.CutSuffix(tag, `"`)
	version, err := strconv.ParseInt(tag, 10, 64)
	if !quoted || !ended || err != nil || version < 1 || tag != strconv.FormatInt(version, 10) {
		return 0, web.BadRequest(`If-Match is not an ETag such as "3"`)
	}
	return version, nil
}

// versioned is an answer with the ETag of what it shows.
func (c *call) versioned(status int, version int64, value any) web.Reply {
	c.Header.Set("ETag", fmt.Sprintf("%q", strconv.FormatInt(version, 10)))
	return web.JSON{Status: status, Value: value}
}

func (s *Server) timestamp() string { return s.now().UTC().Format(time.RFC3339) }
