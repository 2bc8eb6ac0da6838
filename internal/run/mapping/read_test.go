package mapping

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/source/yamldoc"
)

// mistaken is a file in which much is wrong.
const mistaken = `routes:
  POST /api/note: POST /v2/memos
  GET /api/note: /v2/memos
  POST /api/chat: POST /api/notes
  GET /api/lists/{listId}/notes: GET /v2/lists
  POST /api/rename: POST /v2/{noteID}
  GET /api/notes: missing
feilds: {}
fields:
  noteTxt: text
  noteId: id
  pageSize: id
  owner.email: mails[].mail
answer-fields: {notes: "a..b"}
codes: {conflict: STALE, X: conflikt, Y: 500 conflict}
statuses: {500: 400, 404: 200, 409: 418}
headers: {Content-Type: X-Type, x-session-id: X-Token, X-Other: X-More}
session: {header: Authorization, cookie: "{session}"}
ids: fixed
laid:
  - columns: {a: b}
  - with: Groups
    columns: {RowKey: x, at: "{createdAt:year}"}
    rows: [{table: T}]
`

// All mistakes of a file are reported at once, each with its line and with what was probably meant.
func TestAllMistakesAtOnce(t *testing.T) {
	_, err := Parse("map.yaml", []byte(mistaken), notes())
	if err == nil {
		t.Fatal("nothing is wrong")
	}
	want := []string{
		`map.yaml:2: the contract has no route "POST /api/note"; did you mean POST /api/notes?`,
		`map.yaml:3: GET /api/note: "/v2/memos" is not like POST /v2/groups/{groupId}, or missing`,
		`map.yaml:4: POST /api/chat is sent as POST /api/notes, which is itself a route of the contract; say what ` +
			`the server has instead of that`,
		`map.yaml:5: GET /api/lists/{listId}/notes: the server's route must have {listId} in its path or its query`,
		`map.yaml:6: the contract has no value for the path of POST /api/rename: "noteID"; did you mean noteId?`,
		`map.yaml:8: the mapping has an unknown key "feilds"; did you mean fields?`,
		`map.yaml:10: the contract has no field "noteTxt"; did you mean noteText?`,
		`map.yaml:12: fields: noteId and pageSize are both "id" on the server`,
		`map.yaml:13: owner.email and mails[].mail must be inside the same number of lists`,
		`map.yaml:14: "a..b" is not like name, a.name, list[].name or /name`,
		`map.yaml:15: "conflict" is a code of the contract: the server's code goes on the left, so "STALE": conflict`,
		`map.yaml:15: the contract has no code "conflikt"; did you mean conflict?`,
		`map.yaml:15: status 500 cannot be mapped: it says that the server failed`,
		`map.yaml:16: status 500 cannot be mapped: it says that the server failed`,
		`map.yaml:16: status 404 cannot be mapped to 200: a mapping must not make a failure of a success, nor the ` +
			`other way round`,
		`map.yaml:16: the contract has no status 418`,
		`map.yaml:17: Content-Type cannot be X-Type: its meaning is HTTP's own`,
		`map.yaml:17: x-session-id carries the session: session: {header: "X-Token: {session}"} says what ` +
			`the server has`,
		`map.yaml:17: the contract has no header "X-Other"; it has ETag, Idempotency-Key, If-Match, If-None-Match, ` +
			`Location, Retry-After`,
		`map.yaml:18: session: header must be like "Authorization: Bearer {session}"`,
		`map.yaml:18: session: cookie must be like "sid={session}"`,
		`map.yaml:19: ids must be a text that differs for each id: with {uuid} or {hex}, or with {name} and {tag}`,
		`map.yaml:21: an entry of laid must say with what: the name of a table, or of a blob such as ` +
			`sessions/{session}.json`,
		`map.yaml:23: RowKey cannot be added as a column`,
		`map.yaml:23: at: {createdAt:year} is not known; known: {name:sha256}, {name:unix}, {name:unixms}`,
		`map.yaml:24: an item of rows lacks key`,
	}
	withoutColumns := regexp.MustCompile(`(?m)^(map\.yaml:\d+):\d+:`).ReplaceAllString(err.Error(), "$1:")
	if diff := cmp.Diff(want, strings.Split(withoutColumns, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Two members that the server would have in one place are a mistake, at the line of the second one.
func TestTwoMembersInOnePlace(t *testing.T) {
	for text, want := range map[string]string{
		"error-fields:\n  error: problem.text\n  message: problem.text\n": `map.yaml:3:12: fields: error and message ` +
			`are both "problem.text" on the server`,
		"error-fields:\n  error: problem\n  message: problem\n": `map.yaml:3:12: fields: error and message are both ` +
			`"problem" on the server`,
		"request-fields:\n  noteId: a.b\n  noteText: /a.b\n": `map.yaml:3:13: fields: noteId and noteText are both ` +
			`"/a.b" on the server`,
		"answer-fields:\n  /noteText: /id\n  /noteId: /id\n": `map.yaml:3:12: fields: /noteText and /noteId are both ` +
			`"/id" on the server`,
		"fields:\n  owner.email: a\n  /owner.email: b\n": `map.yaml:3:3: the fields of the contract have the place ` +
			`owner.email twice`,
		"fields: {noteId: id}\nroutes:\n  POST /api/notes:\n    to: POST /v2/memos\n" +
			"    answer-fields: {noteText: id}\n": //
		`map.yaml:5:31: POST /api/notes: noteId and noteText are both "id" on the server`,
		"session: {header: 'Authorization: Bearer {session}'}\nheaders:\n  If-Match: authorization\n"://
		`map.yaml:3:13: headers: If-Match and the session are both "Authorization" on the server`,
	} {
		_, err := Parse("map.yaml", []byte(text), notes())
		if err == nil || err.Error() != want {
			t.Errorf("%s\nerror %v\nnot   %s", text, err, want)
		}
	}
}

// Whatever a file contains is understood, or refused with its lines.
func FuzzParse(f *testing.F) {
	f.Add(mapOfNotes)
	f.Add("laid: [{with: 'a/{b}.json', instead: true, rows: [{table: T, key: ['{b}']}], " +
		"blobs: [{name: c, content: {d: '{e:unix}'}}]}]")
	f.Add("fields: [a]\nroutes: {GET /api/note: {to: [], fields: {noteId: 1}}}")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := Parse("map.yaml", []byte(text), notes())
		if err == nil {
			return
		}
		for _, one := range unjoined(err) {
			if _, is := one.(*yamldoc.Error); !is { //nolint:errorlint // each is one itself
				t.Errorf("error %T %q", one, one)
			}
		}
	})
}

func unjoined(err error) []error {
	joined, is := err.(interface{ Unwrap() []error })
	if !is {
		return []error{err}
	}
	var all []error
	for _, one := range joined.Unwrap() {
		all = append(all, unjoined(one)...)
	}
	return all
}

// What a body becomes is JSON, and back again it is what it was, whatever it contains.
func FuzzNames(f *testing.F) {
	f.Add(`{"noteId":"1","owner":{"email":"a"},"x":[{"noteText":1e3}]}`)
	f.Add(`{"a":{"a":{"a":[]}},"":null}`)
	f.Add(`[[],{},"\"",-1.50]`)
	f.Fuzz(func(t *testing.T, text string) {
		n, is := parse([]byte(text))
		if !is {
			return
		}
		if again, is := parse(n.bytes()); !is || string(again.bytes()) != string(n.bytes()) {
			t.Fatalf("%q is read as %q", text, n.bytes())
		}
		rules := renames{names: map[string]string{"noteId": "memo_id", "noteText": "memo_text"}}
		if strings.Contains(text, "memo") || strings.Contains(text, "mapped") || strings.ContainsAny(text, `\`) {
			return
		}
		before := string(n.bytes())
		rules.toServer(n)
		if rules.toContract(n); string(n.bytes()) != before {
			t.Errorf("%q has become %q", before, n.bytes())
		}
		rules.places = []place{{path{{"owner", 0}, {"email", 0}}, path{{"author", 0}, {"address", 0}, {"mail", 0}}}}
		rules.toServer(n)
		if _, is := parse(n.bytes()); !is {
			t.Errorf("%q is not JSON", n.bytes())
		}
	})
}
