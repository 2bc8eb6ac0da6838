package account

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// recorded is what an account would have got.
type recorded struct {
	line, host, body string
	header           http.Header
	length           int64
}

// resign starts an account that records and a gateway in front of it.
func resign(t *testing.T, service wire.Service, endpoint string) (gatewayURL string, got *recorded) {
	t.Helper()
	got = &recorded{}
	record := transportFunc(func(r *http.Request) (*http.Response, error) {
		*got = recorded{line: r.Method + " " + r.URL.RequestURI(), host: r.URL.Host, header: r.Header,
			length: r.ContentLength}
		if r.Body != nil {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			got.body = string(body)
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	})
	config, err := parseConnectionString("AccountName=acct;AccountKey=" + testKey + ";TableEndpoint=" + endpoint +
		";BlobEndpoint=" + endpoint)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	server := httptest.NewServer(newResigner(service, config, "bWFkZQ==", config.table, record,
		func() time.Time { return at }))
	t.Cleanup(server.Close)
	return server.URL, got
}

type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// response is an answer that was read to its end.
type response struct {
	status     int
	code, body string
}

// send sends a request signed with the made-up key, unless sign is false.
func send(t *testing.T, service wire.Service, method, address, body string, header map[string]string,
	sign bool) response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	if sign {
		r.Header.Set("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
		path, query := target(r.URL.RequestURI())
		r.Header.Set("Authorization", azureauth.Authorization(azureauth.SharedKey, azureauth.Service(service), "acct",
			[]byte("made"), r, path, query))
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{answer.StatusCode, answer.Header.Get("X-Ms-Error-Code"), string(text)}
}

func TestResignSendsToTheAccount(t *testing.T) {
	for _, c := range []struct{ name, endpoint, path, host, line string }{
		{"host style", "https://acct.table.core.windows.net",
			"/acct/T(PartitionKey='a%7Cb',RowKey='%2525')?$filter=a;b&x=%zz",
			"acct.table.core.windows.net", "GET /T(PartitionKey='a%7Cb',RowKey='%2525')?$filter=a;b&x=%zz"},
		{"path style", "http://127.0.0.1:10002/acct", "/acct/T()", "127.0.0.1:10002", "GET /acct/T()"},
		{"account itself", "https://acct.table.core.windows.net", "/acct?comp=properties",
			"acct.table.core.windows.net", "GET /?comp=properties"},
		{"path that starts like the account", "https://acct.table.core.windows.net", "/acct/acct",
			"acct.table.core.windows.net", "GET /acct"},
	} {
		t.Run(c.name, func(t *testing.T) {
			gate, got := resign(t, azure.Table, c.endpoint)
			if answer := send(t, azure.Table, "GET", gate+c.path, "", nil, true); answer.status != http.StatusOK {
				t.Fatalf("status %d", answer.status)
			}
			if got.line != c.line || got.host != c.host {
				t.Errorf("sent %s to %s\nwant %s to %s", got.line, got.host, c.line, c.host)
			}
			key, err := base64.StdEncoding.DecodeString(testKey)
			if err != nil {
				t.Fatal(err)
			}
			path, query := target(strings.TrimPrefix(got.line, "GET "))
			want := azureauth.Authorization(azureauth.SharedKeyLite, azureauth.Table, "acct", key,
				&http.Request{Method: "GET", Header: got.header}, path, query)
			if got.header.Get("Authorization") != want {
				t.Error("it is not signed with the account's key")
			}
			if got.header.Get("Date") != "" || got.header.Get("X-Ms-Date") != "Fri, 02 Jan 2026 03:04:05 GMT" {
				t.Errorf("dates: %q and %q", got.header.Get("Date"), got.header.Get("X-Ms-Date"))
			}
		})
	}
}

func TestResignRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		service wire.Service
		method  string
		path    string
		header  map[string]string
		sign    bool
		status  int
		code    string
	}{
		{"another account", azure.Table, "GET", "/other/T", nil, true, 404, "ResourceNotFound"},
		{"an account with the same start", azure.Table, "GET", "/acct2/T", nil, true, 404, "ResourceNotFound"},
		{"another key", azure.Table, "GET", "/acct/T", map[string]string{"Authorization": "SharedKey acct:AAAA"}, false,
			403, "AuthenticationFailed"},
		{"another key for blobs", azure.Blob, "GET", "/acct/c/b",
			map[string]string{"Authorization": "SharedKeyLite acct:AAAA"}, false, 403, "AuthenticationFailed"},
		{"blob batch", azure.Blob, "POST", "/acct/?comp=batch", nil, true, 501, "NotImplemented"},
	} {
		t.Run(c.name, func(t *testing.T) {
			gate, got := resign(t, c.service, "https://acct.example")
			answer := send(t, c.service, c.method, gate+c.path, "", c.header, c.sign)
			if answer.status != c.status || answer.code != c.code || !strings.Contains(answer.body, c.code) {
				t.Errorf("answer %d %s, want %d %s", answer.status, answer.body, c.status, c.code)
			}
			if got.line != "" {
				t.Errorf("the account got %s", got.line)
			}
		})
	}
}

// A request without a signature must not get one.
func TestResignDoesNotSignForStrangers(t *testing.T) {
	for _, auth := range []string{"", "Bearer token"} {
		gate, got := resign(t, azure.Blob, "https://acct.example")
		send(t, azure.Blob, "GET", gate+"/acct/c/b?sig=x", "", map[string]string{"Authorization": auth}, false)
		if got.line != "GET /c/b?sig=x" || got.header.Get("Authorization") != auth {
			t.Errorf("sent %s with authorization %q, want %q", got.line, got.header.Get("Authorization"), auth)
		}
	}
}

func TestResignRewritesCopySource(t *testing.T) {
	gate, got := resign(t, azure.Blob, "https://acct.blob.core.windows.net")
	for source, want := range map[string]string{
		gate + "/acct/c/a%20b?snapshot=1":  "https://acct.blob.core.windows.net/c/a%20b?snapshot=1",
		"https://elsewhere.example/acct/c": "https://elsewhere.example/acct/c",
		gate + "/other/c":                  gate + "/other/c",
	} {
		send(t, azure.Blob, "PUT", gate+"/acct/c/new", "", map[string]string{"X-Ms-Copy-Source": source}, true)
		if s := got.header.Get("X-Ms-Copy-Source"); s != want {
			t.Errorf("copy source %s became %s, want %s", source, s, want)
		}
	}
}

func TestResignRewritesBatch(t *testing.T) {
	gate, got := resign(t, azure.Table, "https://acct.table.core.windows.net")
	body := func(base string) string {
		text := fmt.Sprintf(`{"PartitionKey":"p","RowKey":"1","Text":"PUT %s/acct/T HTTP/1.1"}`, gate)
		return strings.ReplaceAll(fmt.Sprintf(`--batch_1
Content-Type: multipart/mixed; boundary=changeset_1

--changeset_1
Content-Type: application/http
Content-Transfer-Encoding: binary

POST %[1]s/T HTTP/1.1
Content-Type: application/json

%[2]s
PUT %[3]s/acct/T HTTP/1.1
--changeset_1
content-type:application/http; msgtype=request

DELETE %[1]s/T(PartitionKey='p%%20q',RowKey='2') HTTP/1.1
If-Match: *

--changeset_1--
--batch_1--
`, base, text, gate), "\n", "\r\n")
	}
	sent, want := body(gate+"/acct"), body("https://acct.table.core.windows.net")
	if answer := send(t, azure.Table, "POST", gate+"/acct/$batch", sent,
		map[string]string{"Content-Type": "multipart/mixed; boundary=batch_1"}, true); answer.status != http.StatusOK {
		t.Fatalf("status %d", answer.status)
	}
	if got.body != want {
		t.Errorf("got\n%s\nwant\n%s", got.body, want)
	}
	if got.length != int64(len(want)) {
		t.Errorf("length %d, want %d", got.length, len(want))
	}
	if answer := send(t, azure.Table, "POST", gate+"/acct/$batch", strings.Repeat("x", maxBatch+1), nil,
		true); answer.status != http.StatusRequestEntityTooLarge {
		t.Errorf("more than 4 MiB: status %d", answer.status)
	}
}

func FuzzRewriteBatch(f *testing.F) {
	f.Add("--a\nContent-Type: application/http\n\nGET http://h/x HTTP/1.1\n\n--a--\n")
	f.Add("--\r\ncontent-type:application/http\r\n\r\nnone\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		if got := rewriteBatch([]byte(body), func(s string) string { return s }); string(got) != body {
			t.Errorf("rewriting nothing changed %q to %q", body, got)
		}
		// What is rewritten is found again in its new form, and only there.
		there := rewriteBatch([]byte(body), func(s string) string { return "x" + s })
		back := rewriteBatch(there, func(s string) string { return strings.TrimPrefix(s, "x") })
		if string(back) != body {
			t.Errorf("%q there and back: %q", body, back)
		}
	})
}

func TestParseConnectionString(t *testing.T) {
	const key = ";AccountKey=" + testKey + ";"
	for _, c := range []struct{ name, in, table, blob, err string }{
		{"defaults", "DefaultEndpointsProtocol=https;AccountName=acct" + key, "https://acct.table.core.windows.net",
			"https://acct.blob.core.windows.net", ""},
		{"suffix", "AccountName=acct;EndpointSuffix=core.chinacloudapi.cn" + key,
			"https://acct.table.core.chinacloudapi.cn", "https://acct.blob.core.chinacloudapi.cn", ""},
		{"endpoints", "AccountName=acct" + key +
			"BlobEndpoint=http://127.0.0.1:1/acct/;TableEndpoint=http://127.0.0.1:2/acct", "http://127.0.0.1:2/acct",
			"http://127.0.0.1:1/acct", ""},
		{"one endpoint", "AccountName=acct" + key + "BlobEndpoint=http://127.0.0.1:1/acct",
			"https://acct.table.core.windows.net", "http://127.0.0.1:1/acct", ""},
		{"no endpoint", "AccountName=acct" + key, "", "", "no endpoints"},
		{"no key", "AccountName=acct;SharedAccessSignature=secret", "", "", "has no AccountKey"},
		{"bad key", "AccountName=acct;AccountKey=secret!", "", "", "not base64"},
		{"bad endpoint", "AccountName=acct;TableEndpoint=secret" + key, "", "", "address of the table service"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseConnectionString(c.in)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "secret") {
					t.Errorf("error %v, want %q and no value of the string", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got.table.String() != c.table || got.blob.String() != c.blob || got.account != "acct" {
				t.Errorf("%s at %s and %s", got.account, got.table, got.blob)
			}
		})
	}
}
