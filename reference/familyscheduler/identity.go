package familyscheduler

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// The design uses two identities. userKey finds a person's rows; memberKey is what other tables refer to.
const (
	authPrefix  = "auth:"
	guestPrefix = "guest:"
)

// identity is the owner of a session.
type identity struct {
	userKey   string
	memberKey string
	email     string // normalized; "" for guests
	guestOf   string // the only group a guest's session can access; "" for all others
}

func (who identity) isGuest() bool { return who.guestOf != "" }

// normalizeEmail makes " Ana@X.COM " and "ana@x.com" one person. ok is false for an invalid e-mail; a valid one is
// printable ASCII, one @ with something on either side, at most 254 characters.
func normalizeEmail(text string) (email string, ok bool) {
	email = strings.Trim(text, " \t\r\n\v\f") // ASCII only: beyond it, languages differ in how they trim and lower-case
	for _, r := range email {
		if r <= ' ' || r > '~' {
			return "", false
		}
	}
	email = strings.ToLower(email)
	local, domain, found := strings.Cut(email, "@")
	if !found || local == "" || domain == "" || strings.Contains(domain, "@") || len(email) > 254 {
		return "", false
	}
	return email, true
}

// userKeyOf is lower-case hex SHA-256 of a normalized e-mail.
func userKeyOf(email string) string { return sha256hex(email) }

// guestUserKey is never derived from an e-mail.
func guestUserKey(gsid string) string { return sha256hex(guestPrefix + gsid) }

func sha256hex(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// memberKeyOf returns auth:{sub} with the session's sub; if there is none, or it looks like an e-mail, auth:{userKey}.
func memberKeyOf(sub, userKey string) string {
	if sub == "" || strings.Contains(sub, "@") {
		return authPrefix + userKey
	}
	return authPrefix + sub
}

// userKeyPattern is the form of a userKey.
var userKeyPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// sessionIDPattern is the form of a session id; anything else is a 401 without a storage call.
var sessionIDPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{8,128}$`)

// session is familyscheduler/sessions/<sessionId>.json.
type session struct {
	V            int    `json:"v"`
	Email        string `json:"email,omitempty"`
	Kind         string `json:"kind"` // full or igniteGrace
	CreatedAt    string `json:"createdAt"`
	ExpiresAt    string `json:"expiresAt"`
	ScopeGroupID string `json:"scopeGroupId,omitempty"` // igniteGrace only
	Sub          string `json:"sub,omitempty"`
	GSID         string `json:"gsid,omitempty"` // igniteGrace only
	CreatedBy    string `json:"createdBy,omitempty"`
}

const (
	kindFull  = "full"
	kindGrace = "igniteGrace"
)

// identity is who the session stands for at a time; ok is false when it is expired (now ≥ expiresAt) or makes no sense.
func (s *session) identity(now time.Time) (who identity, ok bool) {
	expires, err := parseTime(s.ExpiresAt)
	if err != nil || s.V != 1 || !now.Before(expires) {
		return identity{}, false
	}
	switch s.Kind {
	case kindFull:
		email, ok := normalizeEmail(s.Email)
		userKey := userKeyOf(email)
		return identity{userKey: userKey, memberKey: memberKeyOf(s.Sub, userKey), email: email}, ok
	case kindGrace:
		ok := s.GSID != "" && !strings.Contains(s.GSID, "@") && s.ScopeGroupID != ""
		return identity{userKey: guestUserKey(s.GSID), memberKey: guestPrefix + s.GSID, guestOf: s.ScopeGroupID}, ok
	}
	return identity{}, false
}

// authenticate determines the owner of a session. It costs one blob read, and none when the id cannot be a session's.
// Errors: 401 unauthorized; 503 when the session cannot be read.
func (s *Server) authenticate(ctx context.Context, c *call, sessionID string) error {
	if !sessionIDPattern.MatchString(sessionID) {
		return unauthorized()
	}
	var stored session
	found, err := s.store.readJSON(ctx, sessionBlob(sessionID), &stored)
	if errors.Is(err, errCorrupt) {
		return unauthorized()
	}
	if err != nil {
		return err
	}
	who, ok := stored.identity(s.now())
	if !found || !ok {
		return unauthorized()
	}
	c.who = who
	return nil
}

func unauthorized() error {
	return &web.Error{Status: 401, Code: "unauthorized", Message: "sign in first"}
}
