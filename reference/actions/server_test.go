package actions_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestARecordIsWrittenWhenItChanges(t *testing.T) {
	h := startHost(t, nil)
	send := func(body string, status int, updated bool) answer {
		t.Helper()
		a := h.ask(t, "POST", "/api/ActionsUpsert", body)
		if a.status != status || a.field("updated") != updated {
			t.Fatalf("%s: %d %s", body, a.status, a.body)
		}
		return a
	}
	first := send(`{"owner":" Actions ","name":"Checkout","stars":10,"at":"2026-01-02T03:04:05.600+02:00"}`, 201, true)
	same := send(`{"at":"2026-01-02T01:04:05.6Z","stars":1e1,"name":"Checkout","owner":"Actions"}`, 200, false)
	if first.field("lastSyncedUtc") != same.field("lastSyncedUtc") || first.field("created") != true ||
		same.field("created") != nil {
		t.Errorf("%s\n%s", first.body, same.body)
	}
	changed := send(`{"owner":"ACTIONS","name":"Checkout"}`, 200, true)
	if changed.field("created") != false ||
		changed.field("lastSyncedUtc").(string) <= same.field("lastSyncedUtc").(string) {
		t.Errorf("%s", changed.body)
	}
	one := h.ask(t, "GET", "/api/actions/ACTIONS/checkout", "")
	if one.status != 200 || one.field("owner") != "ACTIONS" || !strings.Contains(one.body, `"rowKey":"checkout"`) {
		t.Fatalf("%d %s", one.status, one.body)
	}
	send(one.body, 200, false)
}

func TestPayloadsOfAnySizeComeBack(t *testing.T) {
	h := startHost(t, nil)
	for name, text := range map[string]string{
		"a full text column": strings.Repeat("é", 32_000),
		"compressed":         strings.Repeat("abc", 200_000),
		"split":              incompressible(600_000),
	} {
		t.Run(name, func(t *testing.T) {
			body := fmt.Sprintf(`{"owner":"o","name":%q,"text":%q}`, name, text)
			if a := h.ask(t, "POST", "/api/ActionsUpsert", body); a.status != 201 {
				t.Fatalf("%d %s", a.status, a.body)
			}
			one := h.ask(t, "GET", "/api/actions/o/"+strings.ReplaceAll(name, " ", "%20"), "")
			if one.field("text") != text {
				t.Errorf("%d, %d bytes", one.status, len(one.body))
			}
			if a := h.ask(t, "POST", "/api/ActionsUpsert", one.body); a.field("updated") != false {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	if a := h.ask(t, "POST", "/api/ActionsUpsert", fmt.Sprintf(`{"owner":"o","name":"n","text":%q}`,
		incompressible(1_500_000))); a.status != 413 || a.field("errorCode") != "PAYLOAD_TOO_LARGE" {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := h.ask(t, "GET", "/api/actions/o/n", ""); a.status != 404 || a.field("error") == nil {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// incompressible is letters that no compression makes much shorter: six bits of each are chance.
func incompressible(n int) string {
	text, state := make([]byte, n), uint64(1)
	for i := range text {
		state = state*6364136223846793005 + 1442695040888963407
		text[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[state>>58]
	}
	return string(text)
}

func TestBatchJudgesEachRecordAlone(t *testing.T) {
	h := startHost(t, nil)
	h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"same"}`)
	h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"it's"}`)
	a := h.ask(t, "POST", "/api/ActionsUpsert/batch", `{"records":[
		{"owner":"o","name":"new"},{"owner":"O","name":"NEW"},{"owner":7,"name":"n"},{"owner":"o","name":"same"},
		{"owner":"p","name":"new","a":1,"a":2},{"owner":"o","name":"it's","v":2},{"owner":"p","name":"q"}]}`)
	var got []string
	for _, r := range a.field("results").([]any) {
		r := r.(map[string]any)
		got = append(got, fmt.Sprint(r["owner"], " ", r["name"], " ", r["status"], " ", r["updated"], " ", r["created"],
			" ", r["errorCode"]))
	}
	want := []string{
		"o new 201 true true <nil>", "O NEW 400 false <nil> VALIDATION_FAILED",
		"<nil> n 400 false <nil> VALIDATION_FAILED",
		"o same 200 false <nil> <nil>", "p new 400 false <nil> VALIDATION_FAILED", "o it's 200 true false <nil>",
		"p q 201 true true <nil>",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestFortyWritersOfOneRecordAreAllAnswered(t *testing.T) {
	h := startHost(t, nil)
	other := startOn(t, h.config)
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for i := range 40 {
		all.Go(func() {
			by := []*host{h, other}[i%2]
			a, err := by.try("POST", "/api/ActionsUpsert", fmt.Sprintf(`{"owner":"o","name":"n","writer":%d}`, i))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
		})
	}
	all.Wait()
	if statuses[201] != 1 || statuses[200] != 39 {
		t.Errorf("%v", statuses)
	}
}

func TestListGoesOnWhereItStopped(t *testing.T) {
	h := startHost(t, nil)
	for _, owner := range []string{"a", "b"} {
		for i := range 5 {
			h.ask(t, "POST", "/api/ActionsUpsert", fmt.Sprintf(`{"owner":%q,"name":"n%d"}`, owner, i))
		}
	}
	all := h.ask(t, "GET", "/api/actions/list", "")
	if all.header.Get("X-Actions-Count") != "10" || strings.Count(all.body, `"_metadata"`) != 10 {
		t.Errorf("%v %s", all.header, all.body)
	}
	restarted := startOn(t, h.config)
	var names, cursor string
	for {
		page := restarted.ask(t, "GET", "/api/actions/list?owner=A&limit=2"+cursor, "")
		for _, item := range page.field("items").([]any) {
			names += item.(map[string]any)["name"].(string) + " "
		}
		next, more := page.field("nextCursor").(string)
		if !more {
			break
		}
		cursor = "&cursor=" + next
		if a := h.ask(t, "GET", "/api/actions/list?owner=b&limit=2"+cursor, ""); a.status != 400 {
			t.Errorf("a cursor of another owner: %d %s", a.status, a.body)
		}
	}
	if names != "n0 n1 n2 n3 n4 " {
		t.Errorf("%q", names)
	}
	stats := h.ask(t, "GET", "/api/actions/stats", "")
	if stats.field("total") != 10.0 || stats.field("owners") != 2.0 {
		t.Errorf("%s", stats.body)
	}
}

func TestRefusals(t *testing.T) {
	h := startHost(t, nil)
	deep := strings.Repeat("[", 64) + strings.Repeat("]", 64)
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		message            string
	}{
		"both missing": {"POST", "/api/ActionsUpsert", `{}`, 400, "owner"},
		"name missing": {"POST", "/api/ActionsUpsert", `{"owner":"o"}`, 400, "name"},
		"name blank":   {"POST", "/api/ActionsUpsert", `{"owner":"o","name":" \t"}`, 400, "name"},
		"name with a slash": {"POST", "/api/ActionsUpsert", `{"owner":"o","name":"codeql-action/init"}`, 400,
			"name"},
		"key too long": {"POST", "/api/ActionsUpsert", `{"owner":"o","name":"` + strings.Repeat("n", 1025) +
			`"}`, 400, "too long"},
		"a list": {"POST", "/api/ActionsUpsert", `[]`, 400, "object"},
		"a field twice": {"POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","a":{"b":1,"\u0062":1}}`, 400,
			"one name"},
		"a number too long": {"POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","a":9007199254740993}`, 400,
			"double"},
		"nested too deeply": {"POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","a":` + deep + `}`, 400,
			"nested"},
		"a batch of none":      {"POST", "/api/ActionsUpsert/batch", `{"records":[]}`, 400, "1 to 100"},
		"limit zero":           {"GET", "/api/actions/list?limit=0", "", 400, "limit"},
		"limit too large":      {"GET", "/api/actions/list?limit=1001", "", 400, "limit"},
		"a cursor made up":     {"GET", "/api/actions/list?limit=1&cursor=AAAA", "", 400, "cursor"},
		"a method not there":   {"DELETE", "/api/actions/o/n", "", 405, "method"},
		"a key with a slash":   {"GET", "/api/actions/a%2Fb/n", "", 400, "owner"},
		"an unknown address":   {"GET", "/api/nothing", "", 404, "nothing"},
		"a body over the size": {"POST", "/api/ActionsUpsert", strings.Repeat(" ", 10<<20+1), 413, "large"},
	} {
		t.Run(name, func(t *testing.T) {
			a := h.ask(t, c.method, c.path, c.body)
			if a.status != c.status || !strings.Contains(a.body, c.message) {
				t.Errorf("%d %s", a.status, a.body)
			}
			if c.status == 405 && a.header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%v", a.header)
			}
		})
	}
}

// picky is a store that refuses every transaction, as one does for something in one of its records.
type picky struct {
	http.RoundTripper
	status string // of the operation
}

func (p picky) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, "$batch") {
		return p.RoundTripper.RoundTrip(r)
	}
	body := "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: " +
		"application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n" +
		"HTTP/1.1 " + p.status + "\r\nContent-Type: application/json\r\n\r\n" +
		`{"odata.error":{"code":"Told","message":{"lang":"en-US","value":"1:no"}}}` + "\r\n--c--\r\n--b--\r\n"
	return &http.Response{
		StatusCode: http.StatusAccepted, Status: "202 Accepted", Request: r,
		Header: http.Header{"Content-Type": {"multipart/mixed; boundary=b"}},
		Body:   io.NopCloser(strings.NewReader(body)),
	}, nil
}

func TestATransactionThatIsRefusedIsJudgedRecordByRecord(t *testing.T) {
	for status, want := range map[string]int{"400 Bad Request": 200, "413 Request Entity Too Large": 200,
		"503 Busy": 503, "429 Too Many Requests": 503} {
		config := lease(t, nil)
		config.Storage = picky{config.Storage, status}
		a := startOn(t, config).ask(t, "POST", "/api/ActionsUpsert/batch",
			`{"records":[{"owner":"o","name":"a"},{"owner":"o","name":"b"}]}`)
		if a.status != want || want == 200 && strings.Count(a.body, `"status":201`) != 2 {
			t.Errorf("%s: %d %s", status, a.status, a.body)
		}
	}
}
