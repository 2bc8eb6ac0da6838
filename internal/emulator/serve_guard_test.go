package emulator

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func TestHosts(t *testing.T) {
	h := hosts{accounts: []string{"team"}}
	h.allow([]string{"Storage", "emulators.test."})
	for host, want := range map[string]bool{
		"127.0.0.1:10002": true, "localhost": true, "LOCALHOST:1": true, "team.table.localhost:1": true,
		"[::1]:10000": true, "[::1]": true, "192.168.1.5:10000": true, "": true,
		"team.blob.core.windows.net": true, "team-secondary.blob.core.windows.net": true,
		"team.z01.blob.storage.azure.net": true, "storage:10000": true, "fake-host": true,
		"team.blob.emulators.test": true,
		"evil.example":             false, "evil.example:10000": false, "team.blob.evil.example": false,
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

// A page that reached the emulator by DNS rebinding gets nothing of it, and changes nothing.
func TestForeignHost(t *testing.T) {
	s := start(t, func(o *ServeOptions) { o.NoAuth, o.KV = true, ":0" })
	ask := func(address, host string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
		return answer
	}
	tables := endpoint(t, s.connections[0], "TableEndpoint") + "/Tables"
	for _, address := range []string{tables, endpoint(t, s.connections[0], "BlobEndpoint") + "?comp=list", s.kv} {
		if answer := ask(address, "evil.example"); answer.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("%s answers a foreign host %d", address, answer.StatusCode)
		}
	}
	if answer := ask(tables, "devstoreaccount1.table.localhost:10002"); answer.StatusCode == 421 {
		t.Errorf("the account's own name is refused: %d", answer.StatusCode)
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
	patient(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
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
		body := r.Body.(*awaitedBody)
		body.deadline = time.Now().Add(patience / 3) // as if most of it had passed
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
			if _, err := io.ReadAll(r.Body); errors.Is(err, os.ErrDeadlineExceeded) {
				http.Error(w, "late", http.StatusRequestTimeout)
			}
		},
		"not read": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "no", http.StatusRequestTimeout)
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(patient(serve, 50*time.Millisecond))
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
	server := httptest.NewServer(patient(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
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
