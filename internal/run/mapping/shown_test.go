package mapping

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What reports show of a request is what the server was sent, with what a reader fills in still in braces.
func TestShownAsTheServerTakesIt(t *testing.T) {
	m, err := Parse("map.yaml", []byte(`
routes:
  GET /api/note: GET /v2/memos/{noteId}
  GET /api/lists/{listId}/notes: GET /v2/list-notes?list={listId}
  POST /api/chat: missing
session: {header: "Authorization: Bearer {session}"}
fields: {noteText: memo_text}
`), notes())
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		given Shown
		want  *Shown
	}{
		"a body and a session": {
			Shown{Method: "POST", Path: "/api/notes", Body: `{"noteText":"{noteText}","size":1}`,
				Header: []string{"x-session-id: {session}", "Content-Type: application/json"}},
			&Shown{Method: "POST", Path: "/api/notes", Body: `{"memo_text":"{noteText}","size":1}`,
				Header: []string{"Authorization: Bearer {session}", "Content-Type: application/json"}}},
		"a query that becomes a path": {Shown{Method: "GET", Path: "/api/note", Query: "?noteId={noteId}&a=b"},
			&Shown{Method: "GET", Path: "/v2/memos/{noteId}", Query: "?a=b"}},
		"a path that becomes a query": {Shown{Method: "GET", Path: "/api/lists/l1/notes"},
			&Shown{Method: "GET", Path: "/v2/list-notes", Query: "?list=l1"}},
		"a body that is left out": {Shown{Method: "POST", Path: "/api/notes", Body: "{body}"},
			&Shown{Method: "POST", Path: "/api/notes", Body: "{body}"}},
		"what the server lacks": {Shown{Method: "POST", Path: "/api/chat", Body: "{}"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, m.Show(test.given)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got := (*Mapping)(nil).Show(Shown{Method: "GET", Path: "/"}); got != nil {
		t.Errorf("%v without a mapping", got)
	}
}
