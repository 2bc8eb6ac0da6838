package c4lendar

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// The possible outcomes of a call of Google or Telegram, besides success.
var (
	// errPassing: no answer, 429 or 5xx: the same call may succeed later.
	errPassing = errors.New("the service does not answer")
	// errRefused: the service does not want it.
	errRefused = errors.New("the service refuses")
	// errRevoked is an errRefused: the refresh token is not valid any more.
	errRevoked = fmt.Errorf("%w: invalid_grant", errRefused)
	// errGone is an errRefused: there is no such event.
	errGone = fmt.Errorf("%w: not found", errRefused)
	// errThere is an errRefused: there is an event with this id.
	errThere = fmt.Errorf("%w: already there", errRefused)
)

const googleTimeout = 4 * time.Second // two calls in a row leave time for those of KV

// google is Google's OAuth and calendar API, and anything else that speaks JSON.
type google struct {
	http                *http.Client
	accounts, auth, api string // base URLs: the page where people consent, tokens, all else
	id, secret          string
	redirect            string
}

func newGoogle(c Config) *google {
	return &google{http: &http.Client{Timeout: googleTimeout},
		accounts: cmp.Or(c.GoogleURL, "https://accounts.google.com"),
		auth:     cmp.Or(c.GoogleURL, "https://oauth2.googleapis.com"),
		api:      cmp.Or(c.GoogleURL, "https://www.googleapis.com"),
		id:       c.ClientID, secret: c.ClientSecret, redirect: c.PublicURL + "/oauth/callback"}
}

func (g *google) close() { g.http.CloseIdleConnections() }

// consent is where people allow the bot to use their calendar.
func (g *google) consent(state string) string {
	return g.accounts + "/o/oauth2/v2/auth?" + url.Values{"client_id": {g.id}, "redirect_uri": {g.redirect},
		"response_type": {"code"}, "scope": {"openid email " + defaultScopes}, "access_type": {"offline"},
		"prompt": {"consent"}, "state": {state}}.Encode()
}

// tokens is what Google answers to a code or a refresh token.
type tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
}

// exchange turns a code into tokens.
func (g *google) exchange(ctx context.Context, code string) (*tokens, error) {
	return g.token(ctx, url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {g.redirect}})
}

// refresh turns a refresh token into an access token. Errors: errRevoked and those of call (CB-TOK-1).
func (g *google) refresh(ctx context.Context, token string) (*tokens, error) {
	return g.token(ctx, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}})
}

func (g *google) token(ctx context.Context, form url.Values) (*tokens, error) {
	form.Set("client_id", g.id)
	form.Set("client_secret", g.secret)
	found := &tokens{}
	err := g.call(ctx, request{method: http.MethodPost, url: g.auth + "/token",
		body: []byte(form.Encode()), kind: "application/x-www-form-urlencoded"}, found)
	return found, err
}

// person is whose account it is.
type person struct {
	ID    string `json:"id"`
	Email string `json:"email"`
}

func (g *google) person(ctx context.Context, access string) (*person, error) {
	found := &person{}
	err := g.call(ctx, request{method: http.MethodGet,
		url: g.api + "/oauth2/v2/userinfo", access: access}, found)
	if err == nil && !subForm.MatchString(found.ID) {
		err = fmt.Errorf("%w: the account has no id", errRefused)
	}
	return found, err
}

const eventsPath = "/calendar/v3/calendars/primary/events"

// insert creates an event. Errors: errThere and those of call.
func (g *google) insert(ctx context.Context, access string, event map[string]any) error {
	return g.call(ctx, request{method: http.MethodPost, url: g.api + eventsPath,
		access: access, body: marshalled(event)}, nil)
}

// patch changes fields of an event. Errors: errGone and those of call.
func (g *google) patch(ctx context.Context, access, id string, event map[string]any) error {
	return g.call(ctx, request{method: http.MethodPatch,
		url: g.api + eventsPath + "/" + url.PathEscape(id), access: access, body: marshalled(event)}, nil)
}

// remove deletes an event. One that is not there is fine (CB-GOO-1).
func (g *google) remove(ctx context.Context, access, id string) error {
	err := g.call(ctx, request{method: http.MethodDelete,
		url: g.api + eventsPath + "/" + url.PathEscape(id), access: access}, nil)
	if errors.Is(err, errGone) {
		return nil
	}
	return err
}

// request is one call.
type request struct {
	method, url, access string
	body                []byte
	kind                string // the body's content type, if it is not JSON
}

// call makes a call, once, and decodes the answer into found, if it is not nil. Errors: errPassing, errRefused and its
// kinds. None quotes the address or the answer.
func (g *google) call(ctx context.Context, r request, found any) error {
	asked, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return fmt.Errorf("%s: %w", r.method, errRefused)
	}
	if r.access != "" {
		asked.Header.Set("Authorization", "Bearer "+r.access)
	}
	asked.Header.Set("Content-Type", cmp.Or(r.kind, "application/json"))
	response, err := g.http.Do(asked)
	if err != nil {
		return fmt.Errorf("%s: %w: %s", r.method, errPassing, web.WithoutURL(err))
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return fmt.Errorf("%s: %w: %s", r.method, errPassing, web.WithoutURL(err))
	}
	if kind := outcome(response.StatusCode, body); kind != nil {
		return fmt.Errorf("%s: %w: %d", r.method, kind, response.StatusCode)
	}
	if found != nil && json.Unmarshal(body, found) != nil {
		return fmt.Errorf("%s: %w: the answer is not JSON", r.method, errRefused)
	}
	return nil
}

// outcome says what an answer means; nil: success. Google has a 403 for those who ask too often.
func outcome(status int, body []byte) error {
	switch {
	case status < http.StatusMultipleChoices:
		return nil
	case status == http.StatusTooManyRequests, status >= http.StatusInternalServerError,
		status == http.StatusForbidden && bytes.Contains(body, []byte("ateLimitExceeded")):
		return errPassing
	case status == http.StatusNotFound, status == http.StatusGone:
		return errGone
	case status == http.StatusConflict:
		return errThere
	case status == http.StatusBadRequest && bytes.Contains(body, []byte(`invalid_grant`)):
		return errRevoked
	}
	return errRefused
}
