package inprocess

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

func do(t *testing.T, h http.HandlerFunc, r *http.Request) (*http.Response, error) {
	t.Helper()
	return (&http.Client{Transport: Transport{Handler: h}}).Do(r)
}

func request(t *testing.T, method, body string) *http.Request {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, "http://host:1/a%2Fb?q=1;2", reader)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTheHandlerSeesWhatAServerShows(t *testing.T) {
	r := request(t, http.MethodPut, "content")
	r.Header["x-ms-date"] = []string{" now "}
	r.Header["Content-Length"] = []string{"7"}
	answer, err := do(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if string(body) != "content" || err != nil || r.ContentLength != 7 {
			t.Errorf("body %q of %d, %v", body, r.ContentLength, err)
		}
		if r.RequestURI != "/a%2Fb?q=1;2" || r.URL.EscapedPath() != "/a%2Fb" || r.Host != "host:1" || r.URL.Host != "" {
			t.Errorf("target %q, path %q, host %q", r.RequestURI, r.URL.EscapedPath(), r.Host)
		}
		if got := r.Header["X-Ms-Date"]; len(got) != 1 || got[0] != "now" || r.Header["Content-Length"] != nil {
			t.Errorf("header %v", r.Header)
		}
		w.Header().Set("Etag", "1")
		w.Header()["x-ms-meta-color"] = []string{"red"} // on a connection its case would be lost
		w.WriteHeader(http.StatusCreated)
		w.Header().Set("Etag", "too late")
		_, _ = io.WriteString(w, "done")
	}, r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if answer.Header.Get("x-ms-meta-color") != "red" {
		t.Errorf("header %v", answer.Header)
	}
	if answer.StatusCode != 201 || answer.Header.Get("Etag") != "1" || string(body) != "done" || err != nil ||
		answer.ContentLength != 4 {
		t.Errorf("answer %d, %v, %q of %d, %v", answer.StatusCode, answer.Header, body, answer.ContentLength, err)
	}
}

func TestBodiesOfRequests(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   io.ReadCloser
		length int64
	}{
		{"none", nil, 0},
		{"NoBody", http.NoBody, 0},
		{"empty, of unknown length", io.NopCloser(strings.NewReader("")), 0},
		{"of unknown length", io.NopCloser(strings.NewReader("content")), -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(t, http.MethodPost, "")
			r.Body = c.body
			answer, err := do(t, func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil || r.ContentLength != c.length || (len(body) > 0) != (c.length != 0) {
					t.Errorf("body %q of %d, %v; want %d", body, r.ContentLength, err, c.length)
				}
			}, r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
		})
	}
}

func TestLargeAnswersAreStreamed(t *testing.T) {
	const size = 10 * bufferLimit
	read := make(chan struct{})
	answer, err := do(t, func(w http.ResponseWriter, r *http.Request) {
		chunk := []byte(strings.Repeat("x", bufferLimit))
		for range size / bufferLimit {
			if _, err := w.Write(chunk); err != nil {
				t.Errorf("write: %v", err)
			}
		}
		select {
		case <-read:
		default:
			t.Error("the whole answer was kept before the client read any of it")
		}
	}, request(t, http.MethodGet, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	close(read)
	if n, err := io.Copy(io.Discard, answer.Body); n != size || err != nil {
		t.Errorf("%d bytes, %v; want %d", n, err, size)
	}
}

func TestTheContextEndsAHangingCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	held, ended := make(chan struct{}), make(chan struct{})
	go func() { <-held; cancel() }()
	_, err := do(t, func(_ http.ResponseWriter, r *http.Request) {
		close(held)
		<-r.Context().Done()
		close(ended)
	}, request(t, http.MethodGet, "").WithContext(ctx))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
	wait(t, ended)
}

func wait(t *testing.T, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("it did not end")
	}
}

func TestClosingTheAnswerEndsTheHandler(t *testing.T) {
	ended := make(chan struct{})
	answer, err := do(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		for {
			if _, err := w.Write(make([]byte, bufferLimit)); err != nil {
				return
			}
		}
	}, request(t, http.MethodGet, ""))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	wait(t, ended)
}

func TestBrokenConnections(t *testing.T) {
	for _, c := range []struct {
		name string
		h    http.HandlerFunc
	}{
		{"aborted", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"panic", func(http.ResponseWriter, *http.Request) { panic("out of cheese") }},
		{"half an answer", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			_, _ = io.WriteString(w, "half")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := do(t, c.h, request(t, http.MethodGet, "")); !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("error %v, want a connection that was reset", err)
			}
		})
	}
	t.Run("in a stream", func(t *testing.T) {
		answer, err := do(t, func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, request(t, http.MethodGet, ""))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if _, err := io.ReadAll(answer.Body); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("error %v, want a connection that was reset", err)
		}
	})
}

func TestAnswersWithoutBody(t *testing.T) {
	for _, c := range []struct {
		method string
		status int
	}{{http.MethodHead, 200}, {http.MethodGet, 304}, {http.MethodDelete, 204}} {
		answer, err := do(t, func(w http.ResponseWriter, _ *http.Request) {
			if c.method == http.MethodHead {
				w.Header().Set("Content-Length", "4")
			}
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, "body")
		}, request(t, c.method, ""))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if len(body) > 0 || err != nil || answer.StatusCode != c.status {
			t.Errorf("%s %d: %d, %q, %v", c.method, c.status, answer.StatusCode, body, err)
		}
	}
}
