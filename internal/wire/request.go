package wire

import (
	"slices"
	"time"
)

// Request is one request of a client to the target under test. A storage call belongs to it if the call carries the
// request's trace. A call without a known trace belongs to the last request begun before it arrived, or to all of those
// that were begun together (Beside).
type Request struct {
	recorder    *Recorder
	name        string
	number      int
	age         int // how often the recorder had been reset
	trace, span string
	first       *Request // of those begun together; often the request itself

	// Guarded by recorder.mu:
	began    time.Time
	ended    bool
	answered time.Time // when it ended
	attempts int       // attributed to it so far, also those that a Reset has forgotten
	overdue  bool      // Overdue
	open     int       // of the first: how many begun together have not ended
	together int       // of the first: how many were begun together
}

// Crowd returns how many requests were begun together with this one, itself included.
func (q *Request) Crowd() int {
	q.recorder.mu.Lock()
	defer q.recorder.mu.Unlock()
	return q.first.together
}

// Begin announces that a client request is about to be sent, with its Traceparent in its header. The name is for
// reports, such as "POST /groups".
func (r *Recorder) Begin(name string) *Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.begin(name)
	q.first, r.current = q, q
	q.open, q.together = 1, 1
	return q
}

// Beside announces another request, sent while q is not yet answered. Calls without a trace then belong to both,
// because they cannot be told apart.
func (q *Request) Beside(name string) *Request {
	r := q.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	beside := r.begin(name)
	beside.first = q.first
	q.first.open++
	q.first.together++
	return beside
}

// begin registers a request by its trace. The caller holds mu.
func (r *Recorder) begin(name string) *Request {
	r.requests++
	q := &Request{recorder: r, name: name, number: r.requests, age: r.resets, began: time.Now()}
	q.trace, q.span = newTrace()
	r.traces.add(q)
	return q
}

// Name returns the name that the request was begun with.
func (q *Request) Name() string { return q.name }

// Number returns the request's number among the client requests since the last Reset, from 1.
func (q *Request) Number() int { return q.number }

// Traceparent returns the traceparent header, with which a target can pass the request's trace on to its storage calls
// (W3C Trace Context, section 3.2).
func (q *Request) Traceparent() string { return "00-" + q.trace + "-" + q.span + "-01" }

// Trace returns the id of the request's trace, 32 hexadecimal digits.
func (q *Request) Trace() string { return q.trace }

// Together reports whether the two requests were begun together, or are the same.
func (q *Request) Together(other *Request) bool { return q.first == other.first }

// Shared reports whether Calls may include calls of another request that was begun together with this one.
func (q *Request) Shared() bool {
	q.recorder.mu.Lock()
	defer q.recorder.mu.Unlock()
	return q.first.together > 1 && slices.ContainsFunc(q.recorder.attempts,
		func(a *attempt) bool { return a.request == q.first && !a.call.ByTrace && !a.owned })
}

// Overdue reports whether a call with the request's trace has arrived since a Reset forgot the request.
func (q *Request) Overdue() bool {
	q.recorder.mu.Lock()
	defer q.recorder.mu.Unlock()
	return q.overdue
}

// Attempts returns how many attempts of calls were attributed to the request so far, or to those that were begun
// together with it. Reset does not change it.
func (q *Request) Attempts() int {
	q.recorder.mu.Lock()
	defer q.recorder.mu.Unlock()
	if q.first != q {
		return q.attempts + q.first.attempts
	}
	return q.attempts
}

// End records that the request has been answered. Its calls that arrive from now on are late. Only the first End
// counts.
func (q *Request) End() {
	q.recorder.mu.Lock()
	defer q.recorder.mu.Unlock()
	if !q.ended {
		now := time.Now()
		q.ended, q.answered, q.recorder.answered = true, now, now
		q.first.open--
		q.recorder.lasted = append(q.recorder.lasted[max(0, len(q.recorder.lasted)-lastFew+1):], now.Sub(q.began))
		q.recorder.happened(now)
	}
}

// Calls returns the request's calls in order of arrival, as Recorder.Calls does.
func (q *Request) Calls() []Call {
	q.recorder.mu.Lock()
	defer q.recorder.mu.Unlock()
	var own []*attempt
	for _, a := range q.recorder.attempts {
		if q.has(a) {
			own = append(own, a)
		}
	}
	return fold(own)
}
