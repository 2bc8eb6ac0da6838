package wire

import "time"

// Request is one request of a client to the target under test. A storage call is its own when it carries the request's
// trace. One that carries no known trace belongs to the last request begun before it arrived, or to all of those that
// were begun together (Beside).
type Request struct {
	recorder    *Recorder
	name        string
	number      int
	age         int // how often the recorder had been reset
	trace, span string
	first       *Request // of those begun together; often itself

	// Guarded by recorder.mu:
	ended    bool
	open     int // of the first: how many of those begun together have not ended
	together int // of the first: how many were begun together
}

// Begin notes that a client request is about to be sent, with its Traceparent in its header. Its name is for reports,
// such as "POST /groups".
func (r *Recorder) Begin(name string) *Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.begin(name)
	q.first, r.current = q, q
	q.open, q.together = 1, 1
	return q
}

// Beside notes one more request that is sent while q is not yet answered. Calls that carry no trace are then those of
// both, since nobody can tell them apart.
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

// begin makes a request known by its trace. The caller holds mu.
func (r *Recorder) begin(name string) *Request {
	r.requests++
	q := &Request{recorder: r, name: name, number: r.requests, age: r.resets}
	q.trace, q.span = newTrace()
	r.traces.add(q)
	return q
}

// Name is what the request was begun with.
func (q *Request) Name() string { return q.name }

// Number counts the client requests since the last Reset, from 1.
func (q *Request) Number() int { return q.number }

// Traceparent is the header of that name, by which a target can pass the request's trace on to its storage calls (W3C
// Trace Context, section 3.2).
func (q *Request) Traceparent() string { return "00-" + q.trace + "-" + q.span + "-01" }

// Trace is the id of the request's trace, 32 hexadecimal digits.
func (q *Request) Trace() string { return q.trace }

// Together reports whether the two were begun together, or are one.
func (q *Request) Together(other *Request) bool { return q.first == other.first }

// Shared reports whether Calls holds calls that may be those of another request, which was begun together with this one.
func (q *Request) Shared() bool {
	q.recorder.mu.Lock()
	defer q.recorder.mu.Unlock()
	if q.first.together == 1 {
		return false
	}
	for _, a := range q.recorder.attempts {
		if a.request == q.first && !a.call.ByTrace {
			return true
		}
	}
	return false
}

// End notes that the request has been answered. Its calls that arrive from now on are late. Only
// the first End counts.
func (q *Request) End() {
	q.recorder.mu.Lock()
	defer q.recorder.mu.Unlock()
	if !q.ended {
		q.ended = true
		q.first.open--
		q.recorder.happened(time.Now())
	}
}

// Calls gives the request's calls in order of arrival, as Recorder.Calls does.
func (q *Request) Calls() []Call {
	q.recorder.mu.Lock()
	defer q.recorder.mu.Unlock()
	var own []*attempt
	for _, a := range q.recorder.attempts {
		if a.request == q && a.call.ByTrace || a.request == q.first && !a.call.ByTrace {
			own = append(own, a)
		}
	}
	return fold(own)
}
