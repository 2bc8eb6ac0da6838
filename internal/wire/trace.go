package wire

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"sync"
)

// traces knows the requests that a call may name by its trace, including those begun before a Reset: their calls may be
// late. Recorders that share their handlers share one.
type traces struct {
	mu    sync.RWMutex
	begun map[string]*Request // by trace id
}

func (t *traces) add(q *Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun[q.trace] = q
}

// named returns the request whose trace a call carries, in its traceparent or as its client request id, or nil if it
// carries no known trace.
func (t *traces) named(call Call) *Request {
	if call.Trace == "" && call.ClientID == "" {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if q := t.begun[call.Trace]; q != nil {
		return q
	}
	// a trace id in the form of a UUID has hyphens
	return t.begun[strings.ToLower(strings.ReplaceAll(call.ClientID, "-", ""))]
}

// traceOf returns the trace id of a traceparent of any version, or "" (W3C Trace Context, section 3.2).
func traceOf(parent string) string {
	parts := strings.Split(parent, "-")
	if len(parts) < 4 || len(parts[1]) != 32 {
		return ""
	}
	return parts[1]
}

// newTrace creates a trace id and a span id, in hex.
func newTrace() (trace, span string) {
	id := make([]byte, 24)
	_, _ = rand.Read(id) // never fails (crypto/rand)
	return hex.EncodeToString(id[:16]), hex.EncodeToString(id[16:])
}

// Attribution counts storage calls by how they were attributed to requests. Every attempt counts once.
type Attribution struct {
	ByTrace  int `json:"trace"`              // the call carries the trace of a client request
	Commands int `json:"commands,omitempty"` // it does not, and a harness command was running
	ByLane   int `json:"lane"`               // neither, and it belongs to the last request sent before it arrived
	Nobody   int `json:"nobody,omitempty"`   // no request had been sent
	// neither, and it only creates or looks up tables and containers, or carries the trace of a request before a Reset
	Other int `json:"other,omitempty"`
	// of all these, how many came so long after the last answer that no request was charged with them for certain
	TooLate int `json:"tooLate,omitempty"`
}

// Sum returns the number of calls.
func (a Attribution) Sum() int { return a.ByTrace + a.ByLane + a.Commands + a.Nobody + a.Other }

// OfTarget returns the number of calls that are not of the harness's own commands.
func (a Attribution) OfTarget() int { return a.Sum() - a.Commands }

// Plus returns the sum of a and b.
func (a Attribution) Plus(b Attribution) Attribution {
	return Attribution{a.ByTrace + b.ByTrace, a.Commands + b.Commands, a.ByLane + b.ByLane, a.Nobody + b.Nobody,
		a.Other + b.Other, a.TooLate + b.TooLate}
}

// Minus returns a without b, which must be part of a.
func (a Attribution) Minus(b Attribution) Attribution {
	return a.Plus(Attribution{-b.ByTrace, -b.Commands, -b.ByLane, -b.Nobody, -b.Other, -b.TooLate})
}
