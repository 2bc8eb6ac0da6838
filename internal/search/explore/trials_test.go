package explore

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/wire"
)

// lately returns a side of which no storage calls are counted, on a server that answers everything with a body.
func lately(t *testing.T, body string) *side {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return &side{lane: &lane.Lane{Target: &target.Instance{URL: server.URL}, Recorder: wire.NewRecorder(),
		Client: server.Client(), Maker: &lane.Maker{}}, answers: map[int]*answer{}, fresh: map[int]*answer{},
		sent: map[int]*http.Request{}, bodies: map[int]string{}, texts: map[string]string{}, clock: &clock{},
		uncounted: true}
}

// An answer without an id matters to the requests that need the id, on either server, and to no others of the walk.
func TestWhichRequestsAreGuessed(t *testing.T) {
	tr := &trials{couple: &couple{subject: lately(t, `{}`), oracle: lately(t, `{"id": "a-1"}`)}}
	ask := func(id int, at map[string]string) *Attempt {
		t.Helper()
		a, _, err := tr.attempt(t.Context(), &Step{ID: id, Person: nobody, Method: "GET", Path: "/a/{id}", At: at})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	of := func(step int, path string) map[string]string {
		return map[string]string{"id": reference{step: step, path: path}.String()}
	}
	if ask(1, nil).Guessed {
		t.Error("a request that needs nothing was guessed")
	}
	if ask(2, of(1, "other")).Guessed {
		t.Error("a value that neither server has given was held against one of them")
	}
	if !ask(3, of(1, "id")).Guessed {
		t.Error("the server lacks an id that the oracle has given, and it was not noticed")
	}
}

// Sessions and tokens are masked wherever an answer has them, also as an address has them.
func TestWhatIsConfided(t *testing.T) {
	tr := &trials{TrialOptions: TrialOptions{System: system.System{
		Session: system.Session{Answer: "opened.id", Expires: "opened.until"}}}}
	tr.confide(&answer{header: http.Header{"Set-Cookie": {"sid=cookie-12345; HttpOnly"}},
		parsed: map[string]any{"opened": map[string]any{"id": "session/ +12345", "until": "2026-01-02"},
			"signInToken": "token/?12345", "noteId": "n-12345678"}})
	text := "n-12345678 cookie-12345 session/ +12345 session%2F+%2B12345 session%2F%20+12345 token/?12345 " +
		"token%2F%3F12345"
	const want = "n-12345678 <secret> <secret> <secret> <secret> <secret> <secret>"
	if got := tr.scrub(text); got != want {
		t.Errorf("%s", got)
	}
	tr = &trials{TrialOptions: tr.TrialOptions}
	tr.confide(&answer{parsed: map[string]any{"opened": map[string]any{"id": "no-session-1"}}})
	if got := tr.scrub("no-session-1"); strings.Contains(got, "<secret>") {
		t.Error("an id without the member next to it was taken for a session")
	}
}
