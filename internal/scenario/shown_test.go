package scenario

import (
	"strings"
	"testing"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
)

// shower is the world of a scenario in which Ana has a session, and whose only step says the text.
func shower(step string) *World {
	w := newWorld(&Stage{
		suite:  &Suite{Vocabulary: NewVocabulary(nil)},
		lane:   &lane.Lane{Maker: &lane.Maker{}, Lease: store.NewLease(&store.Namespace{}, nil)},
		pickle: &godog.Scenario{Steps: []*messages.PickleStep{{Text: step}}},
	}, "")
	w.People.byName["Ana"] = &Person{Name: "Ana", Email: "ana.x1@example.com", Session: "s-ABCDEFGHIJKL"}
	return w
}

func TestShownBody(t *testing.T) {
	var varied strings.Builder
	for i := range longestBody {
		varied.WriteByte("ab"[i%2])
	}
	for _, test := range []struct{ name, kind, body, want string }{
		{"values", "", `{"groupId":"g1","count":2}`, `{"count":2,"groupId":"g1"}`},
		{"what may be confidential", "",
			`{"token":"abc","user":{"email":"a@b.c","sessionId":"s"},"list":[{"inviteCode":"x"}]}`,
			`{"list":[{"inviteCode":"{inviteCode}"}],"token":"{token}",` +
				`"user":{"email":"{email}","sessionId":"{sessionId}"}}`},
		{"what anybody can read in the feature", "", `{"token":"no-such-token"}`, `{"token":"no-such-token"}`},
		{"no JSON", "", `{"groupId": "g1", "email": "ana.x1@example.com", "id": "s-ABCDEFGHIJKL"`,
			`{"groupId": "g1", "email": "<e-mail of Ana>", "id": "<session of Ana>"`},
		{"a form", OfForm, "token=abc&groupId=g+1", "token={token}&groupId=g+1"},
		{"nothing in an object", "", `{}`, `{}`},
		{"a list", "", `[{"token":"abc"},12345678901234567890]`, `[{"token":"{token}"},12345678901234567890]`},
		{"nothing", "", "", ""},
		{"no text", "", "\xff\xfe", "{body}"},
		{"a letter many times", "", `{"text":"` + strings.Repeat("x", 5000) + `y"}`, `{"text":"{5000×x}y"}`},
		{"another letter many times", "", `{"text":"` + strings.Repeat("é", longestRun) + `"}`,
			`{"text":"` + strings.Repeat("é", longestRun) + `"}`},
		{"too long", "", `{"text":"` + varied.String() + `"}`, "{body}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := shower(`POST /x {"token":"no-such-token"}`)
			if got := w.Report.shownBody(test.kind, test.body); got != test.want {
				t.Errorf("shown as %s, want %s", got, test.want)
			}
		})
	}
}

func TestShownQuery(t *testing.T) {
	for query, want := range map[string]string{
		"":                                  "",
		"groupId=g+1&email=ana%40b.c&a=%7B": "?groupId=g+1&email={email}&a=%7B",
		"token=no-such-token&b":             "?token=no-such-token&b",
	} {
		if got := shower("GET /x?token=no-such-token").Report.shownQuery(query); got != want {
			t.Errorf("%s is shown as %s, want %s", query, got, want)
		}
	}
}

func TestShownAnswer(t *testing.T) {
	w := shower("GET /x")
	for _, test := range []struct {
		name   string
		status int
		body   string
		parsed any
		want   string
	}{
		{"one that is right", 200, "fine", nil, ""},
		{"an error", 500, `{"error":"x","sessionId":"abc"}`, map[string]any{"error": "x", "sessionId": "abc"},
			`{"error":"x","sessionId":"{sessionId}"}`},
		{"a page", 502, "no session s-ABCDEFGHIJKL of ana.x1@example.com", nil,
			"no session <session of Ana> of <e-mail of Ana>"},
		{"a picture", 500, "\xff\xd8", nil, "(2 bytes that are not text)"},
		{"a long one", 500, strings.Repeat("é", longestAnswer+1), nil, strings.Repeat("é", longestAnswer) + "…"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := &RoundTrip{Status: test.status, Body: []byte(test.body), Parsed: test.parsed}
			if got := w.Report.refusal(e); got != test.want {
				t.Errorf("shown as %s, want %s", got, test.want)
			}
		})
	}
}
