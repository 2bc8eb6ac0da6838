package bulk

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storespec/storespec/fixtures/actions"
)

// setup is a load of a text into a table, with time that passes only when somebody waits.
type setup struct {
	Options
	mu       sync.Mutex
	problems []Problem
	waits    []time.Duration
	clock    time.Time
}

func prepare(t *testing.T, s *table, text string) *setup {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "in.ndjson")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o := &setup{clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	o.Options = Options{
		Path: path, URL: s.url, Parallel: 4, Retries: 3, State: path + ".state", Failed: path + ".failed",
		Problem: func(p Problem) { o.problems = append(o.problems, p) },
		Now:     func() time.Time { o.mu.Lock(); defer o.mu.Unlock(); return o.clock },
		Wait: func(ctx context.Context, d time.Duration) error {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.waits, o.clock = append(o.waits, d), o.clock.Add(d)
			return ctx.Err()
		},
	}
	return o
}

func (o *setup) load(t *testing.T) Snapshot {
	t.Helper()
	got, err := Load(t.Context(), o.Options)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (o *setup) failed(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(o.Failed)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

func wantCounts(t *testing.T, got Snapshot, want Counts) {
	t.Helper()
	if got.Counts != want {
		t.Errorf("counts %+v, want %+v", got.Counts, want)
	}
}

func wantNoFile(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("%s is there (%v)", filepath.Base(path), err)
	}
}

func TestLoadRealisticRecordsTwice(t *testing.T) {
	var text strings.Builder
	if err := actions.Write(&text, 1, 2_000); err != nil {
		t.Fatal(err)
	}
	s := newTable(t)
	o := prepare(t, s, text.String())
	wantCounts(t, o.load(t), Counts{Created: 2_000})
	if s.count() != 2_000 || s.largest != maxBatch || s.requests > 60 {
		t.Errorf("%d rows by %d requests of up to %d records", s.count(), s.requests, s.largest)
	}
	wantCounts(t, o.load(t), Counts{Unchanged: 2_000})
	wantNoFile(t, o.State)
	wantNoFile(t, o.Failed)
}

// TestOwnersInParallel shows that requests are in flight at once: each waits for another one.
func TestOwnersInParallel(t *testing.T) {
	s := newTable(t)
	two := make(chan struct{}, 2)
	s.before = func(_ http.ResponseWriter, r *http.Request, _ []string) bool {
		two <- struct{}{}
		for len(two) < 2 {
			select {
			case <-r.Context().Done():
				return true
			case <-time.After(time.Millisecond):
			}
		}
		return false
	}
	o := prepare(t, s, records(200, 200))
	o.Parallel = 2
	wantCounts(t, o.load(t), Counts{Created: 200})
}

func TestOneOwnerIsLoadedInOrder(t *testing.T) {
	s := newTable(t)
	var text strings.Builder
	for i := range 300 { // three names, again and again: the last line of each counts
		fmt.Fprintf(&text, `{"owner":" %s ","name":"a%d","n":%d}`+"\n", []string{"Solo", "SOLO", "solo"}[i%3], i%3, i)
	}
	o := prepare(t, s, text.String())
	wantCounts(t, o.load(t), Counts{Created: 3, Updated: 297})
	if s.together != 1 || !strings.Contains(s.rows["solo/a2"], `"n":299`) {
		t.Errorf("%d requests at once, %s", s.together, s.rows["solo/a2"])
	}
}

func TestBadLinesAreToldAndTheOthersLoaded(t *testing.T) {
	bad := []struct{ text, reason string }{
		{`{"owner":"a","name":`, "not JSON: byte 20 is not expected"},
		{`[1]`, "not a JSON object"},
		{`null`, "not a JSON object"},
		{"\ufeff" + `{"owner":"a","name":"x"}`,
			"it begins with a byte order mark (U+FEFF), as after joining two files"},
		{`{"name":"x"}`, "owner is missing"},
		{`{"Owner":"a","name":"x"}`, "owner is missing"},
		{`{"owner":7,"name":"x"}`, "owner is not text"},
		{`{"owner":"a","name":" \t"}`, "name is not text"},
		{"{\"owner\":\"a\",\"name\":\"\xff\"}", "not UTF-8"},
		{`{"owner":"a","name":"x"} {}`, "not JSON: byte 26 is not expected"},
	}
	text, want, kept := "\ufeff"+`{"owner":"a","name":"first"}`+"\r\n\n", []Problem{}, ""
	for i, b := range bad {
		text, kept = text+b.text+"\n", kept+b.text+"\n"
		want = append(want, Problem{int64(i + 3), b.reason})
	}
	text += "   \n" + `{"owner":"a","name":"last, without a line's end"}`
	s := newTable(t)
	o := prepare(t, s, text)
	wantCounts(t, o.load(t), Counts{Created: 2, Bad: int64(len(bad))})
	if !slices.Equal(o.problems, want) {
		t.Errorf("reported %v, want %v", o.problems, want)
	}
	if o.failed(t) != kept {
		t.Errorf("the failed file holds %q", o.failed(t))
	}
}

func TestALineThatIsTooLongIsReported(t *testing.T) {
	s := newTable(t)
	o := prepare(t, s, `{"owner":"a","name":"`+strings.Repeat("x", maxLine)+"\"}\n"+`{"owner":"a","name":"b"}`)
	wantCounts(t, o.load(t), Counts{Created: 1, Bad: 1, TooLong: 1})
	wantNoFile(t, o.Failed)
	if len(o.problems) != 1 || o.problems[0] != (Problem{1, "longer than 10 MiB"}) {
		t.Errorf("reported %v", o.problems)
	}
}

func TestFailedRecordsCanBeLoadedAgain(t *testing.T) {
	s := newTable(t)
	s.judge = func(_, name string, times int) int {
		if times > 1 { // the server was mended
			return 0
		}
		return map[string]int{"action-7": http.StatusBadRequest, "action-70": http.StatusRequestEntityTooLarge}[name]
	}
	o := prepare(t, s, records(120, 5))
	wantCounts(t, o.load(t), Counts{Created: 118, Failed: 2})
	slices.SortFunc(o.problems, func(a, b Problem) int { return int(a.Line - b.Line) })
	if want := []Problem{{8, "answered 400 TOLD_TO"}, {71, "answered 413 TOLD_TO"}}; !slices.Equal(o.problems, want) {
		t.Errorf("reported %v, want %v", o.problems, want)
	}
	again := prepare(t, s, o.failed(t))
	wantCounts(t, again.load(t), Counts{Created: 2})
	wantCounts(t, o.load(t), Counts{Unchanged: 120})
	wantNoFile(t, o.Failed)
}

func TestOneRecordOfABatchIsSentAgain(t *testing.T) {
	s := newTable(t)
	s.judge = func(_, name string, times int) int {
		switch {
		case name == "action-3" && times < 3:
			return http.StatusServiceUnavailable
		case name == "action-4":
			return http.StatusConflict
		}
		return 0
	}
	o := prepare(t, s, records(10, 2))
	wantCounts(t, o.load(t), Counts{Created: 9, Failed: 1})
	if s.seen["owner-0/action-4"] != 4 || s.seen["owner-0/action-0"] != 1 || s.seen["owner-1/action-3"] != 3 {
		t.Errorf("seen %v", s.seen)
	}
	if want := []time.Duration{firstPause, 2 * firstPause, 4 * firstPause}; !slices.Equal(o.waits, want) {
		t.Errorf("waited %v, want %v", o.waits, want)
	}
}

func TestLargeRecordsGoAlone(t *testing.T) {
	s := newTable(t)
	var text strings.Builder
	for i := range 6 {
		fmt.Fprintf(&text, `{"owner":"o%d","name":"x%d","text":"%s"}`+"\n", i%2, i,
			strings.Repeat("y", 3*maxBatchBytes/4))
	}
	o := prepare(t, s, text.String())
	wantCounts(t, o.load(t), Counts{Created: 6})
	if s.largest != 1 {
		t.Errorf("%d records of 768 KiB in one request", s.largest)
	}
}

func TestHeadersAreSentAndKeptNowhere(t *testing.T) {
	s := newTable(t)
	s.before = func(w http.ResponseWriter, r *http.Request, _ []string) bool {
		if r.Header.Get("X-Functions-Key") != "hush" {
			t.Errorf("headers %v", r.Header)
		}
		w.WriteHeader(http.StatusUnauthorized)
		return true
	}
	o := prepare(t, s, records(3, 1))
	o.Header = http.Header{"X-Functions-Key": {"hush"}}
	_, err := Load(t.Context(), o.Options)
	state, _ := os.ReadFile(o.State)
	if err == nil || strings.Contains(err.Error()+string(state), "hush") || len(state) == 0 {
		t.Errorf("error %v, state %s", err, state)
	}
}
