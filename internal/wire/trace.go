package wire

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
)

// traces knows the requests that a call may name by its trace, also those of before a Reset: their calls may be late.
// Recorders that share their handlers share one.
type traces struct {
	mu    sync.RWMutex
	begun map[string]*Request // by trace id
}

func (t *traces) add(q *Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun[q.trace] = q
}

// named is the request whose trace a call carries, in its traceparent or as the client request id that an SDK was
// given; nil: it carries none that is known.
func (t *traces) named(header http.Header) *Request {
	parent, id := header.Get("Traceparent"), header.Get("X-Ms-Client-Request-Id")
	if parent == "" && id == "" {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if q := t.begun[traceOf(parent)]; q != nil {
		return q
	}
	return t.begun[strings.ToLower(strings.ReplaceAll(id, "-", ""))] // a trace id in the form of a UUID has hyphens
}

// traceOf is the trace id of a traceparent, of whatever version, or "" (W3C Trace Context, section 3.2).
func traceOf(parent string) string {
	parts := strings.Split(parent, "-")
	if len(parts) < 4 || len(parts[1]) != 32 {
		return ""
	}
	return parts[1]
}

// newTrace makes a trace id and the id of a span of it, in hex.
func newTrace() (trace, span string) {
	id := make([]byte, 24)
	_, _ = rand.Read(id) // never fails (crypto/rand)
	return hex.EncodeToString(id[:16]), hex.EncodeToString(id[16:])
}

// Attribution counts storage calls by how it is known whose they are. Every attempt counts, once.
type Attribution struct {
	ByTrace  int `json:"trace"`              // the call carries the trace of a client request
	Commands int `json:"commands,omitempty"` // it does not, and a command of the harness's was at work
	ByLane   int `json:"lane"`               // neither, and it belongs to the last request sent before it arrived
	Nobody   int `json:"nobody,omitempty"`   // no request had been sent
	Other    int `json:"other,omitempty"`    // neither, and it only creates or looks up tables and containers, or carries the trace of a request before a Reset
}

// Sum is the number of calls.
func (a Attribution) Sum() int { return a.ByTrace + a.ByLane + a.Commands + a.Nobody + a.Other }

// Plus is the sum of two.
func (a Attribution) Plus(b Attribution) Attribution {
	return Attribution{a.ByTrace + b.ByTrace, a.Commands + b.Commands, a.ByLane + b.ByLane, a.Nobody + b.Nobody, a.Other + b.Other}
}

// Minus is what is left of a, of which b is a part.
func (a Attribution) Minus(b Attribution) Attribution {
	return a.Plus(Attribution{-b.ByTrace, -b.Commands, -b.ByLane, -b.Nobody, -b.Other})
}
