package familyscheduler

import (
	"bytes"
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

// The pages are HTML made here, with forms and without scripts. They show what the API answers and do what it does:
// every form ends in the same function as the route of the API.
//
// A person's session is in a cookie that scripts cannot read. A form that acts for them carries a token that follows
// from the session, and no form is taken from another site.

//go:embed pages
var pageFiles embed.FS

// pages are the templates and the headers that go with them.
type pages struct {
	template *template.Template
	style    template.CSS
	policy   string // Content-Security-Policy: no script, and this one style
}

func loadPages() (*pages, error) {
	parsed, err := template.ParseFS(pageFiles, "pages/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the pages: %w", err)
	}
	style, err := pageFiles.ReadFile("pages/style.css")
	if err != nil {
		return nil, fmt.Errorf("reading the pages: %w", err)
	}
	sum := sha256.Sum256(style)
	return &pages{
		template: parsed,
		style:    template.CSS(style),
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	}, nil
}

// view is what a page shows.
type view struct {
	Name, Title string // Name is the page's data-page
	Style       template.CSS
	CSRF        string // of somebody signed in, for the forms that act for them
	Email       string // "" for guests

	Token string // marketing: of a sign-in link that was opened
	Sent  bool   // marketing: a link was asked for

	Groups []pageGroup // dashboard

	Problem, TraceID string // problem
}

// render makes a page, with the headers every page has.
func (s *Server) render(x *web.Exchange, status int, v view) (web.Reply, error) {
	v.Style = s.pages.style
	var html bytes.Buffer
	if err := s.pages.template.ExecuteTemplate(&html, "page", v); err != nil {
		return nil, fmt.Errorf("rendering the page %s: %w", v.Name, err)
	}
	x.Header.Set("Content-Security-Policy", s.pages.policy)
	x.Header.Set("Cross-Origin-Opener-Policy", "same-origin")
	x.Header.Set("Referrer-Policy", "same-origin") // the address of a sign-in link holds its token
	x.Header.Set("X-Frame-Options", "DENY")
	x.Header.Add("Vary", "Accept, Cookie")
	return web.Page{Status: status, HTML: html.Bytes()}, nil
}

// explain shows an error to people as a page; a program, which does not ask for HTML, gets the error shape.
func (s *Server) explain(x *web.Exchange, failure *web.Error) web.Reply {
	if !strings.Contains(x.Request.Header.Get("Accept"), "text/html") {
		return failure
	}
	page, err := s.render(x, failure.Status, view{
		Name: "problem", Title: "That did not work", Problem: capitalized(failure.Message), TraceID: x.TraceID,
	})
	if err != nil {
		return failure
	}
	if failure.RetryAfter > 0 {
		x.Header.Set("Retry-After", "1")
	}
	return page
}

func capitalized(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

const (
	sessionCookie = "fs_session"
	maxForm       = 64 << 10
)

// setSession gives the browser a session, or takes it away when it expired already.
func (c *call) setSession(id string, expires time.Time) {
	secure := c.Request.TLS != nil || c.Request.Header.Get("X-Forwarded-Proto") == "https"
	cookie := http.Cookie{
		Name: sessionCookie, Value: id, Path: "/", Expires: expires,
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
	}
	c.Header.Add("Set-Cookie", cookie.String())
}

// browserSession is the id in the cookie, or "".
func (c *call) browserSession() string {
	cookie, err := c.Request.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// csrfToken is what the forms made for a session carry. The text that is signed cannot be the first part of a sign-in
// token, which holds no colon.
func (s *Server) csrfToken(sessionID string) string {
	return base64.RawURLEncoding.EncodeToString(signature(s.config.MagicLinkSecret, "csrf:"+sessionID))
}

// form reads a form that no session is needed for, and takes none from another site.
func (s *Server) form(handle handler) web.Handler {
	return s.withDeadline(func(c *call) (web.Reply, error) {
		if http.NewCrossOriginProtection().Check(c.Request) != nil {
			return nil, foreignForm()
		}
		if err := c.reading(func() (web.Object, error) { return web.ReadForm(c.Request, maxForm) }); err != nil {
			return nil, err
		}
		return handle(c)
	})
}

// ownForm is a form that acts for whoever is signed in: 401 without a session, 403 without the session's token.
func (s *Server) ownForm(handle handler) web.Handler {
	return s.form(func(c *call) (web.Reply, error) {
		sessionID := c.browserSession()
		if err := s.authenticateBy(c, sessionID); err != nil {
			return nil, err
		}
		if token, _ := c.body.String("csrf"); !hmac.Equal([]byte(token), []byte(s.csrfToken(sessionID))) {
			return nil, foreignForm()
		}
		return handle(c)
	})
}

func foreignForm() error {
	return &web.Error{Status: 403, Code: "forbidden", Message: "this form was not made for you; open the page again"}
}
