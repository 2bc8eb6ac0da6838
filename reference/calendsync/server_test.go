package calendsync_test

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/storespec/storespec/reference/calendsync"
)

const (
	allDay = `{"type":"AllDay"}`
	task   = `{"type":"Task"}`
)

func TestRolesDecideOverEveryRoute(t *testing.T) {
	h := newHost(t)
	ana, wim, rea, sam := h.person("ana"), h.person("wim"), h.person("rea"), h.person("sam")
	id := ana.calendar("Team")
	ana.add(id, wim, "writer")
	ana.add(id, rea, "reader")
	entry := ana.entry(id, "Lunch", "2024-01-15", task)
	calendar, members := "/api/calendars/"+id, "/api/calendars/"+id+"/members"
	change := `{"name":"New","color":"#000000"}`
	for _, c := range []struct {
		request, body         string
		owner, writer, reader int
	}{
		{"GET " + calendar, "", 200, 200, 200},
		{"GET " + members, "", 200, 200, 200},
		{"GET " + calendar + "/entries?start=2024-01-01&end=2024-01-31", "", 200, 200, 200},
		{"GET /api/entries/" + entry, "", 200, 200, 200},
		{"PATCH /api/entries/" + entry + "/toggle", "", 200, 200, 403},
		{"POST /api/entries", entryBody(id, "More", "2024-01-16", allDay), 201, 201, 403},
		{"PUT /api/entries/" + entry, entryBody(id, "Lunch", "2024-01-16", task), 409, 409, 403},
		{"PUT " + calendar, change, 409, 403, 403},
		{"POST " + members, `{"userId":"` + sam.id + `","role":"king"}`, 400, 400, 400},
		{"POST " + members, `{"userId":"` + rea.id + `","role":"reader"}`, 409, 403, 403},
		{"PUT " + members + "/" + rea.id, `{"role":"reader"}`, 200, 403, 403},
		{"DELETE " + members + "/" + ana.id, "", 409, 403, 403},
	} {
		for who, want := range map[*person]int{ana: c.owner, wim: c.writer, rea: c.reader, sam: 404} {
			if want == 404 && c.owner == 400 {
				continue // the body is judged first
			}
			who.ifMatch = `"99"`
			if w := who.ask(c.request, c.body); w.Code != want {
				t.Errorf("%s by %s: %d, not %d: %s", c.request, who.session, w.Code, want, w.Body)
			}
		}
	}
	(&person{h: h}).must(401, "GET "+calendar, "")
	h.now = h.now.Add(2 * 60 * 60 * 1e9)
	ana.must(401, "GET "+calendar, "")
}

func TestTheRoutesAreThoseOfTheContract(t *testing.T) {
	h := undeployed(t)
	var have []string
	for _, route := range h.server.Routes() {
		have = append(have, route.Method+" "+route.Path)
	}
	slices.Sort(have)
	if want := h.contract.Routes(); !slices.Equal(have, want) {
		t.Errorf("the routes are\n%s\nnot\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	(&person{h: h}).must(405, "PATCH /api/calendars", "")
	(&person{h: h}).must(404, "GET /api/nothing", "")
}

func TestEachAccessPatternCostsItsCalls(t *testing.T) {
	h := newHost(t)
	ana, wim := h.person("ana"), h.person("wim")
	id := ana.calendar("Team")
	ana.add(id, wim, "owner")
	entry := ana.entry(id, "Lunch", "2024-01-15", task)
	for _, c := range []struct{ request, ifMatch, body, calls string }{
		{"GET /api/users/" + ana.id, "", "", "map[GetItem:2]"},
		{"GET /api/users/" + wim.id, "", "", "map[GetItem:2 Query:2]"},
		{"GET /api/users?email=ANA@example.com", "", "", "map[GetItem:2 Query:1]"},
		{"GET /api/calendars/" + id, "", "", "map[GetItem:3]"},
		{"GET /api/calendars", "", "", "map[BatchGetItem:1 GetItem:1 Query:1]"},
		{"GET /api/calendars/me", "", "", "map[BatchGetItem:1 GetItem:1 Query:1]"},
		{"GET /api/calendars/" + id + "/members", "", "", "map[BatchGetItem:1 GetItem:2 Query:1]"},
		{"GET /api/calendars/" + id + "/entries?start=2024-01-01&end=2024-01-31", "", "", "map[GetItem:2 Query:1]"},
		{"GET /api/entries/" + entry, "", "", "map[GetItem:3]"},
		{"PUT /api/entries/" + entry, `"1"`, entryBody(id, "Lunch!", "2024-01-16", task),
			"map[GetItem:3 PutItem:1]"},
		{"PATCH /api/entries/" + entry + "/toggle", "", "", "map[GetItem:3 UpdateItem:1]"},
		{"PUT /api/calendars/" + id, `"1"`, `{"name":"New","color":"#000000"}`, "map[GetItem:2 UpdateItem:1]"},
		{"PUT /api/calendars/" + id + "/members/" + wim.id, "", `{"role":"reader"}`,
			"map[GetItem:3 TransactWriteItems:1]"},
		{"PUT /api/calendars/" + id + "/members/" + wim.id, "", `{"role":"writer"}`, "map[GetItem:3 UpdateItem:1]"},
		{"DELETE /api/entries/" + entry, "", "", "map[DeleteItem:1 GetItem:3]"},
		{"DELETE /api/calendars/" + id, "", "", "map[BatchWriteItem:1 DeleteItem:1 GetItem:2 Query:2 UpdateItem:1]"},
	} {
		ana.ifMatch = c.ifMatch
		if w := ana.ask(c.request, c.body); w.Code >= 300 || h.calls.String() != c.calls {
			t.Errorf("%s: %d with %s, not %s", c.request, w.Code, h.calls, c.calls)
		}
	}
}

func TestRangesHaveWhatOverlapsThem(t *testing.T) {
	h := newHost(t)
	ana := h.person("ana")
	id := ana.calendar("Team")
	several := func(first, last string) string {
		return `{"type":"MultiDay","start":"` + first + `","end":"` + last + `"}`
	}
	ana.entry(id, "before", "2024-01-09", allDay)
	ana.entry(id, "ends before", "2024-01-05", several("2024-01-05", "2024-01-09"))
	ana.entry(id, "reaches in", "2023-12-11", several("2023-12-11", "2024-01-10"))
	ana.entry(id, "first day", "2024-01-10", `{"type":"Timed","start":"09:00:00","end":"09:30:00"}`)
	ana.entry(id, "last day", "2024-01-12", task)
	ana.entry(id, "reaches out", "2024-01-12", several("2024-01-12", "2024-01-20"))
	ana.entry(id, "after", "2024-01-13", allDay)
	listed := func(query string) string {
		answer := ana.must(200, "GET /api/calendars/"+id+"/entries?"+query, "")
		var titles []string
		if days, is := answer["days"].([]any); is {
			for _, d := range days {
				d := d.(map[string]any)
				titles = append(titles, d["date"].(string)+":")
				titles = append(titles, titlesOf(d["entries"])...)
			}
		} else {
			titles = titlesOf(answer["entries"])
		}
		return strings.Join(titles, ", ")
	}
	for query, want := range map[string]string{
		"start=2024-01-10&end=2024-01-12": "reaches in, first day, last day, reaches out",
		"start=2024-01-10&end=2024-01-10": "reaches in, first day",
		"start=2024-02-10&end=2024-02-10": "",
		"start=2024-01-10&end=2024-01-12&expand=days": "2024-01-10:, reaches in, first day, 2024-01-12:, last day, " +
			"reaches out",
	} {
		if got := listed(query); got != want {
			t.Errorf("%s: %s, not %s", query, got, want)
		}
	}
	for _, query := range []string{"start=2024-01-10&end=2024-01-09", "start=2024-01-10",
		"start=2024-02-30&end=2024-03-01", "start=2024-01-01&end=2025-01-01",
		"start=2024-01-01&end=2024-01-02&expand=weeks"} {
		ana.must(400, "GET /api/calendars/"+id+"/entries?"+query, "")
	}
	ana.must(200, "GET /api/calendars/"+id+"/entries?start=2024-01-01&end=2024-12-31", "")
}

// titlesOf returns titles by date; those of one date by the alphabet.
func titlesOf(entries any) (titles []string) {
	list, _ := entries.([]any)
	slices.SortFunc(list, func(a, b any) int {
		one, other := a.(map[string]any), b.(map[string]any)
		return cmp.Or(strings.Compare(one["date"].(string), other["date"].(string)),
			strings.Compare(one["title"].(string), other["title"].(string)))
	})
	for _, e := range list {
		titles = append(titles, e.(map[string]any)["title"].(string))
	}
	return titles
}

func TestBadInputWritesNothing(t *testing.T) {
	h := newHost(t)
	ana := h.person("ana")
	id := ana.calendar("Team")
	before := h.items()
	for _, c := range []struct {
		status        int
		request, body string
	}{
		{400, "POST /api/users", `{"name":"x","email":"no address"}`},
		{400, "POST /api/users", `{"name":"x","email":"x@example.com","provider":"google"}`},
		{409, "POST /api/users", `{"name":"x","email":"Ana@Example.com"}`},
		{400, "POST /api/calendars", `{"name":"","color":"#3B82F6"}`},
		{400, "POST /api/calendars", `{"name":"x","color":"blue"}`},
		{400, "POST /api/calendars", `[]`},
		{400, "POST /api/entries", entryBody(id, "x", "2024-02-30", allDay)},
		{400, "POST /api/entries", entryBody(id, strings.Repeat("x", 201), "2024-01-15", allDay)},
		{400, "POST /api/entries", entryBody(id, "x", "2024-01-15", `{"type":"Party"}`)},
		{400, "POST /api/entries",
			entryBody(id, "x", "2024-01-15", `{"type":"Timed","start":"10:00:00","end":"9:00:00"}`)},
		{400, "POST /api/entries",
			entryBody(id, "x", "2024-01-15", `{"type":"Timed","start":"10:00:00","end":"10:00:00"}`)},
		{400, "POST /api/entries",
			entryBody(id, "x", "2024-01-15", `{"type":"MultiDay","start":"2024-01-15","end":"2024-02-15"}`)},
		{400, "POST /api/entries",
			entryBody(id, "x", "2024-01-15", `{"type":"MultiDay","start":"2024-01-14","end":"2024-01-16"}`)},
		{404, "POST /api/entries", entryBody("550e8400-e29b-41d4-a716-446655440002", "x", "2024-01-15", allDay)},
		{413, "POST /api/entries", strings.Replace(entryBody(id, "x", "2024-01-15", allDay), "{",
			`{"description":"`+strings.Repeat("x", 400<<10)+`",`, 1)},
		{428, "PUT /api/calendars/" + id, `{"name":"x","color":"#3B82F6"}`},
	} {
		w := ana.ask(c.request, c.body)
		if w.Code != c.status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %.80s: %d %s", c.request, c.body, w.Code, w.Body)
		}
	}
	if after := h.items(); !slices.Equal(before, after) {
		t.Errorf("the items were\n%v\nand are\n%v", before, after)
	}
}

// A user whom another server created has no guard.
func TestAUserWithoutAGuardChangesTheEMail(t *testing.T) {
	h := newHost(t)
	ana := h.person("ana")
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	if _, err := h.db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("calendsync"),
		Key: map[string]types.AttributeValue{"PK": text("EMAIL#ana@example.com"), "SK": text("EMAIL#ana@example.com")},
	}); err != nil {
		t.Fatal(err)
	}
	ana.ifMatch = `"1"`
	if got := ana.must(200, "PUT /api/users/"+ana.id, `{"name":"Ana","email":"anna@example.com"}`)["email"]; got !=
		"anna@example.com" {
		t.Errorf("the e-mail is %v", got)
	}
}

// TestAnyFailedCallAndARetryConverge lets each storage call of a request fail in turn, before and after the store has
// seen it, so often that the server gives up; the client then asks again.
func TestAnyFailedCallAndARetryConverge(t *testing.T) {
	for _, c := range []struct{ name, request, body string }{
		{"create an entry", "POST /api/entries", ""},
		{"create a calendar", "POST /api/calendars", `{"name":"Second","color":"#3B82F6"}`},
		{"add a member", "POST /api/calendars/{id}/members", `{"email":"sam@example.com","role":"owner"}`},
		{"remove a member", "DELETE /api/calendars/{id}/members/{wim}", ""},
		{"change an entry", "PUT /api/entries/{entry}", ""},
		{"delete the calendar", "DELETE /api/calendars/{id}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole, _ := afterFailure(t, c.request, c.body, 0, false)
			for call := 1; ; call++ {
				if call > 20 {
					t.Fatal("the request makes no end of calls")
				}
				before, failed := afterFailure(t, c.request, c.body, call, true)
				after, _ := afterFailure(t, c.request, c.body, call, false)
				if !failed {
					break
				}
				if before != whole || after != whole {
					t.Errorf("call %d, unseen or unanswered, leaves\n%s\nor\n%s\nnot\n%s", call, before, after, whole)
				}
			}
		})
	}
}

// afterFailure sends a request of which one call fails, then sends it again, and returns the keys of all items. unseen:
// the store does not see the call; otherwise only its answer is lost. Call 0 never fails. failed: there was such a
// call.
func afterFailure(t *testing.T, request, body string, call int, unseen bool) (items string, failed bool) {
	t.Helper()
	h := newHost(t)
	ana, wim := h.person("ana"), h.person("wim")
	h.person("sam")
	id := ana.calendar("Team")
	ana.add(id, wim, "writer")
	entry := ana.entry(id, "Lunch", "2024-01-15", task)
	if body == "" {
		body = entryBody(id, "Dinner", "2024-01-16", allDay)
	}
	request = strings.NewReplacer("{id}", id, "{wim}", wim.id, "{entry}", entry).Replace(request)
	ask := func() int {
		ana.key, ana.ifMatch = "key", `"1"`
		return ana.ask(request, body).Code
	}
	seen := 0
	h.calls.fail = func(_ string, before bool) *http.Response {
		if before == unseen {
			seen++
		}
		// The server tries each call four times.
		if failed = failed || seen == call; before == unseen && seen >= call && seen < call+4 && call > 0 {
			return broken()
		}
		return nil
	}
	status := ask()
	h.calls.fail = nil
	if failed = failed && call > 0; failed && status != http.StatusServiceUnavailable {
		t.Errorf("call %d failed: %d", call, status)
	}
	if call == 0 || failed {
		if again := ask(); again >= 300 && (again != http.StatusNotFound || !strings.HasPrefix(request, "DELETE")) {
			t.Errorf("again after call %d failed: %d", call, again)
		}
	}
	keys := h.items()
	slices.Sort(keys)
	return strings.Join(keys, "\n"), failed
}

func TestDeployRefusesATableOfAnotherShape(t *testing.T) {
	h := newHost(t)
	d := h.tools()
	defer d.Close()
	if created, err := d.Deploy(t.Context()); err != nil || created {
		t.Errorf("a second deployment: %v, %v", created, err)
	}
	if destroyed, err := d.Destroy(t.Context()); err != nil || !destroyed {
		t.Errorf("destroy: %v, %v", destroyed, err)
	}
	if destroyed, err := d.Destroy(t.Context()); err != nil || destroyed {
		t.Errorf("destroy again: %v, %v", destroyed, err)
	}
	if err := otherTable(h); err != nil {
		t.Fatal(err)
	}
	_, err := d.Deploy(t.Context())
	if !errors.Is(err, calendsync.ErrOtherShape) || !strings.Contains(err.Error(), "the key of GSI3 is missing") {
		t.Errorf("a table of another shape: %v", err)
	}
}
