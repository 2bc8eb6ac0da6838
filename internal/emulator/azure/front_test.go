package azure

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// testNow is the clock of these tests.
var testNow = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

const testKey = "c3RvcmVzcGVjIHRlc3Qga2V5LCBub3QgYSBzZWNyZXQ="

// reached is what the service behind a front got.
type reached struct {
	requests []*Request
	serve    func(http.ResponseWriter, *Request) // nil: 200
}

func newTestFront(t *testing.T, o Options) (*Front, *reached) {
	t.Helper()
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	o.Accounts = NewAccounts(e)
	for _, name := range []string{"acct", "other"} {
		if _, err := o.Accounts.Add(name, testKey); err != nil {
			t.Fatal(err)
		}
	}
	if o.Now == nil {
		o.Now = func() time.Time { return testNow }
	}
	got := &reached{}
	return NewFront(o, func(w http.ResponseWriter, r *Request) {
		got.requests = append(got.requests, r)
		if got.serve != nil {
			got.serve(w, r)
		}
	}), got
}

// newRequest is an unsigned request.
func newRequest(method, target string, header map[string]string) *http.Request {
	r := httptest.NewRequest(method, target, nil)
	r.Header.Set("X-Ms-Version", "2020-12-06")
	r.Header.Set("X-Ms-Date", testNow.Format(http.TimeFormat))
	for name, value := range header {
		r.Header.Set(name, value)
	}
	return r
}

// sign signs a request with the account's key.
func sign(r *http.Request, scheme string, service Service, account string) *http.Request {
	key, err := base64.StdEncoding.DecodeString(testKey)
	if err != nil {
		panic(err)
	}
	_, path, query := targetParts(r.RequestURI)
	r.Header.Set("Authorization", azureauth.Authorization(scheme, service, account, key, r, path, string(query)))
	return r
}

func respond(f http.Handler, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w.Result()
}

// wantProblem checks an error's status and code, and that the service was not reached.
func wantProblem(t *testing.T, answer *http.Response, got *reached, status int, code string) {
	t.Helper()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != status || answer.Header.Get("X-Ms-Error-Code") != code ||
		(len(body) > 0 && !strings.Contains(string(body), code)) {
		t.Errorf("answer %d %s, want %d %s; body %s", answer.StatusCode, answer.Header.Get("X-Ms-Error-Code"), status,
			code, body)
	}
	if len(got.requests) > 0 {
		t.Error("the service was reached")
	}
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		host, target string
		want         address
	}{
		{"127.0.0.1:10002", "/acct/Things(PartitionKey='a%2Fb',RowKey='')?x=y",
			address{"acct", "Things(PartitionKey='a%2Fb',RowKey='')", false}},
		{"[::1]:10002", "/acct", address{"acct", "", false}},
		{"localhost:10002", "/acct/", address{"acct", "", false}},
		{"emulator", "/acct/Things", address{"acct", "Things", false}},
		{"table", "/acct/Things", address{"acct", "Things", false}},
		{"acct.table.core.windows.net", "/Things", address{"acct", "Things", false}},
		{"acct.table.localhost:10002", "/", address{"acct", "", false}},
		{"acct.z01.table.storage.azure.net", "/Things", address{"acct", "Things", false}},
		{"acct.blob.localhost", "/acct/Things", address{"acct", "Things", false}},
		{"acct-secondary.table.core.windows.net", "/Things", address{"acct", "Things", true}},
		{"127.0.0.1", "/acct-secondary/Things", address{"acct", "Things", true}},
		{"127.0.0.1", "http://acct.table.localhost/Things?x", address{"acct", "Things", false}},
		{"127.0.0.1", "http://acct.table.localhost?x=/y", address{"acct", "", false}},
	} {
		host, path, _ := targetParts(c.target)
		if host == "" {
			host = c.host
		}
		if got := splitAddress(Table, host, path); got != c.want {
			t.Errorf("%s %s: %+v, want %+v", c.host, c.target, got, c.want)
		}
	}
}

func TestCommonHeaders(t *testing.T) {
	f, got := newTestFront(t, Options{Service: Table})
	r := sign(newRequest("GET", "/acct/Things", map[string]string{"X-Ms-Client-Request-Id": "mine"}),
		azureauth.SharedKeyLite, Table, "acct")
	a := respond(f, r)
	if a.StatusCode != 200 || len(got.requests) != 1 {
		t.Fatalf("answer %d", a.StatusCode)
	}
	for name, want := range map[string]string{
		"X-Ms-Version": "2020-12-06", "Date": testNow.Format(http.TimeFormat), "X-Ms-Client-Request-Id": "mine",
		"X-Ms-Request-Id": got.requests[0].ID,
	} {
		if a.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, a.Header.Get(name), want)
		}
	}
	respond(f, r)
	if first, second := got.requests[0].ID, got.requests[1].ID; first == second || len(first) != 36 {
		t.Errorf("request ids %q and %q", first, second)
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct{ target, header, want string }{
		{"/acct/Things", "2019-02-02", "2019-02-02"},
		{"/acct/Things", "2099-01-01", "2099-01-01"},
		{"/acct/Things", "", latestVersion},
		{"/acct/Things?api-version=2021-08-06", "", "2021-08-06"},
		{"/acct/Things", "latest", ""},
		{"/acct/Things", "2019-13-02", ""},
		{"/acct/Things", "1999-01-01", ""},
		{"/acct/Things?api-version=now", "", ""},
	} {
		f, got := newTestFront(t, Options{Service: Table, NoAuth: true})
		r := newRequest("GET", c.target, nil)
		r.Header.Del("X-Ms-Version")
		if c.header != "" {
			r.Header.Set("X-Ms-Version", c.header)
		}
		a := respond(f, r)
		switch {
		case c.want == "" && c.header != "":
			wantProblem(t, a, got, 400, "InvalidHeaderValue")
		case c.want == "":
			wantProblem(t, a, got, 400, "InvalidQueryParameterValue")
		case len(got.requests) != 1 || got.requests[0].Version != c.want:
			t.Errorf("%s %q: answer %d, want version %s", c.target, c.header, a.StatusCode, c.want)
		}
	}
}

func TestAPanicIsAnInternalError(t *testing.T) {
	for service, contentType := range map[Service]string{Table: "application/json", Blob: "application/xml"} {
		var logged string
		f, got := newTestFront(t,
			Options{Service: service, NoAuth: true, Log: func(format string, _ ...any) { logged = format }})
		got.serve = func(http.ResponseWriter, *Request) { panic("out of cheese") }
		a := respond(f, newRequest("GET", "/acct/things", nil))
		got.requests = nil
		if !strings.HasPrefix(a.Header.Get("Content-Type"), contentType) || logged == "" {
			t.Errorf("%s: content type %q, log %q", service, a.Header.Get("Content-Type"), logged)
		}
		wantProblem(t, a, got, 500, "InternalError")
	}
}

func TestABrokenAnswerIsCut(t *testing.T) {
	for name, serve := range map[string]func(http.ResponseWriter, *Request){
		"intended":     func(http.ResponseWriter, *Request) { panic(http.ErrAbortHandler) },
		"half written": func(w http.ResponseWriter, _ *Request) { io.WriteString(w, "half"); panic("out of cheese") },
		"half copied": func(w http.ResponseWriter, _ *Request) {
			io.Copy(w, io.LimitReader(strings.NewReader("half"), 2))
			panic("out of cheese")
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, got := newTestFront(t, Options{Service: Table, NoAuth: true})
			got.serve = serve
			defer func() {
				if p, _ := recover().(error); !errors.Is(p, http.ErrAbortHandler) {
					t.Error("a connection that is to be cut was answered")
				}
			}()
			respond(f, newRequest("GET", "/acct/things", nil))
		})
	}
}

// A client that sends a large body with a wrong key gets the answer, not a broken connection.
func TestRefusedBodiesAreRead(t *testing.T) {
	f, got := newTestFront(t, Options{Service: Blob})
	server := httptest.NewServer(f)
	defer server.Close()
	r, err := http.NewRequest("PUT", server.URL+"/acct/box/b", strings.NewReader(strings.Repeat("x", 8<<20)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Ms-Version", "2020-12-06")
	a, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	wantProblem(t, a, got, 401, "NoAuthenticationInformation")
}

func TestHeadErrorsHaveNoBody(t *testing.T) {
	f, got := newTestFront(t, Options{Service: Blob})
	a := respond(f, newRequest("HEAD", "/acct/box/blob", nil))
	body, err := io.ReadAll(a.Body)
	if len(body) > 0 || err != nil {
		t.Errorf("body %q, %v", body, err)
	}
	wantProblem(t, a, got, 401, "NoAuthenticationInformation")
}

func TestErrorsComeInTheFormAskedFor(t *testing.T) {
	for _, c := range []struct {
		service        Service
		accept, header string
		want           string
	}{
		{Table, "application/json;odata=minimalmetadata",
			"application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
			`{"odata.error":{"code":"InvalidAuthenticationInfo","message":{"lang":"en-US","value":"`},
		{Table, "", "application/json;odata=minimalmetadata;streaming=true;charset=utf-8", `{"odata.error":`},
		{Table, "application/atom+xml,application/xml", "application/xml",
			`<m:code>InvalidAuthenticationInfo</m:code><m:message xml:lang="en-US">`},
		{Blob, "application/json", "application/xml", `<Error><Code>NoAuthenticationInformation</Code><Message>`},
	} {
		f, _ := newTestFront(t, Options{Service: c.service})
		a := respond(f, newRequest("GET", "/acct/things", map[string]string{"Accept": c.accept}))
		body, err := io.ReadAll(a.Body)
		if err != nil || a.Header.Get("Content-Type") != c.header || !strings.Contains(string(body), c.want) ||
			!strings.Contains(string(body), "RequestId:"+a.Header.Get("X-Ms-Request-Id")) ||
			!strings.Contains(string(body), "Time:2026-03-04T05:06:07.0000000Z") {
			t.Errorf("%s, %s: %s: %s", c.service, c.accept, a.Header.Get("Content-Type"), body)
		}
	}
}

func TestTheSecondaryIsReadOnly(t *testing.T) {
	f, got := newTestFront(t, Options{Service: Table})
	wantProblem(t, respond(f, sign(newRequest("PUT", "/acct-secondary/Things", nil), azureauth.SharedKey, Table,
		"acct")), got, 403, "WriteOperationNotSupportedOnSecondary")
	if a := respond(f, sign(newRequest("GET", "/acct-secondary/Things", nil), azureauth.SharedKey, Table,
		"acct")); a.StatusCode != 200 || !got.requests[0].Secondary {
		t.Errorf("read: %d", a.StatusCode)
	}
}

func TestAccounts(t *testing.T) {
	f, _ := newTestFront(t, Options{Service: Table})
	for _, c := range []struct{ name, key string }{
		{"ab", testKey}, {"Upper", testKey}, {"with-hyphen", testKey}, {strings.Repeat("a", 25), testKey},
		{"acct", "not base64!"}, {"acct", ""},
	} {
		if _, err := f.Accounts.Add(c.name, c.key); err == nil ||
			(c.key != "" && strings.Contains(err.Error(), c.key)) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
	if _, err := f.Accounts.Add(DevelopmentAccount, DevelopmentKey); err != nil ||
		f.Accounts.Lookup(DevelopmentAccount) == nil {
		t.Error(err)
	}
}
