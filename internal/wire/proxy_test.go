package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// proxied starts a store and a proxy in front of it, and gives the proxy's address.
func proxied(t *testing.T, path string, store http.HandlerFunc) string {
	t.Helper()
	upstream := httptest.NewServer(store)
	t.Cleanup(upstream.Close)
	address, err := url.Parse(upstream.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	transport := wire.NewTransport()
	t.Cleanup(transport.CloseIdleConnections)
	front := httptest.NewServer(wire.NewProxy(address, transport, azure.NamesAccount))
	t.Cleanup(front.Close)
	return front.URL
}

// rawRequest sends a request as it is written and gives the answer.
func rawRequest(t *testing.T, address, request string) *http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestProxyKeepsTheAddress(t *testing.T) {
	tests := []struct{ name, prefix, target, want string }{
		{"filter with semicolon", "", "/acc/T()?$filter=a%20eq%20'x;y'&b", "/acc/T()?$filter=a%20eq%20'x;y'&b"},
		{"what url.URL would escape", "", "/acc/a|b(c)'\"^", "/acc/a|b(c)'\"^"},
		{"needless escapes", "", "/acc/T%28%50artitionKey%3D%27a%2Fb%27%29",
			"/acc/T%28%50artitionKey%3D%27a%2Fb%27%29"},
		{"broken escape in the query", "", "/acc/T?x=100%&y=%zz", "/acc/T?x=100%&y=%zz"},
		{"empty query", "", "/acc/T?", "/acc/T?"},
		{"two question marks", "", "/acc/T?a=b?c", "/acc/T?a=b?c"},
		{"dots and slashes", "", "/acc/a//b/../c/./", "/acc/a//b/../c/./"},
		{"slashes in front", "", "//acc/T", "//acc/T"},
		{"behind the upstream's path", "/base/", "/acc/T?x", "/base/acc/T?x"},
		{"absolute form", "", "http://h/acc/T%2F?x", "/acc/T%2F?x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen := make(chan string, 1)
			address := proxied(t, tt.prefix, func(_ http.ResponseWriter, r *http.Request) { seen <- r.RequestURI })
			rawRequest(t, address, "GET "+tt.target+" HTTP/1.1\r\nHost: h\r\n\r\n")
			if got := receive(t, seen); got != tt.want {
				t.Errorf("the store saw %s, want %s", got, tt.want)
			}
		})
	}
}

func TestProxyHost(t *testing.T) {
	for host, kept := range map[string]bool{"127.0.0.1:10002": false, "localhost": false, "gateway:10002": false,
		"acc.table.localhost:10002": true, "acc.blob.core.windows.net": true} {
		seen := make(chan string, 1)
		address := proxied(t, "", func(_ http.ResponseWriter, r *http.Request) { seen <- r.Host })
		rawRequest(t, address, "GET / HTTP/1.1\r\nHost: "+host+"\r\n\r\n")
		if got := receive(t, seen); (got == host) != kept {
			t.Errorf("host %s became %s", host, got)
		}
	}
}

func TestProxyHeaders(t *testing.T) {
	seen := make(chan *http.Request, 1)
	address := proxied(t, "", func(w http.ResponseWriter, r *http.Request) {
		seen <- r
		w.Header().Set("Connection", "X-Private")
		w.Header().Set("X-Private", "1")
		w.Header().Set("Keep-Alive", "timeout=5")
		w.Header().Set("Location", "http://elsewhere/")
		w.Header().Set("Date", "then")
		w.WriteHeader(http.StatusFound)
	})
	res := rawRequest(t, address,
		"PUT /acc/T HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nConnection: X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\n"+
			"Accept-Encoding: gzip\r\nAuthorization: SharedKey acc:sig\r\nX-Ms-Date: d\r\n\r\n")
	r := receive(t, seen)
	for _, name := range []string{"X-Hop", "Te", "Accept-Encoding", "User-Agent", "X-Forwarded-For",
		"Transfer-Encoding"} {
		if value, ok := r.Header[name]; ok {
			t.Errorf("the store saw %s: %s", name, value)
		}
	}
	if r.Header.Get("Authorization") != "SharedKey acc:sig" || r.Header.Get("X-Ms-Date") != "d" ||
		r.ContentLength != 0 || len(r.TransferEncoding) != 0 {
		t.Errorf("the store saw %v, length %d, %v", r.Header, r.ContentLength, r.TransferEncoding)
	}
	if res.StatusCode != http.StatusFound || res.Header.Get("Location") != "http://elsewhere/" ||
		res.Header.Get("Date") != "then" {
		t.Errorf("answer %d %v", res.StatusCode, res.Header)
	}
	if res.Header.Get("X-Private") != "" || res.Header.Get("Keep-Alive") != "" {
		t.Errorf("answer %v", res.Header)
	}
}

// onTheWire returns headers as they are sent.
func onTheWire(h http.Header) string {
	var sent strings.Builder
	_ = h.Write(&sent) // a Builder never fails
	return sent.String()
}

// TestExtensionHeaders are sent as the stores send them: Azure's SDK for Python finds metadata only by names in small
// letters.
func TestExtensionHeaders(t *testing.T) {
	address := proxied(t, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["x-ms-meta-color"] = []string{"red"}
		w.Header()["x-ms-error-code"] = []string{"BlobNotFound"}
		w.WriteHeader(http.StatusNotFound)
	})
	upstream, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	rec := wire.NewRecorder()
	answer := httptest.NewRecorder() // a client would not keep the case
	rec.Handler(azure.Blobs{}, wire.NewProxy(upstream, nil, nil)).ServeHTTP(answer,
		httptest.NewRequest("GET", "/acc/c/b", nil))
	for _, line := range []string{"x-ms-meta-color: red\r\n", "x-ms-error-code: BlobNotFound\r\n", "Date: "} {
		if sent := onTheWire(answer.Header()); !strings.Contains(sent, line) {
			t.Errorf("no %q in\n%s", line, sent)
		}
	}
	if calls := rec.Calls(); len(calls) != 1 || calls[0].ErrorCode != "BlobNotFound" {
		t.Errorf("calls %v", calls)
	}
}

func TestProxySendsNoBodyWhereThereIsNone(t *testing.T) {
	seen := make(chan *http.Request, 1)
	upstream := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen <- r }))
	defer upstream.Close()
	address, err := url.Parse(upstream.URL)
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest("PUT", "/acc/c/b", io.NopCloser(strings.NewReader(""))) // as a middleware may wrap it
	req.ContentLength = 0
	wire.NewProxy(address, nil, nil).ServeHTTP(httptest.NewRecorder(), req)
	if r := receive(t, seen); r.ContentLength != 0 || len(r.TransferEncoding) != 0 {
		t.Errorf("the store saw length %d, %v", r.ContentLength, r.TransferEncoding)
	}
}

func TestProxyStreamsBothWays(t *testing.T) {
	for _, length := range []int64{-1, 8} {
		t.Run(fmt.Sprintf("content length %d", length), func(t *testing.T) {
			read := make(chan string)
			more := make(chan struct{})
			address := proxied(t, "", func(w http.ResponseWriter, r *http.Request) {
				piece := make([]byte, 4)
				for range 2 {
					_, _ = io.ReadFull(r.Body, piece)
					read <- string(piece)
				}
				if length >= 0 {
					w.Header().Set("Content-Length", "8")
				}
				for range 2 {
					_, _ = io.WriteString(w, "back")
					_ = http.NewResponseController(w).Flush()
					<-more
				}
			})
			body, write := io.Pipe()
			req, err := http.NewRequestWithContext(during(t), "PUT", address+"/acc/c/b", body)
			if err != nil {
				t.Fatal(err)
			}
			req.ContentLength = length
			answered := make(chan *http.Response, 1)
			go func() {
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Error(err)
				}
				answered <- res
			}()
			for range 2 {
				_, _ = io.WriteString(write, "send")
				if got := receive(t, read); got != "send" {
					t.Fatalf("the store read %q", got)
				}
			}
			_ = write.Close()
			res := receive(t, answered)
			if res == nil {
				t.FailNow()
			}
			defer res.Body.Close()
			if res.ContentLength != length {
				t.Errorf("content length %d", res.ContentLength)
			}
			for range 2 {
				piece := make([]byte, 4)
				if _, err := io.ReadFull(res.Body, piece); err != nil || string(piece) != "back" {
					t.Fatalf("read %q, %v", piece, err)
				}
				more <- struct{}{}
			}
		})
	}
}

func TestProxyCutsTheConnection(t *testing.T) {
	t.Run("upstream unreachable", func(t *testing.T) {
		dead := httptest.NewServer(nil)
		address, err := url.Parse(dead.URL)
		if err != nil {
			t.Fatal(err)
		}
		dead.Close()
		rec := wire.NewRecorder()
		front := httptest.NewServer(rec.Handler(azure.Blobs{}, wire.NewProxy(address, nil, nil)))
		defer front.Close()
		if res, err := http.Get(front.URL + "/acc/c/b"); err == nil {
			t.Errorf("answered %d", res.StatusCode)
		}
		if err := rec.Settle(during(t)); err != nil {
			t.Fatal(err)
		}
		if calls := rec.Calls(); len(calls) != 1 || calls[0].Status != 0 || calls[0].Class != azure.Read {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("answer broken off", func(t *testing.T) {
		address := proxied(t, "", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		})
		res, err := http.Get(address + "/acc/c/b")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if body, err := io.ReadAll(res.Body); err == nil || string(body) != "half" {
			t.Errorf("read %q, %v", body, err)
		}
	})
}
