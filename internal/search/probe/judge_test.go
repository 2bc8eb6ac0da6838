package probe

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/search/explore"
)

const items = `
openapi: 3.1.0
info: {title: Items, version: "1"}
paths:
  /items/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        "200":
          description: ok
          content: {application/json: {schema: {type: object, required: [id], properties: {id: {}}}}}
        "401": {description: no session}
        "404":
          description: none
          content:
            application/json:
              schema: {type: object, required: [error], properties: {error: {type: string, enum: [no_item]}}}
`

// secret stands for everything that explore masks.
const secret = "ana@example.com"

func masked(text string) string { return strings.ReplaceAll(text, secret, "<e-mail>") }

// judged judges a trial of the design that has the contract items, whose error code is error.
func judged(t *testing.T, trial explore.Trial) *Result {
	t.Helper()
	return judgedAll(t, trial)
}

func judgedAll(t *testing.T, trials ...explore.Trial) *Result {
	t.Helper()
	design := system.System{Name: "items", Contract: []byte(items), ErrorCode: "error",
		NeedsStore: "/items/1"} // which may be missing all the same
	prober, err := New(design, &explore.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := contract.Load(design.Contract)
	if err != nil {
		t.Fatal(err)
	}
	for i := range trials {
		if trials[i].Operation.Answers == nil { // the test names no other route
			trials[i].Operation = read.Operations()[0]
		}
		for _, a := range []*explore.Attempt{trials[i].Valid, trials[i].Refused} {
			if a != nil {
				prober.Understand(trials[i].Operation, a) // as explore.Try does with each answer
			}
		}
	}
	return prober.Judge(explore.Tried{Trials: trials, Scrub: masked})
}

// answered is an attempt that got a JSON answer.
func answered(status int, body map[string]any) *explore.Attempt {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // the tests' own texts and numbers
	}
	return &explore.Attempt{Method: "GET", Path: "/items/1", Got: explore.Reply{Status: status, JSON: body, Body: raw,
		Header: http.Header{"Content-Type": {"application/json"}}}}
}

func written(t *testing.T, r *Result) string {
	t.Helper()
	var text, document bytes.Buffer
	if err := errors.Join(r.Text(&text, true), r.JSON(&document, "v")); err != nil {
		t.Fatal(err)
	}
	draft, err := r.Draft(nil)
	if err != nil {
		t.Fatal(err)
	}
	return text.String() + document.String() + string(draft)
}

// A route of which no request succeeds is not shown to fit, unless the reference server refuses the same request.
func TestARouteThatWasNotTriedDoesNotFit(t *testing.T) {
	refused := func(want *explore.Reply) explore.Trial {
		a := &explore.Attempt{Method: "GET", Path: "/items/1", Got: explore.Reply{Status: 401}, Want: want}
		return explore.Trial{Valid: a}
	}
	for name, trial := range map[string]explore.Trial{"documented": refused(nil), "without a request": {}} {
		r := judged(t, trial)
		if text := written(t, r); r.Fits() || r.Count(Unproven) != 1 || strings.Contains(text, "all fit") ||
			!strings.Contains(text, "items: 0 of 1 routes fit; 1 could not be tried, since no") {
			t.Errorf("%s: %s", name, text)
		}
	}
	r := judged(t, refused(&explore.Reply{Status: 401}))
	if text := written(t, r); !r.Fits() || !strings.Contains(text, "items: all fit (1 routes)") ||
		!strings.Contains(text, "no request was found that succeeds; the reference server answers the same") {
		t.Errorf("as the reference server: %s", text)
	}
}

// No text that a probe writes has what explore masks: in an error, a code, the name of a member, or a mapping.
func TestSecretsAreMasked(t *testing.T) {
	failed := answered(0, nil)
	failed.Got = explore.Reply{Err: &url.Error{Op: "Get", URL: "http://h/items?token=abcdefgh&of=" + secret,
		Err: errors.New("no answer for " + secret)}}
	named := answered(200, map[string]any{secret: 1})
	named.Want = &explore.Reply{Status: 200, JSON: map[string]any{"id": "i-1"}}
	code := answered(410, map[string]any{"error": secret + " is gone"})
	code.Want = &explore.Reply{Status: 404, JSON: map[string]any{"error": "no_item"}}
	for name, a := range map[string]*explore.Attempt{"an error": failed, "a member": named, "a code": code} {
		r := judged(t, explore.Trial{Valid: a})
		text := written(t, r)
		if strings.Contains(text, secret) || strings.Contains(text, "abcdefgh") || !strings.Contains(text, "<e-mail>") {
			t.Errorf("%s: %s", name, text)
		}
		if len(r.names.other) > 0 {
			t.Errorf("%s: the draft maps codes %v", name, r.names.other)
		}
	}
}

// That a route is missing is said of a valid request alone: a server may refuse another one as if there were no path.
func TestARefusalLikeAnUnknownPath(t *testing.T) {
	valid, refused := answered(200, map[string]any{"id": "1"}), answered(404, map[string]any{"error": "no_item"})
	valid.Want = &explore.Reply{Status: 200, JSON: map[string]any{"id": "1"}}
	refused.Absent, refused.Want = true, &explore.Reply{Status: 401}
	r := judged(t, explore.Trial{Valid: valid, Refused: refused})
	if got := r.Routes[0]; got.Verdict != Differs ||
		!slices.Equal(got.Refused.Differs, []string{"404 no_item, not 401"}) {
		t.Errorf("%+v", got.Refused)
	}
}

// Without a reference server, a documented 404 may say that an id is unknown: the route may still be there.
func TestADocumentedNotFoundIsUnsure(t *testing.T) {
	for _, test := range []struct {
		code    string
		verdict Verdict
		line    string
	}{
		{"no_item", Unproven, "\n  # GET /items/{id}: missing # 404 no_item; an id that is unknown, or the route\n"},
		{"no_route", Missing, "\n  GET /items/{id}: missing # 404 no_route\n"},
	} {
		valid := answered(404, map[string]any{"error": test.code})
		valid.Absent = true
		r := judged(t, explore.Trial{Valid: valid})
		draft, err := r.Draft(nil)
		if err != nil || r.Routes[0].Verdict != test.verdict || !strings.Contains(string(draft), test.line) {
			t.Errorf("%s: %s, %v\n%s", test.code, r.Routes[0].Verdict, err, draft)
		}
	}
}

// The result says why no refused request can be compared.
func TestARequestThatWasNotRefused(t *testing.T) {
	valid := answered(200, map[string]any{"id": "1"})
	text := written(t, judged(t, explore.Trial{Valid: valid}))
	if !regexp.MustCompile(`(?m)^  refused +- +- +no request was found that is refused$`).MatchString(text) {
		t.Errorf("%s", text)
	}
}

// A server that takes sessions in another form answers 401 to each of them, which says nothing of its other codes.
func TestAServerThatKnowsNoSession(t *testing.T) {
	trial := func(status, wanted int) explore.Trial {
		a := answered(status, map[string]any{"error": "NO_SESSION"})
		a.Person, a.Want = "Ana", &explore.Reply{Status: wanted, JSON: map[string]any{"error": "no_item"}}
		return explore.Trial{Valid: a}
	}
	guessed := explore.Trial{Valid: answered(403, map[string]any{"error": "NO_MEMBER"})}
	guessed.Valid.Person, guessed.Valid.Guessed, guessed.Valid.Want = "Ana", true, &explore.Reply{Status: 200}
	open := explore.Trial{Valid: answered(200, map[string]any{"id": "1"})}
	open.Valid.Person = "Ana"
	open.Operation = contract.Operation{Method: "GET", Path: "/open", Answers: map[string]*contract.Shape{"200": nil}}
	for name, test := range map[string]struct {
		trials []explore.Trial
		want   bool
	}{
		"each is answered 401":        {[]explore.Trial{trial(401, 200), trial(401, 404), trial(401, 200)}, true},
		"one is not":                  {[]explore.Trial{trial(401, 200), trial(401, 404), trial(200, 200)}, false},
		"so does the reference":       {[]explore.Trial{trial(401, 401), trial(401, 401), trial(401, 401)}, false},
		"there are too few to say so": {[]explore.Trial{trial(401, 200), trial(401, 404)}, false},
		"one with a guessed id is not": {
			[]explore.Trial{trial(401, 200), trial(401, 404), trial(401, 200), guessed}, true},
		"not everybody needs a session": {[]explore.Trial{trial(401, 200), trial(401, 404), trial(401, 200), {}}, true},
		"a route that asks for no session is not": {
			[]explore.Trial{trial(401, 200), trial(401, 404), trial(401, 200), open}, true},
		"they fail with another status": {[]explore.Trial{trial(403, 200), trial(403, 404), trial(403, 200)}, false},
	} {
		r := judgedAll(t, test.trials...)
		said := written(t, r)
		if got := strings.Contains(said, aboutSessions); got != test.want {
			t.Errorf("%s: said so: %t\n%s", name, got, said)
		}
		if guessed := strings.Contains(said, "NO_SESSION: no_item"); guessed == test.want {
			t.Errorf("%s: a code is guessed from it: %t\n%s", name, guessed, said)
		}
		if test.want && strings.Contains(said, "401: 404") {
			t.Errorf("%s: a status is guessed from it:\n%s", name, said)
		}
	}
}
