package wire

import (
	"context"
	"fmt"
	"hash/maphash"
	"net/http"
	"sync"
	"time"
)

// QuietTime is how long no call may have arrived or ended before Settle takes the target for
// finished. A target that works on after its answer sends its next call within a fraction of a
// millisecond; the rest is for a busy machine.
const QuietTime = 10 * time.Millisecond

// Recorder notes the storage calls that pass its handlers. It is safe for concurrent use.
type Recorder struct {
	seed   maphash.Seed
	traces *traces
	ended  func(Call) // nil: nobody listens

	mu       sync.Mutex
	attempts []*attempt
	current  *Request // the last one begun, or the first of those begun together
	requests int
	resets   int
	inFlight int
	commands int // at work
	counted  Attribution
	last     time.Time     // of the last arrival, end of a call, or answer to a client request
	changed  chan struct{} // closed when something happens that Settle may wait for; nil if nobody waits
}

// NewRecorder gives an empty recorder.
func NewRecorder() *Recorder {
	return &Recorder{seed: maphash.MakeSeed(), traces: &traces{begun: map[string]*Request{}}}
}

// Listen has each exchange told to a listener when it has ended, as a call of one attempt: a retry of an SDK is told again.
// The listener is called by many goroutines at once, before the client has seen the end of the answer, so it must be
// quick. Listen is called before the first handler runs.
func (r *Recorder) Listen(ended func(Call)) { r.ended = ended }

// Beside gives a recorder that shares the handlers of r: of what passes them it notes the calls that carry the trace of
// one of its own requests, and r all others.
func (r *Recorder) Beside() *Recorder { return &Recorder{seed: r.seed, traces: r.traces} }

// Calls gives all calls since the last Reset, in order of arrival. The retries of an SDK are
// attempts of one call. A call in flight is there too, with status 0 and what its head says; while
// its body has not passed, it may be taken for a retry of a failed call with another body. What
// calls have in Inner is shared and must not be changed.
func (r *Recorder) Calls() []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fold(r.attempts)
}

// Total is the number of calls ever seen, every attempt counted. Reset does not change it.
func (r *Recorder) Total() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counted.Sum()
}

// Attributed says how it is known whose the calls ever seen are. Reset does not change it.
func (r *Recorder) Attributed() Attribution {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counted
}

// Command says that a command of the harness's own is about to make calls. done says that it has ended.
func (r *Recorder) Command() (done func()) {
	add := func(n int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.commands += n
	}
	add(1)
	return func() { add(-1) }
}

// Reset forgets all calls and client requests, also the calls in flight: they end unseen, but
// Settle still waits for them.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attempts, r.current, r.requests = nil, nil, 0
	r.resets++
}

// Settle returns when no call is in flight and for QuietTime none has arrived or ended and no client
// request has been answered. The error wraps the context's when that ends first.
func (r *Recorder) Settle(ctx context.Context) error {
	for {
		r.mu.Lock()
		inFlight := r.inFlight
		wait := QuietTime - time.Since(r.last)
		if inFlight == 0 && wait <= 0 {
			r.mu.Unlock()
			return nil
		}
		if r.changed == nil {
			r.changed = make(chan struct{})
		}
		changed := r.changed
		r.mu.Unlock()

		var quiet <-chan time.Time // nil while calls are in flight: then only a change can help
		if inFlight == 0 {
			quiet = time.After(wait)
		}
		select {
		case <-changed:
		case <-quiet:
		case <-ctx.Done():
			return fmt.Errorf("waiting for the target's storage calls to settle, %d in flight: %w", inFlight, ctx.Err())
		}
	}
}

// happened wakes those who wait in Settle. The caller holds mu.
func (r *Recorder) happened(now time.Time) {
	r.last = now
	if r.changed != nil {
		close(r.changed)
		r.changed = nil
	}
}

// Handler gives a handler that records the calls to a service and passes them on to next. It sees a
// call before next does, and its answer when next has returned: held, delayed and broken calls are
// recorded as they are if what holds or breaks them is part of next.
func (r *Recorder) Handler(service Service, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r, named := r, r.traces.named(req.Header)
		if named != nil {
			r = named.recorder
		}
		a := r.arrive(service, req, named)
		body := newBodyTap(req, a.reading.request(), r.seed)
		answer := &answerTap{ResponseWriter: w, reading: a.reading, client: req.Context()}
		stop := context.AfterFunc(req.Context(), func() { r.hangUp(a) })
		answered := false
		// Deferred, without recovering: a handler that panics, such as with http.ErrAbortHandler,
		// gives no answer, and its panic goes on as it is.
		defer func() {
			// A handler can see the end of the context before what waits for it was started.
			if !stop() || answer.unheard {
				r.hangUp(a)
			}
			r.end(a, body, answer, answered)
		}()
		seen := req.WithContext(req.Context()) // a copy: a handler may not change its request
		if req.Body != nil && req.Body != http.NoBody {
			seen.Body = body
		}
		next.ServeHTTP(answer, seen)
		answered = true
	})
}

func (r *Recorder) arrive(service Service, req *http.Request, named *Request) *attempt {
	now := time.Now()
	url := req.RequestURI
	if url == "" {
		url = req.URL.RequestURI()
	}
	rd := decode(headOf(service, req))
	a := &attempt{reading: rd, call: rd.call}
	a.call.Start = now
	a.key = attemptKey{service: service, method: req.Method, url: url, conditional: rd.call.Conditional,
		clientID: rd.call.ClientID}

	r.mu.Lock()
	defer r.mu.Unlock()
	r.attribute(a, named)
	r.attempts = append(r.attempts, a)
	r.inFlight++
	r.happened(now)
	return a
}

// attribute says whose call an attempt is, which carries the trace of a request or of nobody. One of a request that was
// forgotten goes to the lane: a target could do all its work on the trace of one request. The caller holds mu.
func (r *Recorder) attribute(a *attempt, named *Request) {
	count := &r.counted.Other
	switch {
	case named != nil && named.age == r.resets:
		a.request, a.call.ByTrace, a.call.Late = named, true, named.ended
		count = &r.counted.ByTrace
	case r.current != nil:
		a.request, a.call.Late = r.current, r.current.open == 0
		count = &r.counted.ByLane
	case named == nil && !a.call.Provisions():
		count = &r.counted.Nobody
	}
	if r.commands > 0 && !a.call.ByTrace {
		count = &r.counted.Commands
	}
	*count++
	a.key.request = a.request
}

// hangUp notes that the client closed its connection while the call was in flight. The first time
// counts.
func (r *Recorder) hangUp(a *attempt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !a.done && a.gone.IsZero() {
		a.gone = time.Now()
	}
}

func (r *Recorder) end(a *attempt, body *bodyTap, answer *answerTap, answered bool) {
	size, digest := body.close()
	a.reading.readRequest()
	answered = answered && !answer.hijacked
	if answered {
		answer.writeHeader(http.StatusOK) // unless it was
		a.reading.readAnswer()
	}
	now := time.Now()
	if ended := r.ended; ended != nil {
		defer func() { ended(a.snapshot()) }() // without the lock, after which nothing of the attempt changes
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	start, late, byTrace := a.call.Start, a.call.Late, a.call.ByTrace
	a.call = a.reading.call
	a.call.Start, a.call.Late, a.call.ByTrace, a.call.Duration = start, late, byTrace, now.Sub(start)
	a.call.RequestBytes, a.call.ResponseBytes = size, answer.size
	if !answered {
		a.call.Status, a.call.ErrorCode, a.call.Entities = 0, "", 0
	}
	if answered && !answer.unheard {
		a.gone = time.Time{} // it closed its connection with the answer in hand
	}
	a.body, a.ended, a.done, a.reading = digest, now, true, nil
	r.inFlight--
	r.happened(now)
}
