package tables

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

const testAccount = "devstoreaccount1"

// emulator is a table service without authentication, reached without a socket.
type emulator struct {
	t       testing.TB
	engine  *engine.Engine
	service *Service
	handler http.Handler
	now     func() time.Time
}

func openEmulator(t testing.TB, opts engine.Options) *emulator {
	t.Helper()
	e := &emulator{t: t, now: time.Now}
	e.open(opts)
	t.Cleanup(e.close)
	return e
}

func (e *emulator) open(opts engine.Options) {
	var err error
	if e.engine, err = engine.Open(opts); err != nil {
		e.t.Fatal(err)
	}
	accounts := azure.NewAccounts(e.engine)
	if _, err := accounts.Add(testAccount, azure.DevelopmentKey); err != nil {
		e.t.Fatal(err)
	}
	now := func() time.Time { return e.now() }
	log := e.t.Logf
	if _, fuzzing := e.t.(*testing.F); fuzzing {
		log = nil // F may not be used inside a target
	}
	e.service = New(Options{Engine: e.engine, Now: now, Log: log})
	e.handler = azure.NewFront(azure.Options{
		Service: azure.Table, Accounts: accounts, NoAuth: true, Now: now, Policies: e.service.Policies, Log: log,
	}, e.service.Serve)
}

func (e *emulator) close() {
	if e.engine == nil {
		return
	}
	if err := e.engine.Close(); err != nil {
		e.t.Error(err)
	}
	e.engine = nil
}

// within is e for a subtest or a fuzz target.
func (e *emulator) within(t testing.TB) *emulator {
	inner := *e
	inner.t = t
	return &inner
}

// reply is an answer, read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

// do sends a request for what stands after the account. Headers are given as "Name: value".
func (e *emulator) do(method, path, body string, headers ...string) reply {
	e.t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1:10002/"+testAccount+"/"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	e.handler.ServeHTTP(w, r)
	answer, err := io.ReadAll(w.Result().Body)
	if err != nil {
		e.t.Fatal(err)
	}
	return reply{w.Code, w.Result().Header, string(answer)}
}

// must is do, and a failure when the status is another.
func (e *emulator) must(status int, method, path, body string, headers ...string) reply {
	e.t.Helper()
	a := e.do(method, path, body, headers...)
	if a.status != status {
		e.t.Fatalf("%s %s: %d %s, want %d", method, path, a.status, a.body, status)
	}
	return a
}

func (e *emulator) createTable(name string) {
	e.t.Helper()
	e.must(201, "POST", "Tables", `{"TableName":"`+name+`"}`)
}

// put upserts an entity whose properties are given as JSON members.
func (e *emulator) put(table, partition, row, members string) reply {
	e.t.Helper()
	return e.must(204, "PUT", entityPath(table, partition, row), "{"+members+"}")
}

// rows queries and gives the entities as JSON objects.
func (e *emulator) rows(table, query string, headers ...string) []map[string]any {
	e.t.Helper()
	a := e.must(200, "GET", table+"()?"+query, "", headers...)
	return a.values(e.t)
}

func (a reply) values(t testing.TB) []map[string]any {
	t.Helper()
	var page struct{ Value []map[string]any }
	a.decode(t, &page)
	return page.Value
}

func (a reply) decode(t testing.TB, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(a.body))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
}

// etag returns the time in the answer's ETag.
func (a reply) etag(t testing.TB) ticks {
	t.Helper()
	c, ok := parseCondition(a.header.Get("ETag"))
	if !ok || c.at == 0 {
		t.Fatalf("ETag %q", a.header.Get("ETag"))
	}
	return c.at
}

func (a reply) object(t testing.TB) map[string]any {
	t.Helper()
	var o map[string]any
	a.decode(t, &o)
	return o
}

// keys are the row keys of entities, joined.
func keysOf(rows []map[string]any) string {
	var keys []string
	for _, r := range rows {
		keys = append(keys, fmt.Sprint(r["RowKey"]))
	}
	return strings.Join(keys, " ")
}

// failsWith checks status and code, and that the message is in Azure's form.
func (a reply) failsWith(t testing.TB, status int, code string) {
	t.Helper()
	var body struct {
		Error struct {
			Code    string
			Message struct{ Lang, Value string }
		} `json:"odata.error"`
	}
	if a.status != status {
		t.Fatalf("%d %s, want %d %s", a.status, a.body, status, code)
	}
	a.decode(t, &body)
	if body.Error.Code != code || a.header.Get("X-Ms-Error-Code") != code {
		t.Errorf("code %q, header %q, want %s", body.Error.Code, a.header.Get("X-Ms-Error-Code"), code)
	}
	if v := body.Error.Message.Value; !strings.Contains(v, "\nRequestId:") || !strings.Contains(v, "\nTime:") {
		t.Errorf("message %q lacks its lines", v)
	}
}

func filter(text string) string { return "$filter=" + url.QueryEscape(text) }

// operationText is one request of a change set.
type operationText struct{ method, path, body, headers string }

// batchBody writes a batch with one change set.
func batchBody(operations ...operationText) string {
	var b bytes.Buffer
	b.WriteString("--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n")
	for i, o := range operations {
		fmt.Fprintf(&b, "--changeset_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"+
			"%s http://127.0.0.1:10002/%s/%s HTTP/1.1\r\nContent-ID: %d\r\nContent-Type: "+
			"application/json\r\n%s\r\n%s\r\n",
			o.method, testAccount, o.path, i, o.headers, o.body)
	}
	b.WriteString("--changeset_1--\r\n--batch_1--\r\n")
	return b.String()
}

func (e *emulator) batch(operations ...operationText) reply {
	e.t.Helper()
	return e.do("POST", "$batch", batchBody(operations...), "Content-Type: multipart/mixed; boundary=batch_1")
}

// statuses are those of the parts of a batch's answer.
func (a reply) statuses() string {
	var list []string
	for line := range strings.Lines(a.body) {
		if rest, ok := strings.CutPrefix(line, "HTTP/1.1 "); ok {
			list = append(list, rest[:3])
		}
	}
	return strings.Join(list, " ")
}
