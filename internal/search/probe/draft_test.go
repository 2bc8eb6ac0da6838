package probe

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/source"
)

const notes = `
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema:
                type: object
                required: [noteId, owner]
                properties: {noteId: {type: string}, owner: {type: string}}
        "404":
          description: none
          content:
            application/json:
              schema: {type: object, required: [error], properties: {error: {type: string, enum: [no_note]}}}
  /stock:
    get:
      responses: {"200": {description: ok}}
`

// What is sure is in the draft, what is likely is commented out, and the health route is never missing: the draft
// can be read.
func TestADraftCanBeRead(t *testing.T) {
	design := system.System{Name: "notes", Contract: []byte(notes), ErrorCode: "error", Ready: "/stock"}
	prober, err := New(design, &explore.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := contract.Load(design.Contract)
	if err != nil {
		t.Fatal(err)
	}
	want := explore.Reply{Status: 200, JSON: map[string]any{"noteId": "n-1", "owner": "Ana Maria"}}
	trials := []explore.Trial{{
		Operation: read.Operations()[0],
		Valid: &explore.Attempt{Method: "GET", Path: "/notes", Want: &want, Got: explore.Reply{Status: 200,
			JSON: map[string]any{"note_id": "x-7", "author": "Ana Maria", "a@b.example": "1"}}},
		Refused: &explore.Attempt{Method: "GET", Path: "/notes",
			Want: &explore.Reply{Status: 404, JSON: map[string]any{"error": "no_note"}},
			Got:  explore.Reply{Status: 410, JSON: map[string]any{"problem": map[string]any{"code": "GONE"}}}},
	}, {
		Operation: read.Operations()[1],
		Valid: &explore.Attempt{Method: "GET", Path: "/stock", Absent: true, Want: &explore.Reply{Status: 200},
			Got: explore.Reply{Status: 404}},
	}}
	result := prober.Judge(explore.Tried{Trials: trials, Scrub: masked})
	if result.Fits() || result.Count(Differs) != 1 || result.Count(Missing) != 1 {
		t.Errorf("judged as %+v", result.Routes)
	}
	draft, err := result.Draft(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"\n  noteId: note_id # ", "\n  owner: author # same value",
		"\n  error: problem.code # ",
		"\n  # GONE: no_note # ", "\n  # 410: 404 # ", "\n  # GET /stock: GET /"} {
		if !strings.Contains(string(draft), line) {
			t.Errorf("the draft lacks %q:\n%s", line, draft)
		}
	}
	if strings.Contains(string(draft), "a@b.example") {
		t.Errorf("the draft has data:\n%s", draft)
	}
	if _, err := mapping.Parse("draft", draft, design); err != nil {
		t.Error(err)
	}
}

// What a file says already, active or commented out, is not said again; what only looks alike is.
func TestWhatAFileSaysAlready(t *testing.T) {
	r := &Result{System: "notes"}
	lines := []*line{{"routes", "GET /a: missing", "", false}, {"fields", "id: note", "", false},
		{"error-fields", "id: note", "", false}, {"codes", "GONE: gone", "seen", true},
		{"statuses", "410: 404", "", true}}
	given := "routes: {GET /a: missing}\nfields:\n  noteid: note_id\n  id: note # sure\n" +
		"# codes:\n#   GONE: gone # seen\n"
	want := given + "\n# Seen by storespec probe notes, through the mapping above:\n# error-fields:\n#   id: note\n" +
		"# statuses:\n#   410: 404\n"
	if diff := cmp.Diff(want, string(r.more([]byte(given), lines))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	given = "fields:\n  noteid: note_id\n" // has the text "id: note"
	if got := string(r.more([]byte(given), lines[1:2])); !strings.Contains(got, "# fields:\n#   id: note\n") {
		t.Errorf("%s", got)
	}
}

// A mistake that is in no line takes a line of its own section out of the draft, and says why.
func TestAMistakeOfASection(t *testing.T) {
	lines := []*line{{"routes", "GET /a: missing", "404", false}, {"fields", "id: note", "", false}}
	text := "# Written\n\nroutes:\n  GET /a: missing # 404\n\nfields:\n  id: note\n"
	if !refuse(lines, text, []*source.Error{{Line: 6, Reason: "no"}}) || lines[0].off || !lines[1].off ||
		lines[1].why != "a mapping cannot say this: no" {
		t.Errorf("%+v %+v", lines[0], lines[1])
	}
	if !refuse(lines, text, []*source.Error{{Line: 4, Reason: "no"}}) || !lines[0].off ||
		lines[0].why != "404; a mapping cannot say this: no" {
		t.Errorf("%+v", lines[0])
	}
}
