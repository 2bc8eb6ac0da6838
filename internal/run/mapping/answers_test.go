package mapping

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestAnswersComeBackWithTheContractsNames(t *testing.T) {
	m := read(t, mapOfNotes)
	for name, test := range map[string]struct {
		method, address string
		status          int
		answer          string
		wantStatus      int
		want            string
	}{
		"fields at any depth": {"GET", "/api/notes", 200,
			`{"data":{"items":[{"memo_id":"1","size":1.50},{"memo_id":"2"}]}}`,
			200, `{"notes":[{"noteId":"1","size":1.50},{"noteId":"2"}]}`},
		"what else is there stays": {"GET", "/api/notes", 200, `{"data":{"items":[],"next":"x"},"meta":1}`, 200,
			`{"data":{"next":"x"},"meta":1,"notes":[]}`},
		"a place in a list's items": {"GET", "/api/notes", 200, `{"author":{"address":{"mail":"a"}}}`, 200,
			`{"owner":{"email":"a"}}`},
		"two members in one place: none is dropped": {"POST", "/api/notes", 200,
			`{"noteId":"own","memo_id":"1"}`, 200,
			`{"noteId (not mapped)":"own","noteId":"1"}`},
		"an error": {"POST", "/api/notes", 422, `{"problem":{"code":"INVALID","text":"no"}}`, 400,
			`{"error":"bad_request","message":"no"}`},
		"the code of a route, with its status": {"POST", "/api/rename", 404, `{"problem":{"code":"GONE"}}`, 409,
			`{"error":"note_gone"}`},
		"a code that is not mapped": {"POST", "/api/notes", 409,
			`{"problem":{"code":"OTHER"}}`, 409, `{"error":"OTHER"}`},
		"a status of another class keeps it": {"POST", "/api/rename", 500, `{"problem":{"code":"GONE"}}`, 500,
			`{"error":"note_gone"}`},
		"a code in the contract's place stays next to one that is mapped": {"POST", "/api/notes", 409,
			`{"error":"own","problem":{"code":"STALE"}}`, 409, `{"error (not mapped)":"own","error":"conflict"}`},
		"an answer that is not JSON": {"GET", "/api/notes", 200, `{"memo_id":`, 200, `{"memo_id":`},
		"a path that is not listed": {"GET", "/api/nothing", 404, `{"problem":{"code":"INVALID"}}`, 404,
			`{"error":"bad_request"}`},
	} {
		t.Run(name, func(t *testing.T) {
			body := ""
			if test.method == "POST" {
				body = `{"noteId":"1"}`
			}
			_, response, got, kept, err := exchange(t, m, test.method, test.address, body, nil, test.status,
				test.answer, nil)
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != test.wantStatus || got != test.want {
				t.Errorf("%d %s, not %d %s", response.StatusCode, got, test.wantStatus, test.want)
			}
			if _, raw := kept.Raw(response.Header, []byte(got)); string(raw) != test.answer {
				t.Errorf("the answer itself is %s", raw)
			}
		})
	}
}

func TestHeadersOfAnswers(t *testing.T) {
	m := read(t, mapOfNotes)
	_, response, _, kept, err := exchange(t, m, "PUT", "/api/notes", "", nil, 405, "{}", http.Header{
		"Set-Cookie": {"sid=s.abc; Path=/; HttpOnly", "other=1"},
		"Location":   {"/v2/memos/n%201?x=1"}, "Allow": {"GET, POST"}, "X-Operation": {"k"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Set-Cookie": "notes_session=abc; Path=/; HttpOnly|other=1",
		"Location": "/api/note?noteId=n+1&x=1", "Allow": "GET, POST", "Idempotency-Key": "k"} {
		if got := strings.Join(response.Header[name], "|"); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	if kept.Header.Get("Location") != "/v2/memos/n%201?x=1" {
		t.Error("the header of the server itself was changed")
	}
	_, response, _, _, err = exchange(t, m, "DELETE", "/api/rename", `{"noteId":"1"}`, nil, 405, "{}",
		http.Header{"Allow": {"PATCH, OPTIONS"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := response.Header.Get("Allow"); got != "POST, OPTIONS" {
		t.Errorf("Allow is %q", got)
	}
}

// Only an address of the server itself is one of its routes.
func TestLocation(t *testing.T) {
	m := read(t, mapOfNotes)
	asked, err := url.Parse("http://here:7071/v2/memos/n1")
	if err != nil {
		t.Fatal(err)
	}
	for location, want := range map[string]string{
		"/v2/memos/n%201?x=1#y":         "/api/note?noteId=n+1&x=1#y",
		"n2":                            "/api/note?noteId=n2",
		"../memos/n2":                   "/api/note?noteId=n2",
		"?x=1":                          "/api/note?noteId=n1&x=1",
		"http://here:7071/v2/memos/n2":  "http://here:7071/api/note?noteId=n2",
		"HTTP://HERE:7071/v2/memos/n2":  "HTTP://HERE:7071/api/note?noteId=n2",
		"//here:7071/v2/memos/n2":       "//here:7071/api/note?noteId=n2",
		"http://there/v2/memos/n2":      "http://there/v2/memos/n2",
		"//there/v2/memos/n2":           "//there/v2/memos/n2",
		"http://here:7072/v2/memos/n2":  "http://here:7072/v2/memos/n2",
		"https://here:7071/v2/memos/n2": "https://here:7071/v2/memos/n2",
		"mailto:n2":                     "mailto:n2",
		"/elsewhere":                    "/elsewhere",
		"http://[/v2/memos/n2":          "http://[/v2/memos/n2",
	} {
		if got := m.back(location, asked); got != want {
			t.Errorf("%s is %s, not %s", location, got, want)
		}
	}
}

// A name of a route is meant wherever the member stands, also where all routes have a place for it.
func TestANameOfARouteGoesBeforeASharedPlace(t *testing.T) {
	m := read(t, "fields: {/noteText: memo.text, owner.email: author.mail}\nroutes:\n  POST /api/notes:\n"+
		"    to: POST /v2/memos\n    fields: {noteText: body, email: address}\n  POST /api/rename: POST /v2/rename\n")
	for address, want := range map[string]string{
		"/api/notes":  `{"body":"a","owner":{"address":"b"}}`,
		"/api/rename": `{"author":{"mail":"b"},"memo":{"text":"a"}}`,
	} {
		const body = `{"noteText":"a","owner":{"email":"b"}}`
		got, _, back, _, err := exchange(t, m, "POST", address, body, nil, 200, want, nil)
		if err != nil || got.body != want || back != body {
			t.Errorf("%s is sent as %s, not %s, and comes back as %s (%v)", address, got.body, want, back, err)
		}
	}
}

func TestABrokenConnectionStaysBroken(t *testing.T) {
	m := read(t, mapOfNotes)
	broken := roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(io.MultiReader(strings.NewReader(`{"memo_id":"1"}`), failing{errHalf}))}, nil
	})
	request := httptest.NewRequestWithContext(t.Context(), "GET", "http://here/api/notes", nil)
	response, err := m.Transport(broken).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(response.Body); !errors.Is(err, errHalf) || string(got) != `{"memo_id":"1"}` {
		t.Errorf("%s, %v", got, err)
	}
	_ = response.Body.Close()
}

var errHalf = errors.New("half of it")

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestWithoutAMappingNothingChanges(t *testing.T) {
	var none *Mapping
	if none.Transport(http.DefaultTransport) != http.DefaultTransport {
		t.Error("there is another transport")
	}
	if fitted := none.Fit(notes()); fitted.Ready != "/api/health" || none.Missing() != nil {
		t.Errorf("%+v", fitted)
	}
}

func TestFit(t *testing.T) {
	m := read(t, mapOfNotes+"ids: n_{hex}\n")
	fitted := m.Fit(notes())
	if fitted.Ready != "/healthz" || !strings.HasPrefix(fitted.NewID("a", "b"), "n_") {
		t.Errorf("%q, %q", fitted.Ready, fitted.NewID("a", "b"))
	}
	parts := m.Missing()
	if len(parts) != 1 || parts[0].Name != "POST /api/chat" {
		t.Fatalf("%+v", parts)
	}
	for text, want := range map[string]bool{`Ana sends POST /api/chat {"a":1}`: true, "/api/chat": true,
		"Ana sends POST /api/chats": false, "GET /api/chat": false, "POST /api/chat": true} {
		if parts[0].Shown.MatchString(text) != want {
			t.Errorf("%q needs the route: %t", text, !want)
		}
	}
}
