package lane

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// sending are the requests that http.Transport treats differently.
var sending = []struct{ name, method, key, body string }{
	{"GET", http.MethodGet, "", ""},
	{"HEAD", http.MethodHead, "", ""},
	{"DELETE", http.MethodDelete, "", ""},
	{"DELETE with a key", http.MethodDelete, "k1", ""},
	{"GET with a body", http.MethodGet, "", `{"a":1}`},
	{"POST", http.MethodPost, "", `{"a":1}`},
	{"POST with a key", http.MethodPost, "k1", `{"a":1}`},
	{"POST with a key and no body", http.MethodPost, "k1", ""},
	{"PATCH with a key and no body", http.MethodPatch, "k1", ""},
}

func newSending(t *testing.T, url, method, key, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	return r
}

// A server that does the work and drops the connection has done it once, and has given no answer.
func TestARequestIsSentOnce(t *testing.T) {
	for _, c := range sending {
		for _, reused := range []bool{false, true} {
			name := c.name + " on a new connection"
			if reused {
				name = c.name + " on a used connection"
			}
			t.Run(name, func(t *testing.T) {
				var mu sync.Mutex
				done := 0
				server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/fine" {
						return
					}
					mu.Lock()
					defer mu.Unlock()
					done++
					panic(http.ErrAbortHandler)
				}))
				defer server.Close()
				client := newClient(nil, time.Minute)
				defer client.CloseIdleConnections()
				if reused {
					answer, err := client.Get(server.URL + "/fine")
					if err != nil {
						t.Fatal(err)
					}
					_, _ = io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
				answer, err := client.Do(newSending(t, server.URL+"/work", c.method, c.key, c.body))
				if err == nil {
					answer.Body.Close()
				}
				mu.Lock()
				defer mu.Unlock()
				if done != 1 || !errors.Is(err, errHungUp) {
					t.Errorf("done %d times, then %v; want once, then %v", done, err, errHungUp)
				}
			})
		}
	}
}

// A request looks as it does without the transport, except for the case of a header's name.
func TestARequestLooksTheSame(t *testing.T) {
	for _, c := range sending {
		t.Run(c.name, func(t *testing.T) {
			plain := onTheWire(t, &http.Client{Transport: &http.Transport{DisableCompression: true}}, c)
			got := onTheWire(t, newClient(nil, time.Minute), c)
			if !strings.EqualFold(got, plain) {
				t.Errorf("sent\n%s\nnot\n%s", got, plain)
			}
		})
	}
}

// onTheWire returns what a client sends, with its header in order.
func onTheWire(t *testing.T, client *http.Client, c struct{ name, method, key, body string }) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	seen := make(chan string, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			seen <- err.Error()
			return
		}
		defer conn.Close()
		var text strings.Builder
		from := bufio.NewReader(io.TeeReader(conn, &text))
		r, err := http.ReadRequest(from)
		if err == nil {
			_, err = io.Copy(io.Discard, r.Body)
		}
		if err != nil {
			text.WriteString(err.Error())
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
		seen <- text.String()
	}()
	r := newSending(t, "http://"+listener.Addr().String()+"/path?q=1", c.method, c.key, c.body)
	r.Host = "the.server"
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return <-seen
}

// A server that closes idle connections is not blamed, since the client closes them earlier.
func TestAnIdleConnectionIsClosed(t *testing.T) {
	closed := make(chan struct{}, 2)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- struct{}{}
		}
	}
	server.Start()
	defer server.Close()
	client := newClient(nil, time.Minute)
	for range 2 {
		answer, err := client.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		select {
		case <-closed: // by the client: the server keeps it for as long as it likes
		case <-time.After(10 * time.Second):
			t.Fatal("the connection is still open")
		}
	}
}
