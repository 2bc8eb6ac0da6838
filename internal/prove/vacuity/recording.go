package vacuity

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"sync"

	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/verify"
)

// tape records the answers of a server by scenario, method and path, in order, and plays them back. Queries and bodies
// are ignored: the names in a scenario differ from run to run.
type tape struct {
	ready string

	mu       sync.Mutex
	scenario verify.Place
	answers  map[asked][]answer
	played   map[asked]int // in the current scenario
}

// answer is one answer of a server.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// begins announces the scenario that the following requests belong to.
func (t *tape) begins(scenario verify.Place) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.scenario, t.played = scenario, map[asked]int{}
}

// asked is what an answer is found by.
type asked struct {
	scenario     verify.Place
	method, path string
}

func (t *tape) key(r *http.Request) asked { return asked{t.scenario, r.Method, r.URL.Path} }

// recorder opens a server and records its answers.
func (t *tape) recorder(open target.Opener) target.Opener {
	return func(getenv func(string) string, storage http.RoundTripper, log io.Writer) (target.Handler, error) {
		server, err := open(getenv, storage, log)
		if err != nil {
			return nil, err
		}
		return closing{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			kept := &recorded{ResponseWriter: w}
			server.ServeHTTP(kept, r)
			if r.URL.Path != t.ready {
				t.keep(r, kept)
			}
		}), server.Close}, nil
	}
}

func (t *tape) keep(r *http.Request, kept *recorded) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept.header = kept.ResponseWriter.Header().Clone()
	t.answers[t.key(r)] = append(t.answers[t.key(r)], kept.answer)
}

// ServeHTTP plays the next answer to such a request in this scenario, repeating the last one. It answers 404 to a
// request that was never made.
func (t *tape) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == t.ready {
		constant{ready: t.ready, body: `{"ok":true}`}.ServeHTTP(w, r)
		return
	}
	next, found := t.next(r)
	if !found {
		http.NotFound(w, r)
		return
	}
	maps.Copy(w.Header(), next.header)
	w.WriteHeader(next.status)
	_, _ = w.Write(next.body.Bytes()) // a client that has gone needs no answer
}

func (t *tape) next(r *http.Request) (answer, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := t.key(r)
	known := t.answers[key]
	if len(known) == 0 {
		return answer{}, false
	}
	n := min(t.played[key], len(known)-1)
	t.played[key]++
	return known[n], true
}

// recorded passes an answer on and records it.
type recorded struct {
	http.ResponseWriter
	answer
}

func (r *recorded) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorded) Write(part []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	r.body.Write(part)
	return r.ResponseWriter.Write(part)
}
