package patience

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// deadlines records the deadlines that a handler sets.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.set = append(d.set, at)
	return nil
}

func TestEveryPartOfABodyIsAwaited(t *testing.T) {
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	parts, sent := io.Pipe()
	r := httptest.NewRequest("PUT", "/", parts)
	const patience = time.Minute
	Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		go func() { _, _ = sent.Write([]byte("ab")) }()
		one := make([]byte, 1)
		for range 2 {
			if _, err := io.ReadFull(r.Body, one); err != nil {
				t.Error(err)
			}
		}
		if len(w.set) != 1 || time.Until(w.set[0]) > patience {
			t.Errorf("deadlines %v after two reads at once", w.set)
		}
		b := r.Body.(*body)
		b.deadline = time.Now().Add(patience / 3) // as if most of it had passed
		go func() {
			_, _ = sent.Write([]byte("c"))
			_ = sent.Close()
		}()
		if rest, err := io.ReadAll(r.Body); string(rest) != "c" || err != nil {
			t.Errorf("%q, %v", rest, err)
		}
	}), patience).ServeHTTP(w, r)
	if len(w.set) != 3 || !w.set[1].After(w.set[0]) || !w.set[2].IsZero() {
		t.Errorf("deadlines %v: want one, a later one after a part, and none at the end", w.set)
	}
}

// A body that is announced and does not come ends with an answer and with the connection, whether it is read or not.
func TestABodyThatDoesNotCome(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"read": func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); RanOut(err) {
				http.Error(w, "late", http.StatusRequestTimeout)
			}
		},
		"read again": func(w http.ResponseWriter, r *http.Request) {
			_, first := io.ReadAll(r.Body)
			if n, again := r.Body.Read(make([]byte, 1)); n == 0 && RanOut(first) && errors.Is(again, first) { // no wait
				http.Error(w, "late", http.StatusRequestTimeout)
			}
		},
		"not read": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "no", http.StatusRequestTimeout)
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(Handler(serve, 50*time.Millisecond))
			defer server.Close()
			c, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			request := "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc"
			if _, err := io.WriteString(c, request); err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(c)
			if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") {
				t.Errorf("%q, %v", answer, err)
			}
		})
	}
}

// A client that waits for 100 Continue is not asked for a body that nobody reads.
func TestABodyThatIsNotWanted(t *testing.T) {
	server := httptest.NewServer(Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no", http.StatusForbidden)
	}), 50*time.Millisecond))
	defer server.Close()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	request := "PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n"
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(c)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 403 ") {
		t.Errorf("%q, %v", answer, err)
	}
}
