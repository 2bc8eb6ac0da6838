package system

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A header that is the same for all may be a key; who sends the request is in the others.
func TestWhoSendsARequestIsShown(t *testing.T) {
	var people []Mapping
	for _, header := range [][2]string{{"X-Key", "s3cret"}, {"X-User", "u-{userKey}"},
		{"X-Claims", `{"mail":"{email}","name":"{name}"}`}} {
		mapping, err := NewMapping(header[0], header[1], PersonPlaceholders())
		if err != nil {
			t.Fatal(err)
		}
		people = append(people, mapping)
	}
	described := System{Session: Session{Header: "X-Session"}, People: people}
	ana := Caller{Name: "Ana", Email: "ana@example.com", UserKey: "k1"}
	for _, test := range []struct {
		name    string
		session string
		want    []string
	}{
		{"without a session", "", []string{"X-Key: {X-Key}", "X-User: u-" + ana.UserKey,
			`X-Claims: {"mail":"{email}","name":"Ana"}`}},
		{"with one", "s-1", []string{"X-Session: {session}", "X-Key: {X-Key}", "X-User: u-" + ana.UserKey,
			`X-Claims: {"mail":"{email}","name":"Ana"}`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://here/", nil)
			if err != nil {
				t.Fatal(err)
			}
			ana.Session = test.session
			if diff := cmp.Diff(test.want, described.Introduce(request, ana)); diff != "" {
				t.Errorf("shown (-want +got):\n%s", diff)
			}
			sent := map[string]string{"X-Session": test.session, "X-Key": "s3cret", "X-User": "u-" + ana.UserKey,
				"X-Claims": `{"mail":"ana@example.com","name":"Ana"}`}
			for name, want := range sent {
				if got := request.Header.Get(name); got != want {
					t.Errorf("%s is sent as %q, not %q", name, got, want)
				}
			}
		})
	}
}
