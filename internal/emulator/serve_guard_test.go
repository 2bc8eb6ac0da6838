package emulator

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
)

func TestHosts(t *testing.T) {
	h := hosts{accounts: []string{"team"}}
	h.allow([]string{"Storage", "emulators.test."})
	for host, want := range map[string]bool{
		"127.0.0.1:10002": true, "localhost": true, "LOCALHOST:1": true, "team.table.localhost:1": true,
		"[::1]:10000": true, "[::1]": true, "192.168.1.5:10000": true, "": true,
		"team.blob.core.windows.net": true, "team-secondary.blob.core.windows.net": true,
		"team.z01.blob.storage.azure.net": true, "storage:10000": true, "team.blob.emulators.test": true,
		"team.table.core.chinacloudapi.cn": true, "team.blob.core.usgovcloudapi.net:443": true,
		"host.docker.internal:10000": true, "vm.c.project.internal.": true, "INTERNAL": true,
		"fake-host": false, "other.blob.core.chinacloudapi.cn": false, "evilinternal": false,
		"internal.evil.example": false, "evil.example": false, "evil.example:10000": false,
		"team.blob.evil.example":      false,
		"other.blob.core.windows.net": false, "core.windows.net": false, "localhost.evil.example": false,
		"127.0.0.1.evil.example": false, "notemulators.test": false, "storage.evil": false,
	} {
		if got := h.allows(host); got != want {
			t.Errorf("%q is allowed: %v", host, got)
		}
	}
	if everything := (&hosts{allowed: []string{"*"}}); !everything.allows("evil.example") {
		t.Error("a star does not allow everything")
	}
}

// A page that reached an emulator by DNS rebinding gets nothing of any service, whatever it asks for. Only Workers KV
// answers to the name that workerd gives it.
func TestForeignHost(t *testing.T) {
	s := start(t, func(o *ServeOptions) { o.NoAuth, o.KV, o.DynamoDB = true, ":0", ":0" })
	ask := func(method, address, host string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	tables := endpoint(t, s.connections[0], "TableEndpoint")
	binding, _, _ := strings.Cut(s.kv, "/client/")
	for name, one := range map[string]struct{ method, address, own string }{
		"tables":             {"GET", tables + "/Tables", "devstoreaccount1.table.localhost:10002"},
		"properties":         {"GET", tables + "?restype=service&comp=properties", "host.docker.internal"},
		"preflight":          {"OPTIONS", tables + "/Tables", "localhost"},
		"blobs":              {"GET", endpoint(t, s.connections[0], "BlobEndpoint") + "?comp=list", "127.0.0.1"},
		"another account":    {"GET", strings.TrimSuffix(tables, azure.DevelopmentAccount) + "nobody", "localhost"},
		"KV's REST API":      {"GET", s.kv + "/keys", workerdHost},
		"KV's binding":       {"GET", binding + "/key?urlencoded=true", workerdHost},
		"DynamoDB":           {"POST", s.dynamodb, "localhost"},
		"DynamoDB's health":  {"GET", s.dynamodb, "dynamodb.localhost"},
		"an unknown address": {"GET", s.dynamodb + "/none", "localhost"},
	} {
		for _, host := range []string{"evil.example", workerdHost} {
			if host != one.own && ask(one.method, one.address, host) != http.StatusMisdirectedRequest {
				t.Errorf("%s answers to the host %s", name, host)
			}
		}
		if ask(one.method, one.address, one.own) == http.StatusMisdirectedRequest {
			t.Errorf("%s does not answer to the host %s", name, one.own)
		}
	}
}

// endpoint finds an address in a connection string.
func endpoint(t *testing.T, connection, name string) string {
	t.Helper()
	for part := range strings.SplitSeq(connection, ";") {
		if address, found := strings.CutPrefix(part, name+"="); found {
			return address
		}
	}
	t.Fatalf("no %s in %s", name, connection)
	return ""
}

// A body that does not come is answered as the service does that is emulated.
func TestABodyThatDoesNotCome(t *testing.T) {
	s := start(t, func(o *ServeOptions) {
		o.NoAuth, o.KV, o.DynamoDB, o.patience = true, ":0", ":0", 50*time.Millisecond
	})
	late := func(name, head, body string, status int, code string) {
		t.Helper()
		method, address, _ := strings.Cut(head, " ")
		address, headers, _ := strings.Cut(address, " ")
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		c, err := net.Dial("tcp", u.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		text := method + " " + u.RequestURI() + " HTTP/1.1\r\nHost: localhost\r\n"
		if !strings.Contains(headers, "chunked") {
			text += "Content-Length: 1000000\r\n"
		}
		if headers != "" {
			text += headers + "\r\n"
		}
		if _, err := io.WriteString(c, text+"\r\n"+body); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(c) // until the connection ends
		if err != nil || !strings.HasPrefix(string(answer), fmt.Sprintf("HTTP/1.1 %d ", status)) ||
			!strings.Contains(string(answer), code) {
			t.Errorf("%s: %q, %v", name, answer, err)
		}
	}
	if err := put(t.Context(), s.connections[0]); err != nil { // a table Things and a container box
		t.Fatal(err)
	}
	tables, blobs := endpoint(t, s.connections[0], "TableEndpoint"), endpoint(t, s.connections[0], "BlobEndpoint")
	binding, _, _ := strings.Cut(s.kv, "/client/")
	const json, timedOut = " Content-Type: application/json", "OperationTimedOut"
	late("an entity", "POST "+tables+"/Things"+json, `{"Part`, 500, timedOut)
	late("properties", "PUT "+tables+"?restype=service&comp=properties", "<Stor", 500, timedOut)
	const block = " x-ms-blob-type: BlockBlob"
	late("a blob in a file", "PUT "+blobs+"/box/late"+block, "abc", 500, timedOut)
	late("a blob in memory", "PUT "+blobs+"/box/late"+block+"\r\nTransfer-Encoding: chunked", "3\r\nabc\r\n", 500,
		timedOut)
	late("a block list", "PUT "+blobs+"/box/late?comp=blocklist", "<Block", 500, timedOut)
	late("a call of DynamoDB", "POST "+s.dynamodb+" Content-Type: application/x-amz-json-1.0\r\n"+
		"X-Amz-Target: DynamoDB_20120810.ListTables", "{", 408, "RequestTimeoutException")
	late("a value of KV", "PUT "+s.kv+"/values/late", "abc", 408, `"success":false`)
	late("pairs of KV", "PUT "+s.kv+"/bulk"+json, "[{", 408, `"success":false`)
	late("a form of KV", "PUT "+s.kv+"/values/late Content-Type: multipart/form-data; boundary=b", "--b\r\n", 408,
		`"success":false`)
	late("a binding's value", "PUT "+binding+"/late?urlencoded=true", "abc", 408, "Request Timeout")
	late("a binding's keys", "POST "+binding+"/bulk/get", "{", 408, "Request Timeout")
	if status, answer := s.request("GET", "/values/late", ""); status != http.StatusNotFound {
		t.Errorf("half a value was written: %d %s", status, answer)
	}
}
