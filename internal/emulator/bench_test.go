package emulator

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/azureauth"
)

// discard is an answer that is not read.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }

// signedRequest is a request as a server gets it, signed as the SDK of the service signs.
func signedRequest(service azure.Service, method, path, query, body string) *http.Request {
	key, err := base64.StdEncoding.DecodeString(azure.DevelopmentKey)
	if err != nil {
		panic(err)
	}
	target := "/" + azure.DevelopmentAccount + "/" + path
	r := &http.Request{
		Method: method, URL: &url.URL{Path: target, RawQuery: query}, RequestURI: target, Host: "127.0.0.1:10002",
		ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"X-Ms-Date": {time.Now().UTC().Format(http.TimeFormat)}, "X-Ms-Version": {"2019-02-02"},
			"Accept":       {"application/json;odata=minimalmetadata"},
			"Content-Type": {"application/json"}, "Dataserviceversion": {"3.0"},
		},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), RemoteAddr: "127.0.0.1:1",
	}
	if query != "" {
		r.RequestURI += "?" + query
	}
	scheme := azureauth.SharedKeyLite
	if service == azure.Blob {
		scheme = azureauth.SharedKey
		r.Header.Set("X-Ms-Blob-Type", "BlockBlob")
	}
	r.Header.Set("Authorization",
		azureauth.Authorization(scheme, service, azure.DevelopmentAccount, key, r, target, query))
	return r
}

// BenchmarkServices is what the emulator itself does for a call, signature checked, without a socket.
func BenchmarkServices(b *testing.B) {
	e, err := Open(Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	if err := e.AddAccount(azure.DevelopmentAccount, azure.DevelopmentKey); err != nil {
		b.Fatal(err)
	}
	call := func(service azure.Service, method, path, query, body string) func() int {
		r := signedRequest(service, method, path, query, body)
		handler := e.Table
		if service == azure.Blob {
			handler = e.Blob
		}
		return func() int {
			r.Body = io.NopCloser(strings.NewReader(body))
			w := &discard{header: http.Header{}, status: 200}
			handler.ServeHTTP(w, r)
			return w.status
		}
	}
	entity := `{"PartitionKey":"p","RowKey":"r","Number":12,"Flag":true,"Text":"` + strings.Repeat("t", 150) + `"}`
	for _, setup := range []func() int{
		call(azure.Table, "POST", "Tables", "", `{"TableName":"Bench"}`),
		call(azure.Blob, "PUT", "bench", "restype=container", ""),
	} {
		if status := setup(); status != 201 {
			b.Fatalf("setup: %d", status)
		}
	}
	for _, c := range []struct {
		name string
		do   func() int
		want int
	}{
		{"upsert", call(azure.Table, "PUT", "Bench(PartitionKey='p',RowKey='r')", "", entity), 204},
		{"get", call(azure.Table, "GET", "Bench(PartitionKey='p',RowKey='r')", "", ""), 200},
		{"blob put", call(azure.Blob, "PUT", "bench/b", "", strings.Repeat("x", 1024)), 201},
		{"blob get", call(azure.Blob, "GET", "bench/b", "", ""), 200},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if status := c.do(); status != c.want {
					b.Fatalf("status %d, want %d", status, c.want)
				}
			}
		})
	}
}
