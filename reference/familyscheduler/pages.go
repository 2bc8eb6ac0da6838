package familyscheduler

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// The pages are HTML rendered here, with forms and without scripts. They show what the API returns and do what it does:
// every form ends in the same function as the API route.
//
// A person's session is in a cookie that scripts cannot read. A form that acts for them carries a token derived from
// the session, and forms from other sites are rejected.

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed pages/style.css
var pageStyle string

// pages holds the templates and the headers that go with them.
type pages struct {
	template *template.Template
	style    template.CSS
	policy   string // Content-Security-Policy: no script, and this one style
}

func loadPages() *pages {
	sum := sha256.Sum256([]byte(pageStyle))
	return &pages{
		template: template.Must(template.ParseFS(pageFiles, "pages/*.html")),
		style:    template.CSS(pageStyle),
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	}
}

// view holds the data of a page.
type view struct {
	Name, Title string // Name is the page's data-page
	Style       template.CSS
	CSRF        string // for signed-in users, in the forms that act for them
	Email       string // "" for guests

	Token string // marketing: from an opened sign-in link
	Sent  bool   // marketing: a link was requested

	Groups []pageGroup // dashboard

	Problem, TraceID string // problem
}

// render renders a page, with the headers every page has.
func (s site) render(x *web.Exchange, status int, v view) (web.Reply, error) {
	v.Style = s.pages.style
	var html bytes.Buffer
	if err := s.pages.template.ExecuteTemplate(&html, "page", v); err != nil {
		return nil, fmt.Errorf("rendering the page %s: %w", v.Name, err)
	}
	x.Header.Set("Content-Security-Policy", s.pages.policy)
	x.Header.Set("Cross-Origin-Opener-Policy", "same-origin")
	x.Header.Set("Referrer-Policy", "same-origin") // the address of a sign-in link contains its token
	x.Header.Set("X-Frame-Options", "DENY")
	x.Header.Add("Vary", "Accept, Cookie")
	return web.Page{Status: status, HTML: html.Bytes()}, nil
}

// page is a route whose errors are shown to people.
func (s site) page(pattern string, handle web.Handler, rules ...string) web.Route {
	route := web.On(pattern, handle, rules...)
	route.Explain = s.explain
	return route
}

// explain shows an error to people as a page; programs, which do not ask for HTML, get the error object.
func (s site) explain(x *web.Exchange, failure *web.Error) web.Reply {
	if !strings.Contains(x.Request.Header.Get("Accept"), "text/html") {
		return failure
	}
	page, err := s.render(x, failure.Status, view{
		Name: "problem", Title: "That did not work", TraceID: x.TraceID,
		Problem: strings.ToUpper(failure.Message[:1]) + failure.Message[1:],
	})
	if err != nil {
		return failure
	}
	return page
}

const (
	sessionCookie = "fs_session"
	maxForm       = 64 << 10
)

// setSession sets the browser's session cookie, or removes it if the session has expired. The server itself speaks
// plain HTTP: a proxy ends TLS.
func (c *call) setSession(id string, expires time.Time) {
	cookie := http.Cookie{
		Name: sessionCookie, Value: id, Path: "/", Expires: expires,
		HttpOnly: true, Secure: c.Request.Header.Get("X-Forwarded-Proto") == "https", SameSite: http.SameSiteLaxMode,
	}
	c.Header.Add("Set-Cookie", cookie.String())
}

// browserSession returns the id in the cookie, or "".
func (c *call) browserSession() string {
	cookie, err := c.Request.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// csrfToken returns the token that the forms of a session carry. The text that is signed cannot be the first part of a
// sign-in token, which contains no colon.
func (s site) csrfToken(sessionID string) string {
	return signature(s.config.MagicLinkSecret, "csrf:"+sessionID)
}

// form reads a form that needs no session, and rejects one from another site.
func (s site) form(handle handler) web.Handler {
	return s.ownSite(func(r *http.Request) (web.Object, error) { return web.ReadForm(r, maxForm) }, handle)
}

// ownForm is a form that acts for the signed-in user: 401 without a session, 403 without the session's token.
func (s site) ownForm(handle handler) web.Handler {
	return s.form(func(ctx context.Context, c *call) (web.Reply, error) {
		sessionID := c.browserSession()
		if err := s.authenticate(ctx, c, sessionID); err != nil {
			return nil, err
		}
		if token, _ := c.body.String("csrf"); !hmac.Equal([]byte(token), []byte(s.csrfToken(sessionID))) {
			return nil, foreignForm()
		}
		return handle(ctx, c)
	})
}

func foreignForm() error {
	return &web.Error{Status: 403, Code: "forbidden", Message: "this form was not made for you; open the page again"}
}
