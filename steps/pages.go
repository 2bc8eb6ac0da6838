package steps

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// maxRedirects bounds how far an answer may send a browser on.
const maxRedirects = 5

// page is an HTML document as a person without scripts meets it.
type page struct {
	root *html.Node
	at   *url.URL
}

func pageSteps() []Step {
	return []Step{
		{`(\w+) opens (/\S*)`, `When Ana opens /`,
			func(w *World) any { return w.opens }},
		{`(\w+) presses "([^"]+)"`, `When Ana presses "Accept"`,
			func(w *World) any { return w.presses }},
		{`the page is "([^"]+)"`, `Then the page is "DashboardHomePage"`,
			func(w *World) any { return w.pageIs }},
		{`the page shows "([^"]+)"`, `Then the page shows "Your groups"`,
			func(w *World) any { return func(text string) error { return w.pageShows(text, true) } }},
		{`the page does not show "([^"]+)"`, `Then the page does not show "Chess"`,
			func(w *World) any { return func(text string) error { return w.pageShows(text, false) } }},
		{`the page offers "([^"]+)"`, `Then the page offers "Accept"`,
			func(w *World) any { return func(label string) error { return w.pageOffers(label, true) } }},
		{`the page does not offer "([^"]+)"`, `Then the page does not offer "Accept"`,
			func(w *World) any { return func(label string) error { return w.pageOffers(label, false) } }},
	}
}

// opens is a person's browser that follows a link: with their cookie, if they have one.
func (w *World) opens(name, path string) error {
	return w.browse(w.caller(name), http.MethodGet, path, "")
}

// browse sends what a browser sends and goes where the answer sends it. form is the body of a POST.
func (w *World) browse(caller *person, method, path, form string) error {
	for range maxRedirects {
		lane := w.active()
		recorded := lane.Recorder.Begin(method + " " + path)
		e, err := w.do(lane.Target.URL, recorded, caller, method, path, form, func(request *http.Request) []string {
			request.Header.Set("Accept", "text/html")
			if method == http.MethodPost {
				request.Header.Set("Content-Type", ofForm)
				request.Header.Set("Origin", lane.Target.URL)
			}
			if cookie := w.system().Session.Cookie; cookie != "" && caller != nil && caller.session != "" {
				request.AddCookie(&http.Cookie{Name: cookie, Value: caller.session})
				return []string{"Cookie: " + cookie + "={session}"}
			}
			return nil
		})
		w.sent(e)
		if err != nil {
			return err
		}
		caller.takeCookie(w.system().Session.Cookie, e.header)
		if e.status < 300 || e.status > 399 {
			return e.parsePage()
		}
		next, err := url.Parse(e.header.Get("Location"))
		if err != nil || next.Host != "" && "http://"+next.Host != lane.Target.URL {
			return fmt.Errorf("%s answered %d and leads out of the target", e, e.status)
		}
		method, path, form = http.MethodGet, e.url().ResolveReference(next).RequestURI(), ""
	}
	return errors.New("the answers send a browser on and on")
}

// takeCookie does what a browser does with the session's cookie.
func (p *person) takeCookie(name string, header http.Header) {
	if p == nil {
		return
	}
	for _, cookie := range (&http.Response{Header: header}).Cookies() {
		if cookie.Name != name {
			continue
		}
		p.session = cookie.Value
		if cookie.MaxAge < 0 || !cookie.Expires.IsZero() && cookie.Expires.Before(time.Now()) {
			p.session = ""
		}
	}
}

func (e *exchange) url() *url.URL {
	path, query, _ := strings.Cut(e.path, "?")
	return &url.URL{Path: path, RawQuery: query}
}

func (e *exchange) parsePage() error {
	if kind := e.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") {
		return fmt.Errorf("%s answered a browser %d with %q, not text/html", e, e.status, kind)
	}
	root, err := html.Parse(strings.NewReader(string(e.body)))
	if err != nil {
		return fmt.Errorf("%s answered with a page that is no HTML: %w", e, err)
	}
	e.page = &page{root, e.url()}
	return nil
}

// lastPage is the newest answer as a page; one that was asked for without a browser is parsed here.
func (w *World) lastPage() (*exchange, error) {
	e, err := w.last()
	if err != nil || e.page != nil {
		return e, err
	}
	return e, e.parsePage()
}

func (w *World) pageIs(name string) error {
	e, err := w.lastPage()
	if err != nil {
		return err
	}
	var found []string
	for n := range e.page.root.Descendants() {
		if value, ok := attribute(n, "data-page"); ok {
			found = append(found, value)
		}
	}
	if len(found) != 1 || found[0] != name {
		return fmt.Errorf("%s answered %d with a page whose data-page is %q, not %q", e, e.status, found, name)
	}
	return nil
}

// pageShows looks for text that can be seen, whatever its case and spacing.
func (w *World) pageShows(text string, want bool) error {
	e, err := w.lastPage()
	if err != nil {
		return err
	}
	if text, err = w.expand(text); err != nil {
		return err
	}
	shown := visible(e.page.root)
	if got := contains(shown, text); got != want {
		return fmt.Errorf("the page of %s %s %q; it shows: %s", e, map[bool]string{true: "shows", false: "does not show"}[got], text, brief(shown))
	}
	return nil
}

func (w *World) pageOffers(label string, want bool) error {
	e, err := w.lastPage()
	if err != nil {
		return err
	}
	if got := e.page.button(label) != nil; got != want {
		return fmt.Errorf("the page of %s %s a button %q", e, map[bool]string{true: "has", false: "has no"}[got], label)
	}
	return nil
}

// presses submits the form of a button on the newest page, with the person's own cookie, whoever the
// page was made for.
func (w *World) presses(name, label string) error {
	e, err := w.lastPage()
	if err != nil {
		return err
	}
	button := e.page.button(label)
	if button == nil {
		return fmt.Errorf("the page of %s has no button %q", e, label)
	}
	form := button
	for form != nil && form.Data != "form" {
		form = form.Parent
	}
	if method, _ := attribute(form, "method"); !strings.EqualFold(method, http.MethodPost) {
		return fmt.Errorf("the button %q is in no form that posts", label)
	}
	action, _ := attribute(form, "action")
	to, err := url.Parse(action)
	if err != nil {
		return fmt.Errorf("the form of the button %q has no address: %w", label, err)
	}
	return w.browse(w.caller(name), http.MethodPost, e.page.at.ResolveReference(to).RequestURI(), fields(form, button).Encode())
}
