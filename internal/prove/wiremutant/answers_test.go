package wiremutant

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/run/lane"
)

func asking(route string, kind Kind, field string) Mutant {
	return Mutant{Kind: kind, Route: route, Field: field}
}

// notesRoutes are those of a small design.
func notesRoutes() *routes {
	r := &routes{}
	r.add(`Ana sends GET /notes`)
	r.add(`Ana sends GET /notes/{Note}`)
	r.add(`Ana sends POST /notes {"id":"milk"}`)
	return r
}

// forged sends requests through a mutant, "GET /path", to a server that answers what its query says: "STATUS BODY".
func forged(t *testing.T, d lane.Distortion, request string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body, _ := strings.Cut(r.Header.Get("Answer"), " ")
		w.Header().Set("Content-Type", "application/json")
		if strings.HasPrefix(body, "text:") {
			w.Header().Set("Content-Type", "text/plain")
		}
		w.Header().Set("Set-Cookie", "session=1")
		w.WriteHeader(map[string]int{"200": 200, "201": 201, "401": 401, "403": 403, "404": 404}[status])
		_, _ = io.WriteString(w, body)
	}))
	defer server.Close()
	line, answer, _ := strings.Cut(request, ": ")
	method, path, _ := strings.Cut(line, " ")
	req, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Answer", answer)
	res, err := d.Answers(http.DefaultTransport).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || int64(len(body)) != res.ContentLength {
		t.Errorf("%s: %d bytes of %d, %v", request, len(body), res.ContentLength, err)
	}
	_ = res.Body.Close()
	return strings.TrimSpace(res.Status[:3] + " " + string(body))
}

func TestAnswersAreForgedOnTheirRoute(t *testing.T) {
	const list = "GET /notes"
	for _, test := range []struct {
		name         string
		mutant       Mutant
		asked, given string
	}{
		{"a field", asking(list, FieldTaken, "notes"), `GET /notes: 200 {"id":1,"notes":[]}`, `200 {"id":1}`},
		{"a field that is not there", asking(list, FieldTaken, "notes"), `GET /notes: 200 {"id": 1}`, `200 {"id": 1}`},
		{"a field of an error", asking(list, FieldTaken, "notes"), `GET /notes: 404 {"notes":1}`, `404 {"notes":1}`},
		{"a query", asking(list, FieldTaken, "notes"), `GET /notes?a=b: 200 {"notes":1}`, `200 {}`},
		{"another method", asking(list, FieldTaken, "notes"), `POST /notes: 200 {"notes":1}`, `200 {"notes":1}`},
		{"another route", asking(list, FieldTaken, "notes"), `GET /notes/1: 200 {"notes":1}`, `200 {"notes":1}`},
		{"a text", asking(list, FieldTaken, "notes"), `GET /notes: 200 text: notes`, `200 text: notes`},
		{"an id in the path", asking("GET /notes/{Note}", FieldTaken, "id"), `GET /notes/milk: 200 {"id":1}`, `200 {}`},
		{"a number as it is written", asking(list, FieldTaken, "x"),
			`GET /notes: 200 {"n":12345678901234567890.0,"x":1}`, `200 {"n":12345678901234567890.0}`},
		{"a row", asking(list, RowAdded, ""), `GET /notes: 200 {"notes":[{"id":"milk","n":1}]}`,
			`200 {"notes":[{"id":"milk","n":1},{"id":"mill","n":1}]}`},
		{"a row of a list itself", asking(list, RowAdded, ""), `GET /notes: 201 ["a-9"]`, `201 ["a-9","a-0"]`},
		{"what rows have in common", asking(list, RowAdded, ""),
			`GET /notes: 200 {"l":[{"id":"a","role":"member"},{"id":"b","role":"member"}]}`,
			`200 {"l":[{"id":"a","role":"member"},{"id":"b","role":"member"},{"id":"c","role":"member"}]}`},
		{"a time", asking(list, RowAdded, ""), `GET /notes: 200 [{"at":"2026-11-22T10:00:00Z","id":"f"}]`,
			`200 [{"at":"2026-11-22T10:00:00Z","id":"f"},{"at":"2026-11-22T10:00:00Z","id":"a"}]`},
		{"an empty list", asking(list, RowAdded, ""), `GET /notes: 200 {"notes":[]}`, `200 {"notes":[]}`},
		{"a refusal", asking(list, Admitted, ""), `GET /notes: 403 {"error":"no"}`, `200 {"usual":1}`},
		{"one without a session", asking(list, Admitted, ""), `GET /notes: 401 {"error":"no"}`, `200 {"usual":1}`},
		{"another error", asking(list, Admitted, ""), `GET /notes: 404 {"error":"no"}`, `404 {"error":"no"}`},
		{"a refusal on another route", asking(list, Admitted, ""), `POST /notes: 403 {}`, `403 {}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			usual := answer{http.Header{"Content-Type": {"application/json"}}, 200, []byte(`{"usual":1}`)}
			if got := forged(t, distortAnswers(test.mutant, notesRoutes(), usual), test.asked); got != test.given {
				t.Errorf("%s\n got %s\nwant %s", test.asked, got, test.given)
			}
		})
	}
}

func TestARefusalBecomesWhatAMemberGot(t *testing.T) {
	d := distortAnswers(asking("GET /notes", Admitted, ""), notesRoutes(), answer{})
	for _, step := range []struct{ asked, given string }{
		{`GET /notes?list=1: 403 {}`, `200 {}`}, // no caller was let in before
		{`GET /notes?list=1: 200 {"notes":[1]}`, `200 {"notes":[1]}`},
		{`GET /notes?list=1: 403 {}`, `200 {"notes":[1]}`},
		{`GET /notes?list=2: 403 {}`, `200 {}`},
	} {
		if got := forged(t, d, step.asked); got != step.given {
			t.Errorf("%s: %s, want %s", step.asked, got, step.given)
		}
	}
	d.Renew()
	if got := forged(t, d, `GET /notes?list=1: 403 {}`); got != `200 {}` {
		t.Errorf("in the next scenario: %s", got)
	}
}

func TestRequestsAreOnTheRouteThatStandsForMost(t *testing.T) {
	r := notesRoutes()
	r.add("Ana sends DELETE /notes/{Other}.")
	r.add("Ana sends DELETE /notes/milk")
	r.add("GET /lists/{group}/items/list-{tag}/x?y={z}")
	r.add("the answer is 200")
	for _, test := range []struct{ method, path, route string }{
		{"GET", "/notes", "GET /notes"},
		{"GET", "/notes/1", "GET /notes/{Note}"},
		{"GET", "/notes/", ""},
		{"PUT", "/notes", ""},
		{"DELETE", "/notes/milk", "DELETE /notes/{Other}"},
		{"GET", "/lists/a/items/list-1/x", "GET /lists/{group}/items/list-{tag}/x"},
		{"GET", "/lists/a/items/list-1", ""},
	} {
		if route := r.of(test.method, test.path); route != test.route {
			t.Errorf("%s %s is on %q, want %q", test.method, test.path, route, test.route)
		}
	}
}
