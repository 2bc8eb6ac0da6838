package mapping

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/system"
)

const contractOfNotes = `
openapi: 3.1.0
info: {title: notes, version: "1"}
paths:
  /api/health: {get: {responses: {'200': {description: up}}}}
  /api/notes:
    get:
      responses:
        '200': {description: all, content: {application/json: {schema: {$ref: '#/components/schemas/Notes'}}}}
        '400': {$ref: '#/components/responses/Bad'}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses:
        '200': {description: the note, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '400': {$ref: '#/components/responses/Bad'}
        '409': {$ref: '#/components/responses/Conflict'}
  /api/note:
    get:
      parameters:
        - {name: noteId, in: query, schema: {type: string}}
        - {name: pageSize, in: query, schema: {type: string}}
      responses:
        '200': {description: the note, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '404': {description: none}
  /api/rename:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses: {'200': {description: done}, '404': {description: none}}
  /api/lists/{listId}/notes:
    get:
      parameters: [{name: listId, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: all}}
  /api/chat: {post: {responses: {'200': {description: said}}}}
components:
  responses:
    Bad: {description: bad, content: {application/json: {schema: {$ref: '#/components/schemas/Bad'}}}}
    Conflict: {description: conflict, content: {application/json: {schema: {$ref: '#/components/schemas/Stale'}}}}
    NotFound: {description: no route, content: {application/json: {schema: {$ref: '#/components/schemas/None'}}}}
  schemas:
    Note:
      type: object
      properties:
        noteId: {type: string}
        noteText: {type: string}
        size: {type: number}
        message: {type: string}
        owner: {type: object, properties: {email: {type: string}}}
    Notes: {type: object, properties: {notes: {type: array, items: {$ref: '#/components/schemas/Note'}}}}
    Bad: {type: object, properties: {error: {enum: [bad_request]}, message: {type: string}}}
    Stale: {type: object, properties: {error: {enum: [conflict, note_gone]}, message: {type: string}}}
    None: {type: object, properties: {error: {enum: [not_found]}, message: {type: string}}}
`

func notes() system.System {
	return system.System{Name: "notes", Ready: "/api/health", NeedsStore: "/api/notes", ErrorCode: "error",
		Contract: []byte(contractOfNotes), Session: system.Session{Header: "x-session-id", Cookie: "notes_session"}}
}

const mapOfNotes = `
routes:
  GET /api/health: GET /healthz
  GET /api/notes: GET /v2/memos
  POST /api/notes: POST /v2/memos
  GET /api/note: GET /v2/memos/{noteId}
  POST /api/rename:
    to: PATCH /v2/memos/{noteId}
    request-fields: {noteText: newText}
    codes: {GONE: 409 note_gone}
  GET /api/lists/{listId}/notes: GET /v2/list-notes?list={listId}
  POST /api/chat: missing
fields:
  noteId: memo_id
  noteText: memo_text
  pageSize: page_size
  owner.email: author.address.mail
answer-fields:
  notes: data.items
error-fields:
  error: problem.code
  message: problem.text
codes: {INVALID: bad_request, STALE: conflict}
statuses: {422: 400}
headers: {Idempotency-Key: X-Operation}
session: {header: "Authorization: Bearer {session}", cookie: "sid=s.{session}"}
`

func read(t *testing.T, text string) *Mapping {
	t.Helper()
	m, err := Parse("map.yaml", []byte(text), notes())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// seen is a request as the server got it.
type seen struct{ request, body string }

// exchange sends a request through the mapping to a server that answers with a status and a body.
func exchange(t *testing.T, m *Mapping, method, address, body string, header http.Header, status int,
	answer string, answered http.Header) (seen, *http.Response, string, *Exchange, error) {
	t.Helper()
	var got seen
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		got = seen{r.Method + " " + r.URL.RequestURI(), string(content)}
		for _, name := range []string{"Authorization", "X-Operation", "X-Session-Id", "Idempotency-Key", "Cookie"} {
			if value := r.Header.Get(name); value != "" {
				got.request += " " + name + ": " + value
			}
		}
		for name, values := range answered {
			w.Header()[name] = values
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	defer server.Close()
	ctx, kept := Keep(t.Context())
	request, err := http.NewRequestWithContext(ctx, method, server.URL+address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	client := &http.Client{Transport: m.Transport(http.DefaultTransport)}
	response, err := client.Do(request)
	if err != nil {
		return got, nil, "", kept, err
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return got, response, string(content), kept, nil
}

func TestRequestsLeaveWithTheServersNames(t *testing.T) {
	m := read(t, mapOfNotes)
	for name, test := range map[string]struct {
		method, address, body string
		header                http.Header
		want                  seen
	}{
		"a field": {"POST", "/api/notes", `{"noteText":"a","other":1}`, nil,
			seen{"POST /v2/memos", `{"memo_text":"a","other":1}`}},
		"numbers and order stay": {"POST", "/api/notes",
			`{"z":1.00, "noteText":"é\u00e9", "a":12345678901234567890}`, nil,
			seen{"POST /v2/memos", `{"z":1.00,"memo_text":"é\u00e9","a":12345678901234567890}`}},
		"a name that appears twice": {"POST", "/api/notes", `{"noteText":"a","noteText":"b"}`, nil,
			seen{"POST /v2/memos", `{"memo_text":"a","memo_text":"b"}`}},
		"a body without the names is not touched": {"POST", "/api/notes", `{ "x" : [ 1 ] }`, nil,
			seen{"POST /v2/memos", `{ "x" : [ 1 ] }`}},
		"what is malformed": {"POST", "/api/notes", `{"noteText":"a"`, nil, seen{"POST /v2/memos", `{"noteText":"a"`}},
		"text after the object": {"POST", "/api/notes", `{"noteText":"a"} x`, nil,
			seen{"POST /v2/memos", `{"noteText":"a"} x`}},
		"what is not UTF-8": {"POST", "/api/notes", "{\"noteText\":\"\xff\"}", nil,
			seen{"POST /v2/memos", "{\"memo_text\":\"\xff\"}"}},
		"a place": {"POST", "/api/notes", `{"owner":{"email":"a"}}`, nil,
			seen{"POST /v2/memos", `{"author":{"address":{"mail":"a"}}}`}},
		"fields of errors are not those of requests": {"POST", "/api/notes", `{"message":"hello"}`, nil,
			seen{"POST /v2/memos", `{"message":"hello"}`}},
		"from the query into the path": {"GET", "/api/note?pageSize=2&noteId=a%2Fb%20c", "", nil,
			seen{"GET /v2/memos/a%2Fb%20c?page_size=2", ""}},
		"from the body into the path": {"POST", "/api/rename", `{"noteId":"n1","noteText":"b"}`, nil,
			seen{"PATCH /v2/memos/n1", `{"newText":"b"}`}},
		"from the path into the query": {"GET", "/api/lists/l%201/notes?x=1", "", nil,
			seen{"GET /v2/list-notes?list=l+1&x=1", ""}},
		"headers and the session": {"POST", "/api/notes", "",
			http.Header{"X-Session-Id": {"s1"}, "Idempotency-Key": {"k"}, "Cookie": {"notes_session=s1; other=2"}},
			seen{"POST /v2/memos Authorization: Bearer s1 X-Operation: k Cookie: sid=s.s1; other=2", ""}},
		"cookies that are malformed": {"POST", "/api/notes", "",
			http.Header{"Cookie": {"notes_session; =x;;notes_session={ ,\";  notes_session=\"s1\" ;b=\x80"}},
			seen{"POST /v2/memos Cookie: notes_session; =x;;sid=s.{ ,\";  sid=s.\"s1\" ;b=\x80", ""}},
		"another path": {"GET", "/api/nothing?noteId=1", "", nil,
			seen{"GET /api/nothing?memo_id=1", ""}},
		"a method that the path does not list": {"DELETE", "/api/notes", "", nil, seen{"DELETE /v2/memos", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, _, _, err := exchange(t, m, test.method, test.address, test.body, test.header, 200, "{}", nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(seen{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What goes into the query of the server's route is sent as it is, whatever it holds, under the route's own name.
func TestValuesInTheQueryOfTheServersRoute(t *testing.T) {
	m := read(t, "routes:\n  GET /api/note: GET /v2/memo?noteId={noteId}&both={noteId}-{pageSize}\n"+
		"fields: {noteId: memo, pageSize: page}\n")
	for address, want := range map[string]string{
		"/api/note?noteId=a&pageSize=2": "GET /v2/memo?noteId=a&both=a-2",
		"/api/note?noteId=..":           "GET /v2/memo?noteId=..",
		"/api/note?noteId=":             "GET /v2/memo?noteId=",
		"/api/note?pageSize=2":          "GET /v2/memo?page=2",
	} {
		got, _, _, _, err := exchange(t, m, "GET", address, "", nil, 200, "{}", nil)
		if err != nil || got.request != want {
			t.Errorf("%s is sent as %s, not %s (%v)", address, got.request, want, err)
		}
	}
}

func TestTwoHeadersUnderOneName(t *testing.T) {
	_, err := Parse("map.yaml", []byte("headers: {If-Match: X-Version, If-None-Match: X-Version}\n"), notes())
	if err == nil || !strings.Contains(err.Error(), `If-Match and If-None-Match are both "X-Version" on the server`) {
		t.Errorf("error %v", err)
	}
}

func TestRequestsThatTheServerCannotBeSent(t *testing.T) {
	m := read(t, mapOfNotes)
	for name, test := range map[string]struct{ method, address, body, want string }{
		"a missing route": {"POST", "/api/chat", "{}", "the server lacks POST /api/chat (--map)"},
		"no value for the path": {"GET", "/api/note", "", "GET /api/note cannot be sent as GET /v2/memos/{noteId}: " +
			"there is no {noteId} in the request that a path can hold (--map)"},
		"a value that appears twice": {"GET", "/api/note?noteId=1&noteId=2", "", "cannot be sent as"},
		"a value that climbs":        {"GET", "/api/note?noteId=..", "", "cannot be sent as"},
		"a body that is not JSON":    {"POST", "/api/rename", `{"noteId":"1"`, "cannot be sent as"},
		"a value that is no text":    {"POST", "/api/rename", `{"noteId":["1"]}`, "cannot be sent as"},
		"a method that is another route": {"PATCH", "/api/note?noteId=1", "",
			"PATCH /api/note cannot be sent: PATCH /v2/memos/{noteId} of the server is another route (--map)"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, _, _, err := exchange(t, m, test.method, test.address, test.body, nil, 200, "{}", nil)
			unsent := Unsent(err)
			if unsent == nil || !strings.Contains(unsent.Error(), test.want) || got.request != "" {
				t.Errorf("error %v, and the server was sent %q", err, got.request)
			}
		})
	}
}
