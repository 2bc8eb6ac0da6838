package familyscheduler

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

const (
	linkLasts    = 15 * time.Minute
	sessionLasts = 30 * 24 * time.Hour
	purposeLogin = "login"
)

// loginToken is the first part of a sign-in link's token; times are Unix seconds.
type loginToken struct {
	V        int    `json:"v"`
	Sub      string `json:"sub"` // the e-mail
	JTI      string `json:"jti"`
	Purpose  string `json:"purpose"`
	IssuedAt int64  `json:"iat"`
	Expires  int64  `json:"exp"`
}

var (
	errInvalidToken = &web.Error{Status: 400, Code: "invalid_token", Message: "the sign-in link is not valid"}
	errExpiredToken = &web.Error{Status: 400, Code: "expired_token", Message: "the sign-in link is too old"}
)

// requestLink is POST /api/auth/request-link {email}. The answer is the same for every e-mail, known or not. 429 when
// there were too many (limits.go).
func (s signIns) requestLink(_ context.Context, c *call) (web.Reply, error) {
	email, err := emailField(c.body, "email")
	if err != nil {
		return nil, err
	}
	now := s.now()
	if err := s.links.take(userKeyOf(email), callerOf(c.Request), now); err != nil {
		return nil, err
	}
	jti := s.newID()
	token := sign(s.config.MagicLinkSecret, loginToken{
		V: 1, Sub: email, JTI: jti, Purpose: purposeLogin, IssuedAt: now.Unix(), Expires: now.Add(linkLasts).Unix(),
	})
	return web.OK{}, s.deliver(email, jti, token)
}

// deliver writes a link to the outbox, where the mail sender picks it up: atomically, readable by this user only.
func (s signIns) deliver(email, jti, token string) error {
	if s.config.MagicLinkOutbox == "" {
		return nil
	}
	link := "/?token=" + url.QueryEscape(token)
	data, _ := json.Marshal(map[string]string{"email": email, "token": token, "link": link}) // texts can be encoded
	partial := filepath.Join(s.config.MagicLinkOutbox, "."+jti+".partial")
	err := os.WriteFile(partial, data, 0o600)
	if err == nil {
		err = os.Rename(partial, filepath.Join(s.config.MagicLinkOutbox, jti+".json"))
	}
	if err != nil {
		return errors.New("MAGIC_LINK_OUTBOX cannot be written")
	}
	return nil
}

// consumeLink is POST /api/auth/consume-link {token}.
func (s signIns) consumeLink(ctx context.Context, c *call) (web.Reply, error) {
	sessionID, opened, err := s.redeem(ctx, c)
	if err != nil {
		return nil, err
	}
	return web.OK{"sessionId": sessionID, "email": opened.Email, "expiresAt": opened.ExpiresAt}, nil
}

// redeem exchanges the token of a request for a session, and sets the cookie for the pages. Each token makes exactly
// one session: the claim, named for the token, fixes the session's id, and the request that creates the session blob
// with that id has won. A request that finds a claim without a session completes it, so an interrupted sign-in can be
// repeated.
func (s signIns) redeem(ctx context.Context, c *call) (sessionID string, opened *session, err error) {
	text, _ := c.body.String("token")
	token, err := verify(s.config.MagicLinkSecret, text, s.now())
	if err != nil {
		return "", nil, err
	}
	if sessionID, err = s.claimLink(ctx, token.JTI); err != nil {
		return "", nil, err
	}
	now := s.now()
	opened = &session{
		V: 1, Email: token.Sub, Kind: kindFull, CreatedAt: timestamp(now), ExpiresAt: timestamp(now.Add(sessionLasts)),
		CreatedBy: c.TraceID, // distinguishes this request's blob from one created at the same instant
	}
	err = s.store.createJSON(ctx, sessionBlob(sessionID), opened)
	if errors.Is(err, account.ErrChanged) { // the session was opened before
		return "", nil, errInvalidToken
	}
	if err != nil {
		return "", nil, err
	}
	c.setSession(sessionID, now.Add(sessionLasts))
	return sessionID, opened, nil
}

// claimLink returns the id of the one session a token can make, whoever claims it first.
func (s signIns) claimLink(ctx context.Context, jti string) (sessionID string, err error) {
	claim := struct {
		SessionID string `json:"sessionId"`
	}{s.newID()}
	err = s.store.createJSON(ctx, magicLinkBlob(jti), claim)
	if !errors.Is(err, account.ErrChanged) {
		return claim.SessionID, err
	}
	found, err := s.store.readJSON(ctx, magicLinkBlob(jti), &claim)
	if err != nil {
		return "", err
	}
	if !found || !sessionIDPattern.MatchString(claim.SessionID) {
		return "", errInvalidToken
	}
	return claim.SessionID, nil
}

// sign returns base64url(JSON) "." base64url(HMAC-SHA256(secret, first part)).
func sign(secret string, token loginToken) string {
	data, _ := json.Marshal(token) // texts and numbers can always be encoded
	first := base64.RawURLEncoding.EncodeToString(data)
	return first + "." + signature(secret, first)
}

// verify errors: 400 invalid_token, 400 expired_token (now ≥ exp).
func verify(secret, text string, now time.Time) (*loginToken, error) {
	first, second, _ := strings.Cut(text, ".")
	if !hmac.Equal([]byte(second), []byte(signature(secret, first))) {
		return nil, errInvalidToken
	}
	token := &loginToken{}
	data, _ := base64.RawURLEncoding.DecodeString(first)
	_ = json.Unmarshal(data, token) // what is signed and yet no token has no version
	email, ok := normalizeEmail(token.Sub)
	if !ok || token.V != 1 || token.Purpose != purposeLogin || !linkIDPattern.MatchString(token.JTI) {
		return nil, errInvalidToken
	}
	token.Sub = email
	if now.Unix() >= token.Expires {
		return nil, errExpiredToken
	}
	return token, nil
}

// signature is base64url(HMAC-SHA256(secret, text)).
func signature(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
