package calendsync_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/storespec/storespec/reference/calendsync"
)

const (
	uuidA = "550e8400-e29b-41d4-a716-446655440001"
	uuidB = "550e8400-e29b-41d4-a716-446655440002"
	uuidC = "550e8400-e29b-41d4-a716-446655440003"
	uuidD = "550e8400-e29b-41d4-a716-446655440004"
)

func TestSeedWritesTheSameEntriesOnce(t *testing.T) {
	h := newHost(t)
	ana := h.person("ana")
	id := ana.calendar("Team")
	tools := h.tools()
	defer tools.Close()
	reported := ""
	tools.Report = func(done, total int) { reported += fmt.Sprintf(" %d/%d", done, total) }
	g := calendsync.Seeding{Calendar: id, Around: "2024-06-15", Count: 130}
	if written, err := tools.Seed(t.Context(), g); err != nil || written != 130 || reported != " 100/130 130/130" {
		t.Fatalf("%d written, %v, reported%s", written, err, reported)
	}
	if written, err := tools.Seed(t.Context(), g); err != nil || written != 0 {
		t.Errorf("again: %d written, %v", written, err)
	}
	days := ana.must(200, "GET /api/calendars/"+id+"/entries?start=2024-05-01&end=2024-08-30", "")
	if n := len(days["entries"].([]any)); n != 130 {
		t.Errorf("%d entries are listed", n)
	}
	around := ana.must(200, "GET /api/calendars/"+id+"/entries?start=2024-06-15&end=2024-06-15", "")
	if around["entries"] == nil || len(around["entries"].([]any)) < 2 {
		t.Errorf("on the day itself: %v", around)
	}
	ana.must(204, "DELETE /api/calendars/"+id, "")
	if _, err := tools.Seed(t.Context(), g); !errors.Is(err, calendsync.ErrNoCalendar) {
		t.Errorf("a calendar that was deleted: %v", err)
	}
	if first, last := g.Days(); first != "2024-05-14" || last != "2024-07-17" {
		t.Errorf("from %s to %s", first, last)
	}
	for _, wrong := range []calendsync.Seeding{{"x", "2024-06-15", 1}, {id, "2024-06-31", 1}, {id, "2024-06-15", 0},
		{id, "2024-06-15", calendsync.MaxSeed + 1}, {id, "9999-12-30", 40}, {id, "9999-12-31", 1},
		{id, "0000-01-02", 40}} {
		if err := wrong.Check(); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
}

// old is what an older storage had.
const old = `{"users":[{"id":"` + uuidA + `","name":"Ana","email":"Ana@example.com"},
	{"id":"` + uuidB + `","name":"Ben","email":"ben@example.com"}],
	"calendars":[{"id":"` + uuidC + `","name":"Team","color":"#3B82F6","description":null}],
	"entries":[{"id":"` + uuidD + `","calendarId":"` + uuidC + `","title":"Lunch","date":"2024-01-15",
		"color":"#3B82F6","kind":{"type":"Timed","start":"12:00:00","end":"13:00:00"}}]%s}`

func TestAMigrationThatEndsAnywhereIsFinishedByTheNext(t *testing.T) {
	m, err := calendsync.ReadMigration(fmt.Appendf(nil, old, ""), uuidB)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Counts(); got != (calendsync.Counts{Users: 2, Calendars: 1, Memberships: 1, Entries: 1}) {
		t.Fatal(got)
	}
	want := []string{"CAL#" + uuidC + " CAL#" + uuidC, "CAL#" + uuidC + " MEMBER#" + uuidB,
		"ENTRY#" + uuidD + " ENTRY#" + uuidD, "USER#" + uuidA + " USER#" + uuidA,
		"USER#" + uuidB + " USER#" + uuidB}
	for call := 1; ; call++ {
		h := newHost(t)
		h.config.Patience.MaxRetries = 0
		tools := h.tools()
		seen := 0
		h.calls.fail = func(_ string, before bool) *http.Response {
			if before {
				if seen++; seen == call {
					return broken()
				}
			}
			return nil
		}
		_, first := tools.Migrate(t.Context(), m)
		h.calls.fail = nil
		if first == nil {
			if call < 7 {
				t.Errorf("only %d calls", call-1)
			}
			break
		}
		if _, err := tools.Migrate(t.Context(), m); err != nil {
			t.Fatalf("again after call %d: %v", call, err)
		}
		if written, err := tools.Migrate(t.Context(), m); err != nil || written != 0 {
			t.Errorf("a third time: %d written, %v", written, err)
		}
		tools.Close()
		items := h.items()
		slices.Sort(items)
		if !slices.Equal(items, want) {
			t.Errorf("after call %d failed:\n%s", call, strings.Join(items, "\n"))
		}
	}
}

func TestAMigrationSaysEverythingThatIsWrong(t *testing.T) {
	for file, want := range map[string]string{
		`[]`: "the file is not one JSON object",
		strings.ReplaceAll(fmt.Sprintf(old, ""), "ben@", "ANA@"):     "users[1]: another element has the same email",
		strings.ReplaceAll(fmt.Sprintf(old, ""), `"Lunch"`, `""`):    "entries[0]: title is not a text",
		strings.ReplaceAll(fmt.Sprintf(old, ""), "#3B82F6", "blue"):  "calendars[0]: color is not a color",
		strings.Replace(fmt.Sprintf(old, ""), uuidB, "7", 1):         "users[1]: id is not a UUID v4",
		strings.Replace(fmt.Sprintf(old, ""), `"entries"`, `"x"`, 1): "entries is missing",
		fmt.Sprintf(old, `,"memberships":[]`):                        "leave the owner of all calendars out",
	} {
		if _, err := calendsync.ReadMigration([]byte(file), uuidA); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, without %q", err, want)
		}
	}
	member := `,"memberships":[{"calendarId":"` + uuidC + `","userId":"` + uuidA + `","role":"reader"}]`
	if _, err := calendsync.ReadMigration(fmt.Appendf(nil, old, member), ""); err == nil ||
		err.Error() != "calendars[0]: no membership makes a user its owner" {
		t.Errorf("a calendar without an owner: %v", err)
	}
	if _, err := calendsync.ReadMigration(fmt.Appendf(nil, old, ""), uuidC); err == nil {
		t.Error("an owner who is not among the users is accepted")
	}
}

// A file with several things wrong: each is named with its place, and what is right is not blamed for what is wrong.
func TestAMigrationSaysWhereEachProblemIs(t *testing.T) {
	file := fmt.Sprintf(`{"users":[{"id":%q,"name":"","email":"ana@example.com"},{"id":"x","name":"B","email":"b"},7],
		"calendars":[{"id":%q,"name":"Team","color":"blue"}],
		"entries":[{"id":%q,"calendarId":%q,"title":"Lunch","date":"2024-01-15","color":"#3B82F6","description":%q,
			"kind":{"type":"AllDay"}},{"calendarId":%q}]}`, uuidA, uuidC, uuidD, uuidC, strings.Repeat("x", 400<<10),
		uuidC)
	_, err := calendsync.ReadMigration([]byte(file), uuidA)
	want := calendsync.Problems{"users[0]: name is not a text of 1 to 200 characters",
		"users[1]: id is not a UUID v4 in lower case", "users[1]: email is not an e-mail address",
		"users[2]: the text does not begin a JSON object",
		"calendars[0]: color is not a color such as #3B82F6", "entries[0]: it is too large: an item may have 400 KiB",
		"entries[1]: id is not a UUID v4 in lower case", "entries[1]: title is not a text of 1 to 200 characters"}
	if got, _ := errors.AsType[calendsync.Problems](err); !slices.Equal(got, want) {
		t.Errorf("it says\n%v\nnot\n%v", got, want)
	}
	long := strings.Repeat("€", 200)
	for file, want := range map[string]string{
		"":                        "line 1, column 0: ",
		"{\"users\": [\n  7,]}":   "line 2, column 5: ",
		`{"users":[],"users":[]}`: "two fields have one name",
		`{"users":[],"calendars":[],"entries":[],"memberships":[{}]}`: "memberships[0]: role ",
		`{"users":[{"id":"` + uuidA + `","name":"Ana","email":"ana@example.com","provider":"` + long +
			`","providerSubject":"` + long + `"}],"calendars":[]}`: "too long to be a key",
	} {
		if _, err := calendsync.ReadMigration([]byte(file), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, without %q", file, err, want)
		}
	}
}

// The largest entry that the check lets through can be written.
func TestAMigrationKnowsHowLargeAnItemIs(t *testing.T) {
	h := newHost(t)
	tools := h.tools()
	defer tools.Close()
	read := func(length int) (*calendsync.Migration, error) {
		return calendsync.ReadMigration([]byte(strings.Replace(fmt.Sprintf(old, ""), `"title":"Lunch"`,
			`"title":"Lunch","description":"`+strings.Repeat("x", length)+`"`, 1)), uuidA)
	}
	const most = 400 << 10
	tooLong := sort.Search(most, func(length int) bool { _, err := read(length); return err != nil })
	if tooLong < most-1000 || tooLong >= most {
		t.Fatalf("a description may have %d bytes", tooLong-1)
	}
	m, err := read(tooLong - 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools.Migrate(t.Context(), m); err != nil {
		t.Error(err)
	}
}

func TestAMigrationIsComparedWithTheTable(t *testing.T) {
	h := newHost(t)
	tools := h.tools()
	defer tools.Close()
	m, err := calendsync.ReadMigration(fmt.Appendf(nil, old, ""), uuidA)
	if err != nil {
		t.Fatal(err)
	}
	if there, err := tools.Compare(t.Context(), m); err != nil || there != (calendsync.Counts{}) {
		t.Errorf("before: %v, %v", there, err)
	}
	ben := h.person("ben") // with the address of somebody in the file
	_, err = tools.Compare(t.Context(), m)
	if want := "users[1]: another user has the same e-mail address, or the same account of the provider"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
	ben.ifMatch = `"1"`
	ben.must(200, "PUT /api/users/"+ben.id, `{"name":"Ben","email":"other@example.com"}`)
	reported := ""
	tools.Report = func(done, total int) { reported += fmt.Sprintf(" %d/%d", done, total) }
	if written, err := tools.Migrate(t.Context(), m); err != nil || written != 5 || reported != " 1/5 2/5 3/5 5/5" {
		t.Fatalf("%d written, %v, reported%s", written, err, reported)
	}
	if there, err := tools.Compare(t.Context(), m); err != nil || there != m.Counts() {
		t.Errorf("after: %v, %v", there, err)
	}
}

func TestTheTableIsLookedAt(t *testing.T) {
	h := newHost(t)
	tools := h.tools()
	defer tools.Close()
	h.person("cleo")
	there, err := tools.Look(t.Context())
	if err != nil || !there.Exists || there.Deleting || len(there.Differs) > 0 {
		t.Fatalf("%+v, %v", there, err)
	}
	if n, all, err := tools.Items(t.Context(), there); n != 3 || !all || err != nil { // with a guard, and a session
		t.Errorf("%d items, all %v, %v", n, all, err)
	}
	m, err := calendsync.ReadMigration(fmt.Appendf(nil, old, ""), uuidB)
	if err == nil {
		_, err = tools.Migrate(t.Context(), m)
	}
	if err == nil {
		_, err = tools.Seed(t.Context(), calendsync.Seeding{Calendar: uuidC, Around: "2024-06-15", Count: 5000})
	}
	if err != nil {
		t.Fatal(err)
	}
	if n, all, err := tools.Items(t.Context(), there); n < 1000 || n > 5009 || all || err != nil { // more than 1 MB
		t.Errorf("%d items, all %v, %v", n, all, err)
	}
}

// net/http drops a connection, and the answer with it, if the SDK closes a body before its WriteTo has returned.
func TestTheToolsSendBodiesThatCanOnlyBeRead(t *testing.T) {
	h := newHost(t)
	next, seen := h.config.Storage, 0
	h.config.Storage = roundTripper(func(r *http.Request) (*http.Response, error) {
		if _, is := r.Body.(io.WriterTo); is {
			t.Errorf("the body is a %T", r.Body)
		}
		seen++
		return next.RoundTrip(r)
	})
	tools := h.tools()
	defer tools.Close()
	if _, err := tools.Repair(t.Context()); err != nil || seen == 0 {
		t.Errorf("%v after %d calls", err, seen)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRepairRemovesWhatAnInterruptedDeletionLeft(t *testing.T) {
	for call := 2; call <= 9; call++ {
		h := newHost(t)
		ana, ben := h.person("ana"), h.person("ben")
		kept, id := ana.calendar("Kept"), ana.calendar("Team")
		ana.add(id, ben, "writer")
		ana.entry(kept, "Stays", "2024-01-15", allDay)
		want := h.items()
		want = slices.DeleteFunc(want, func(k string) bool { return strings.Contains(k, id) })
		ben.entry(id, "Goes", "2024-01-15", allDay)
		seen := 0
		h.calls.fail = func(_ string, before bool) *http.Response {
			if before {
				if seen++; seen >= call {
					return broken()
				}
			}
			return nil
		}
		status := ana.ask("DELETE /api/calendars/"+id, "").Code
		h.calls.fail = nil
		tools := h.tools()
		if _, err := tools.Repair(t.Context()); err != nil {
			t.Fatal(err)
		}
		tools.Close()
		marked := call > 3 // the session, the membership, the mark
		items := h.items()
		slices.Sort(items)
		slices.Sort(want)
		if gone := slices.Equal(items, want); gone != marked {
			t.Errorf("call %d of %d failed (%d), and repair leaves\n%s", call, seen, status, strings.Join(items, "\n"))
		}
	}
}

func TestARepairThatEndsAnywhereIsFinishedByTheNext(t *testing.T) {
	for call, ended := 1, true; ended; call++ {
		h := newHost(t)
		ana, ben := h.person("ana"), h.person("ben")
		id := ana.calendar("Team")
		want := slices.DeleteFunc(h.items(), func(k string) bool { return strings.Contains(k, id) })
		ana.add(id, ben, "writer")
		for range 30 { // more than a batch
			ana.entry(id, "Goes", "2024-01-15", allDay)
		}
		failFrom := func(first int, do func()) (reached bool) {
			seen := 0
			h.calls.fail = func(_ string, before bool) *http.Response {
				if !before {
					return nil
				}
				if seen++; seen >= first {
					return broken()
				}
				return nil
			}
			do()
			h.calls.fail = nil
			return seen >= first
		}
		failFrom(4, func() { ana.ask("DELETE /api/calendars/"+id, "") }) // it is marked, and nothing else is done
		tools := h.tools()
		ended = failFrom(call, func() {
			if _, err := tools.Repair(t.Context()); err == nil && call == 1 {
				t.Error("a repair without its first call has no error")
			}
		})
		if _, err := tools.Repair(t.Context()); err != nil {
			t.Fatal(err)
		}
		tools.Close()
		items := h.items()
		slices.Sort(items)
		slices.Sort(want)
		if !slices.Equal(items, want) {
			t.Errorf("ended at call %d, then run again, it leaves\n%s", call, strings.Join(items, "\n"))
		}
		if call > 20 {
			t.Fatal("a repair of 32 items makes more than 20 calls")
		}
	}
}

func TestTheToolsNeedTheTable(t *testing.T) {
	h := undeployed(t)
	tools := h.tools()
	defer tools.Close()
	if exists, err := tools.Plan(t.Context()); exists || err != nil {
		t.Errorf("plan: %v, %v", exists, err)
	}
	if _, err := tools.Repair(t.Context()); err == nil || !strings.Contains(err.Error(), "deploy it first") {
		t.Errorf("repair: %v", err)
	}
}
