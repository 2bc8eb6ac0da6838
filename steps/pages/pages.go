package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// maxRedirects limits how many redirects a browser follows.
const maxRedirects = 5

// page is an HTML document as seen by a person without scripts.
type page struct {
	root *html.Node
	at   *url.URL
}

// Words returns the steps that open pages as a browser without scripts does, and check what a person sees there.
func Words() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+) opens (/\S*)`, `When Ana opens /`, opens).Sends(2), // redirects are followed
		scenario.On(`(\w+) presses "([^"]+)"`, `When Ana presses "Accept"`, presses).Sends(2).Literal(2),
		scenario.On(`(\w+) enters "([^"]*)" as "(\w+)" and presses "([^"]+)"`,
			`When Ana enters "{Ana.email}" as "email" and presses "Send me a link"`, enters).Sends(2).Literal(3, 4),
		scenario.On(`(\w+) presses "([^"]+)" on a copy of the page at another site`,
			`When Ana presses "Sign in" on a copy of the page at another site`,
			func(ctx context.Context, stage *scenario.Stage, requests *scenario.Requests, e *scenario.RoundTrip, name,
				label string) error {
				path, form, err := submitted(e, label)
				if err != nil {
					return err
				}
				// A cookie with SameSite stays behind.
				return browse(ctx, stage, requests, nil, http.MethodPost, path, form, fromAnotherSite)
			}).Sends(2).Literal(2),
		scenario.On(`the page is "([^"]+)"`, `Then the page is "DashboardHomePage"`, pageIs).Literal(1),
		scenario.On(`the page shows "([^"]+)"`, `Then the page shows "Your groups"`, pageShows(true)),
		scenario.On(`the page does not show "([^"]+)"`, `Then the page does not show "Chess"`, pageShows(false)),
		scenario.On(`the page offers "([^"]+)"`, `Then the page offers "Accept"`, pageOffers(true)).Literal(1),
		scenario.On(`the page does not offer "([^"]+)"`, `Then the page does not offer "Accept"`, pageOffers(false)).
			Literal(1),
	}
}

// opens follows a link as a person's browser does: with their cookie, if they have one.
func opens(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	requests *scenario.Requests, name, path string) error {
	path, err := names.Address(path)
	if err != nil {
		return err
	}
	return Browse(ctx, stage, requests, people.Caller(name), http.MethodGet, path, "")
}

// Browse sends what a browser sends and follows redirects. form is the body of a POST.
func Browse(ctx context.Context, stage *scenario.Stage, requests *scenario.Requests, caller *scenario.Person, method,
	path, form string) error {
	return browse(ctx, stage, requests, caller, method, path, form, func(request *http.Request) {
		request.Header.Set("Origin", stage.Lane().Target.URL)
	})
}

// fromAnotherSite sets what a browser says of the page that a form stands on.
func fromAnotherSite(request *http.Request) {
	for _, header := range scenario.FromAnotherSite() {
		request.Header.Set(header.Name, header.Value)
	}
}

// browse is Browse with the headers that from sets on a form.
func browse(ctx context.Context, stage *scenario.Stage, requests *scenario.Requests, caller *scenario.Person, method,
	path, form string,
	from func(*http.Request)) error {
	for range maxRedirects {
		e, err := requests.SendDressed(ctx, caller, scenario.Request{Method: method, Path: path, Body: form},
			func(request *http.Request) []string {
				request.Header.Set("Accept", "text/html")
				if method == http.MethodPost {
					request.Header.Set("Content-Type", scenario.OfForm)
					from(request)
				}
				if cookie := stage.System().Session.Cookie; cookie != "" && caller != nil && caller.Session != "" {
					request.AddCookie(&http.Cookie{Name: cookie, Value: caller.Session})
					return []string{"Cookie: " + cookie + "={session}"}
				}
				return nil
			})
		if err != nil {
			return err
		}
		takeCookie(caller, stage.System().Session.Cookie, e.Header)
		switch e.Status {
		case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
			method, form = http.MethodGet, ""
		case http.StatusTemporaryRedirect, http.StatusPermanentRedirect: // the same again, elsewhere
		default:
			_, err := parsePage(e)
			return err
		}
		next, err := url.Parse(e.Header.Get("Location"))
		if err != nil || next.Host != "" && "http://"+next.Host != stage.Lane().Target.URL {
			return fmt.Errorf("%s answered %d and leads away from the server", e, e.Status)
		}
		path = addressOf(e).ResolveReference(next).RequestURI()
	}
	return errors.New("too many redirects")
}

// takeCookie handles the session's cookie as a browser does.
func takeCookie(p *scenario.Person, name string, header http.Header) {
	if p == nil {
		return
	}
	for _, cookie := range (&http.Response{Header: header}).Cookies() {
		if cookie.Name != name {
			continue
		}
		p.Session = cookie.Value
		if cookie.MaxAge < 0 || !cookie.Expires.IsZero() && cookie.Expires.Before(time.Now()) {
			p.Session = ""
		}
	}
}

func addressOf(e *scenario.RoundTrip) *url.URL {
	path, query, _ := strings.Cut(e.Path, "?")
	return &url.URL{Path: path, RawQuery: query}
}

func parsePage(e *scenario.RoundTrip) (*page, error) {
	if kind := e.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") {
		return nil, fmt.Errorf("%s answered a browser %d with %q, not text/html", e, e.Status, kind)
	}
	root, err := html.Parse(strings.NewReader(string(e.Body)))
	if err != nil {
		return nil, fmt.Errorf("%s answered with a page that is not HTML: %w", e, err)
	}
	return &page{root, addressOf(e)}, nil
}

func pageIs(_ context.Context, e *scenario.RoundTrip, name string) error {
	shown, err := parsePage(e)
	if err != nil {
		return err
	}
	var found []string
	for n := range shown.root.Descendants() {
		if value, ok := attribute(n, "data-page"); ok {
			found = append(found, value)
		}
	}
	if len(found) != 1 || found[0] != name {
		return fmt.Errorf("%s answered %d with a page whose data-page is %q, not %q", e, e.Status, found, name)
	}
	return nil
}

// pageShows returns the function of a step that searches for visible text, ignoring case and spacing.
func pageShows(want bool) any {
	return func(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, text string) error {
		shown, err := parsePage(e)
		if err != nil {
			return err
		}
		if text, err = names.Expand(text); err != nil {
			return err
		}
		seen := visible(shown.root)
		if got := contains(seen, text); got != want {
			return fmt.Errorf("the page of %s %s %q; it shows: %s", e,
				map[bool]string{true: "shows", false: "does not show"}[got], text, matching.Brief(seen))
		}
		return nil
	}
}

// pageOffers returns the function of a step that searches for a button.
func pageOffers(want bool) any {
	return func(_ context.Context, e *scenario.RoundTrip, label string) error {
		shown, err := parsePage(e)
		if err != nil {
			return err
		}
		if got := shown.button(label) != nil; got != want {
			return fmt.Errorf("the page of %s %s a button %q", e, map[bool]string{true: "has", false: "has no"}[got],
				label)
		}
		return nil
	}
}

// presses submits the form of a button on the newest page, with the person's own cookie, whoever the page was created
// for.
func presses(ctx context.Context, stage *scenario.Stage, people *scenario.People, requests *scenario.Requests,
	e *scenario.RoundTrip, name, label string) error {
	path, form, err := submitted(e, label)
	if err != nil {
		return err
	}
	return Browse(ctx, stage, requests, people.Caller(name), http.MethodPost, path, form)
}

// enters is presses, after a text was typed into the field of that name.
func enters(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	requests *scenario.Requests, e *scenario.RoundTrip, name, text, field, label string) error {
	path, form, err := submitted(e, label)
	if err != nil {
		return err
	}
	values, err := url.ParseQuery(form)
	if err != nil || !values.Has(field) {
		return fmt.Errorf("the form of the button %q has no field %q", label, field)
	}
	caller := people.Caller(name)
	if text, err = names.Expand(text); err != nil {
		return err
	}
	values.Set(field, text)
	return Browse(ctx, stage, requests, caller, http.MethodPost, path, values.Encode())
}

// submitted returns the address and the fields of the form that a button of a page submits.
func submitted(e *scenario.RoundTrip, label string) (path, body string, err error) {
	shown, err := parsePage(e)
	if err != nil {
		return "", "", err
	}
	button := shown.button(label)
	if button == nil {
		return "", "", fmt.Errorf("the page of %s has no button %q", e, label)
	}
	form := button
	for form != nil && form.Data != "form" {
		form = form.Parent
	}
	if method, _ := attribute(form, "method"); !strings.EqualFold(method, http.MethodPost) {
		return "", "", fmt.Errorf("the button %q is in no form that posts", label)
	}
	action, _ := attribute(form, "action")
	to, err := url.Parse(action)
	if err != nil {
		return "", "", fmt.Errorf("the form of the button %q has no address: %w", label, err)
	}
	return shown.at.ResolveReference(to).RequestURI(), fields(form, button).Encode(), nil
}
