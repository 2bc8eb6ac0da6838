package familyscheduler

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/reference/web"
)

func TestACounterRemembersTheLastOperations(t *testing.T) {
	row := &metricsRow{}
	for i := range maxRecentOps + 1 {
		if !row.note(fmt.Sprintf("operation-%d", i), time.Now()) {
			t.Fatalf("operation %d was taken for an earlier one", i)
		}
	}
	if got := len(strings.Fields(row.RecentOps)); got != maxRecentOps {
		t.Errorf("%d operations are remembered, not %d", got, maxRecentOps)
	}
	if row.note(fmt.Sprintf("operation-%d", maxRecentOps), time.Now()) || row.note("operation-1", time.Now()) {
		t.Error("one of the last operations was counted again")
	}
	if !row.note("operation-0", time.Now()) {
		t.Error("an operation that was forgotten is still known")
	}
}

func TestPlusEndsWhereTheColumnDoes(t *testing.T) {
	for _, c := range []struct {
		n    int32
		by   int
		want int32
	}{{1, 2, 3}, {1, -2, 1}, {math.MaxInt32, 1, math.MaxInt32}, {math.MaxInt32 - 1, math.MaxInt, math.MaxInt32}} {
		n := c.n
		if plus(&n, c.by); n != c.want {
			t.Errorf("%d plus %d is %d, want %d", c.n, c.by, n, c.want)
		}
	}
}

func TestUsageKeys(t *testing.T) {
	if key := userModelUsageKey("u", "2026-01-31",
		"gpt-4o/2024#1"); key != (entity{PartitionKey: "u|2026-01-31", RowKey: "gpt-4o~2F2024~231"}) {
		t.Errorf("%+v", key)
	}
	if key := modelUsageKey("2026-01-31",
		"gpt-4o/2024#1"); key != (entity{PartitionKey: "2026-01", RowKey: "2026-01-31|gpt-4o~2F2024~231"}) {
		t.Errorf("%+v", key)
	}
	if key := metricsKey(dayOf(time.Date(2026, 1, 1, 0, 30, 0, 0,
		time.FixedZone("", 3600)))); key != (entity{PartitionKey: "2025-12", RowKey: "2025-12-31"}) {
		t.Errorf("%+v", key)
	}
}

// A row that is written whole keeps what its type does not name, and loses what it named and has no longer.
func TestWholeRowKeepsUnknownColumns(t *testing.T) {
	row, err := decodeRow[groupRow]([]byte(`{"odata.etag":"W/1","odata.metadata":"m","PartitionKey":"group",` +
		`"RowKey":"g","Timestamp":"t","Timestamp@odata.type":"Edm.DateTime","groupName":"Family",` +
		`"isDeleted":true,"deletedAt":"2026-01-01T00:00:00Z",` +
		`"seen":"5","seen@odata.type":"Edm.Int64"}`))
	if err != nil {
		t.Fatal(err)
	}
	row.deletion, row.GroupName = deletion{}, "Smiths"
	var whole map[string]any
	if err := json.Unmarshal(wholeRow(row), &whole); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"PartitionKey": "group", "RowKey": "g", "groupName": "Smiths", "isDeleted": false, "seen": "5",
		"seen@odata.type": "Edm.Int64",
		"deletedAt":       nil, "Timestamp": nil, "Timestamp@odata.type": nil, "odata.etag": nil, "odata.metadata": nil,
	} {
		if whole[name] != want {
			t.Errorf("%s is %v, want %v", name, whole[name], want)
		}
	}
}

func TestOperationOf(t *testing.T) {
	made := 0
	s := &Server{newID: func() string { made++; return fmt.Sprintf("new-%d", made) }}
	op := func(userKey, path string, keys ...string) string {
		t.Helper()
		c := &call{Exchange: &web.Exchange{Request: httptest.NewRequest("POST", path, nil)}}
		c.who.userKey = userKey
		for _, key := range keys {
			c.Request.Header.Add("Idempotency-Key", key)
		}
		id, err := s.operationOf(c)
		if err != nil {
			return ""
		}
		return id
	}
	first := op("ana", "/api/group/create", "k")
	if len(first) != 22 || !idPattern.MatchString(first) || first != op("ana", "/api/group/create?x=1", "k") {
		t.Errorf("the operation of a key: %q", first)
	}
	for name, other := range map[string]string{
		"another key":    op("ana", "/api/group/create", "l"),
		"another caller": op("ben", "/api/group/create", "k"),
		"another route":  op("ana", "/api/ignite/spinoff", "k"),
	} {
		if other == first || other == "" {
			t.Errorf("%s: %q", name, other)
		}
	}
	if a, b := op("ana", "/api/group/create"), op("ana", "/api/group/create"); a == b {
		t.Errorf("two operations without a key are one: %q", a)
	}
	for _, keys := range [][]string{{""}, {"a b"}, {strings.Repeat("k", 65)}, {"k", "k"}} {
		if id := op("ana", "/api/group/create", keys...); id != "" {
			t.Errorf("%q is a key, of the operation %q", keys, id)
		}
	}
}

func TestAPictureThatTheClientHasIsNotSentAgain(t *testing.T) {
	doc := &document{data: []byte("\x89PNG\r\n\x1a\n"), etag: `"1"`}
	for have, want := range map[string]int{"": 200, `"0"`: 200, `"1"`: 304} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("If-None-Match", have)
		w := httptest.NewRecorder()
		web.NewRouter([]web.Route{{Method: "GET", Path: "/", Handle: func(x *web.Exchange) (web.Reply, error) {
			return (&call{Exchange: x}).picture(doc), nil
		}}}, nil, slog.New(slog.DiscardHandler)).ServeHTTP(w, r)
		if w.Code != want || w.Header().Get("ETag") != `"1"` || w.Header().Get("Cache-Control") != "private, no-cache" {
			t.Errorf("with %q: %d %v", have, w.Code, w.Header())
		}
		if (w.Body.Len() == 0) != (want == 304) {
			t.Errorf("with %q: %d bytes", have, w.Body.Len())
		}
	}
}
