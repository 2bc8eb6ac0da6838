package familyscheduler

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// browse sends what a browser sends, with a session in the cookie unless it is "".
func browse(s *Server, method, path, session string, form url.Values, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Accept", "text/html")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if session != "" {
		r.AddCookie(&http.Cookie{Name: sessionCookie, Value: session})
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestFormsAreTakenFromOurOwnPagesOnly(t *testing.T) {
	a := withSession(kindFull)
	s := open(t, a, t.Output())
	token := s.site.csrfToken(testSession)
	for name, c := range map[string]struct {
		path, session, csrf string
		header              []string
		status              int
	}{
		"no session":                   {"/join", "", token, nil, 401},
		"no token":                     {"/join", testSession, "", nil, 403},
		"the token of another session": {"/join", testSession, s.site.csrfToken("session-of-ben-1"), nil, 403},
		"the token, but another site": {"/join", testSession, token, []string{"Sec-Fetch-Site", "cross-site"},
			403},
		"an older browser, another site": {"/join", testSession, token,
			[]string{"Origin", "https://elsewhere.example"}, 403},
		"everything right but the group": {"/join", testSession, token, nil, 400},
		"sign-out without a token":       {"/sign-out", testSession, "", nil, 403},
		"sign-in from another site":      {"/sign-in", "", "", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"a link redeemed by another site": {"/sign-in/confirm", "", "", []string{"Sec-Fetch-Site", "same-site"},
			403},
		"a form that is not one":              {"/sign-in", "", "", []string{"Content-Type", "application/json"}, 400},
		"a sign-in without an e-mail":         {"/sign-in", "", "", nil, 400},
		"an invalid sign-in link":             {"/sign-in/confirm", "", "", nil, 400},
		"the header is not a session of ours": {"/join", "", token, []string{"x-session-id", testSession}, 401},
	} {
		t.Run(name, func(t *testing.T) {
			w := browse(s, "POST", c.path, c.session, url.Values{"csrf": {c.csrf}}, c.header...)
			if w.Code != c.status || !strings.Contains(w.Body.String(), `data-page="problem"`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	for _, call := range a.take() {
		if !strings.HasPrefix(call, "GET ") {
			t.Errorf("a refused form made the call %s", call)
		}
	}
}

func TestPagesMayRunNoScriptAndStandInNoFrame(t *testing.T) {
	s := open(t, withSession(kindFull), t.Output())
	w := browse(s, "GET", "/", "", nil)
	policy := w.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "form-action 'self'", "frame-ancestors 'none'",
		"base-uri 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") {
		t.Errorf("the policy %q allows scripts", policy)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
		"X-Frame-Options": "DENY",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if strings.Contains(w.Body.String(), "<script") {
		t.Error("the page has a script")
	}
}

func TestAProblemIsAPageForPeopleAndJSONForPrograms(t *testing.T) {
	a := withSession(kindFull)
	s := open(t, a, t.Output())
	a.down = true
	page := browse(s, "GET", "/", testSession, nil)
	if page.Code != 503 || page.Header().Get("Retry-After") != "1" ||
		!strings.HasPrefix(page.Header().Get("Content-Type"), "text/html") {
		t.Errorf("%d %v", page.Code, page.Header())
	}
	program := ask(s, "GET", "/", testSession, "")
	if program.Code != 503 || !strings.Contains(program.Body.String(), `"error":"storage_unavailable"`) {
		t.Errorf("%d %s", program.Code, program.Body)
	}
}

func TestAnOpenedLinkIsQuotedAndNotRedeemed(t *testing.T) {
	a := withSession(kindFull)
	w := browse(open(t, a, t.Output()), "GET", "/?token="+url.QueryEscape(`"><script>alert(1)</script>`), testSession,
		nil)
	if w.Code != 200 || strings.Contains(w.Body.String(), "<script") ||
		!strings.Contains(w.Body.String(), `data-page="marketing"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if calls := a.take(); len(calls) != 0 {
		t.Errorf("storage calls: %q", calls)
	}
}

func TestTheCookieIsForTheBrowserAlone(t *testing.T) {
	for proto, secure := range map[string]bool{"": false, "https": true} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("X-Forwarded-Proto", proto)
		w := httptest.NewRecorder()
		c := &call{Exchange: exchangeFor(r, w)}
		c.setSession("id", time.Now().Add(time.Hour))
		text := w.Header().Get("Set-Cookie")
		if !regexp.MustCompile(`^fs_session=id; Path=/; .*HttpOnly`).MatchString(text) ||
			!strings.Contains(text, "SameSite=Lax") || strings.Contains(text, "Secure") != secure {
			t.Errorf("over %q: %s", proto, text)
		}
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "just now", 61 * time.Second: "1 minute ago", 3 * time.Hour: "3 hours ago", 25 * time.Hour: "1 day ago",
		400 * 24 * time.Hour: "400 days ago", -time.Hour: "just now",
	} {
		if got := age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if sinceTime("nonsense", time.Now()) != nil {
		t.Error("an invalid time has an age")
	}
}

func TestANameIsTextAndNotMarkup(t *testing.T) {
	a := withSession(kindFull)
	s := open(t, a, t.Output())
	page, err := s.site.render(exchangeFor(httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()), 200, view{
		Name: "DashboardHomePage", CSRF: "t",
		Groups: []pageGroup{{ID: "g", Name: `<b onclick="x">`, Status: statusInvited}},
	})
	if html := fmt.Sprintf("%s", page); err != nil || strings.Contains(html, "<b onclick") {
		t.Errorf("%v %s", err, html)
	}
}

func exchangeFor(r *http.Request, w http.ResponseWriter) *web.Exchange {
	return &web.Exchange{Request: r, Header: w.Header()}
}
