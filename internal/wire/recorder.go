package wire

import (
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"sync"
	"time"
)

// QuietTime is how long no call may have arrived or ended before Settle considers the target finished, unless SetQuiet
// has changed it. A target that keeps working after its answer sends its next call within a fraction of a millisecond;
// the rest is margin for a busy machine.
const QuietTime = 10 * time.Millisecond

// CertainQuiet is a quiet time after which a call without a trace is taken to belong to the next request.
const CertainQuiet = 500 * time.Millisecond

// mostUnrest is how long Settle waits for a quiet time, or five times that if it is longer.
const mostUnrest = 3 * time.Second

// Recorder records the storage calls that pass through its handlers. It is safe for concurrent use.
type Recorder struct {
	seed   maphash.Seed
	traces *traces
	ended  func(Call) // nil: no listener

	mu       sync.Mutex
	attempts []*attempt
	current  *Request // the last one begun, or the first of those begun together
	requests int
	calls    int // attempts seen in total
	resets   int
	inFlight int
	commands int // running
	counted  Attribution
	quiet    time.Duration
	untraced int                     // calls that could only be attributed by their time of arrival
	strays   int                     // those of them that arrived after the answer
	watched  map[pollKey][]time.Time // when reads came while Watch runs; else nil
	polls    map[pollKey]*poll
	lasted   []time.Duration // of the last few requests
	last     time.Time       // of the last arrival, end of a call, or answer to a client request; polls do not count
	answered time.Time       // of the last answer to a client request since the target was started; zero: none
	changed  chan struct{}   // closed when something happens that Settle may wait for; nil if nothing waits
}

// NewRecorder returns an empty recorder.
func NewRecorder() *Recorder {
	return &Recorder{seed: maphash.MakeSeed(), traces: &traces{begun: map[string]*Request{}}, quiet: QuietTime}
}

// Listen reports each exchange to a listener when it has ended, as a call of one attempt: an SDK's retry is reported
// again. The listener is called from many goroutines at once, before the client has seen the end of the answer, so it
// must be quick. Listen must be called before the first handler runs.
func (r *Recorder) Listen(ended func(Call)) { r.ended = ended }

// Beside returns a recorder that shares the handlers of r: it records the calls that carry the trace of one of its own
// requests, and r records all others.
func (r *Recorder) Beside() *Recorder {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &Recorder{seed: r.seed, traces: r.traces, quiet: r.quiet}
}

// Calls returns all calls since the last Reset, in order of arrival. The retries of an SDK are attempts of one call. A
// call in flight is included, with status 0 and what its head says; until its body has passed, it may be mistaken for a
// retry of a failed call with another body. The Inner slices of the calls are shared and must not be modified.
func (r *Recorder) Calls() []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fold(r.attempts)
}

// Attributed reports how the calls seen so far were attributed. Reset does not change it.
func (r *Recorder) Attributed() Attribution {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counted
}

// Command announces that one of the harness's own commands is about to make calls. done reports that it has ended.
func (r *Recorder) Command() (done func()) {
	add := func(n int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.commands += n
	}
	add(1)
	return func() { add(-1) }
}

// Reset forgets all calls and client requests, including calls in flight: their end is not recorded, but Settle still
// waits for them.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attempts, r.current, r.requests = nil, nil, 0
	r.resets++
}

// Settle returns when no call is in flight and, for the quiet time, none has arrived or ended and no client request has
// been answered. A target that calls its store all the time never is quiet: after mostUnrest it suffices that no call
// is in flight. If the context ends first, the error wraps the context's.
func (r *Recorder) Settle(ctx context.Context) error {
	began := time.Now()
	for {
		r.mu.Lock()
		inFlight := r.inFlight
		wait := min(r.quiet-time.Since(r.last), max(5*r.quiet, mostUnrest)-time.Since(began))
		if inFlight == 0 && wait <= 0 {
			r.mu.Unlock()
			return nil
		}
		changed := r.change()
		r.mu.Unlock()

		var quiet <-chan time.Time // nil while calls are in flight: then only a change can help
		if inFlight == 0 {
			quiet = time.After(wait)
		}
		select {
		case <-changed:
		case <-quiet:
		case <-ctx.Done():
			return fmt.Errorf("waiting for the server's storage calls to settle, %d in flight: %w", inFlight, ctx.Err())
		}
	}
}

// change returns a channel that is closed when something happens. The caller holds mu.
func (r *Recorder) change() <-chan struct{} {
	if r.changed == nil {
		r.changed = make(chan struct{})
	}
	return r.changed
}

// happened wakes goroutines that wait for a change, and starts a new quiet time. The caller holds mu.
func (r *Recorder) happened(now time.Time) {
	r.last = now
	r.wake()
}

// touched is happened for an attempt that has arrived or ended. The caller holds mu.
func (r *Recorder) touched(a *attempt, now time.Time) {
	if a.poll {
		r.wake()
		return
	}
	r.happened(now)
}

// wake wakes goroutines that wait for a change. The caller holds mu.
func (r *Recorder) wake() {
	if r.changed != nil {
		close(r.changed)
		r.changed = nil
	}
}

// Handler returns a handler that records the calls to a service and passes them on to next. It sees a call before next
// does, and its answer when next has returned: held, delayed and broken calls are recorded as such if the handler that
// holds or breaks them is part of next.
func (r *Recorder) Handler(protocol Protocol, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		a := &attempt{protocol: protocol, reading: protocol.Decode(HeadOf(req))}
		a.call = a.reading.Call()
		a.call.Service, a.call.Trace = protocol.Service(), traceOf(req.Header.Get("Traceparent"))
		r, named := r, r.traces.named(a.call)
		if named != nil {
			r = named.recorder
		}
		a.recorder = r
		r.arrive(a, req, named)
		body := newBodyTap(req, a.reading.Request(), r.seed)
		answer := &answerTap{ResponseWriter: w, reading: a.reading, hungUp: req.Context().Err}
		stop := context.AfterFunc(req.Context(), func() { r.hangUp(a) })
		answered := false
		// Deferred, without recovering: a handler that panics, for example with http.ErrAbortHandler, gives no answer,
		// and its panic propagates unchanged.
		defer func() {
			// A handler can see the end of the context before the AfterFunc for it was started.
			if !stop() || answer.unheard {
				r.hangUp(a)
			}
			r.end(a, body, answer, answered)
		}()
		// a handler may not change its request
		seen := req.WithContext(context.WithValue(req.Context(), arrivedKey{}, a))
		if req.Body != nil && req.Body != http.NoBody {
			seen.Body = body
		}
		next.ServeHTTP(answer, r.peek(a, seen))
		answered = true
	})
}

func (r *Recorder) arrive(a *attempt, req *http.Request, named *Request) {
	a.call.Start = time.Now()
	url := req.RequestURI
	if url == "" {
		url = req.URL.RequestURI()
	}
	a.key = attemptKey{service: a.call.Service, method: req.Method, url: url, conditional: a.call.Conditional,
		clientID: a.call.ClientID}

	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	a.call.ID = r.calls
	r.attribute(a, named)
	r.attempts = append(r.attempts, a)
	r.inFlight++
	r.touched(a, a.call.Start)
}

// peek reads as much of a body as is needed to name the call. The request it returns delivers those bytes again to the
// handlers.
func (r *Recorder) peek(a *attempt, req *http.Request) *http.Request {
	first, ok := a.protocol.(BodyFirst)
	if !ok || req.Body == nil || req.Body == http.NoBody {
		return req
	}
	body, _ := io.ReadAll(io.LimitReader(req.Body, first.Peek(HeadOf(req)))) // the store will miss the rest too
	r.mu.Lock()
	defer r.mu.Unlock()
	a.learn(a.reading.Call())
	a.key.conditional = a.call.Conditional
	return withBody(req, body)
}

// Consumed reports what a recorded call has cost, in the service's units of capacity, for a store that knows it
// without writing it into the answer. It changes nothing if ctx is not the context of a recorded call, or of
// one that has ended.
func Consumed(ctx context.Context, units float64) {
	a, ok := ctx.Value(arrivedKey{}).(*attempt)
	if !ok {
		return
	}
	a.recorder.mu.Lock()
	defer a.recorder.mu.Unlock()
	if !a.done {
		a.call.Capacity = &units
	}
}

// arrivedKey is the context key of a recorded request's attempt.
type arrivedKey struct{}

// arrived returns the attempt of a recorded request.
func arrived(req *http.Request) *attempt { return req.Context().Value(arrivedKey{}).(*attempt) }

// hangUp records that the client closed its connection while the call was in flight. Only the first time counts.
func (r *Recorder) hangUp(a *attempt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !a.done && a.gone.IsZero() {
		a.gone = time.Now()
	}
}

func (r *Recorder) end(a *attempt, body *bodyTap, answer *answerTap, answered bool) {
	size, digest := body.close()
	answered = answered && !answer.hijacked
	var read Call
	if answered {
		answer.writeHeader(http.StatusOK) // unless already written
		read = a.reading.Done()
	} else {
		read = a.reading.Call()
	}
	now := time.Now()
	if ended := r.ended; ended != nil {
		defer func() { ended(a.snapshot()) }() // without the lock: the attempt no longer changes
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	a.learn(read)
	a.call.Duration = now.Sub(a.call.Start)
	a.call.RequestBytes, a.call.ResponseBytes = size, answer.size
	if !answered {
		a.call.Status, a.call.ErrorCode, a.call.Entities = 0, "", 0
	}
	a.call.InvitesRetry = a.protocol.InvitesRetry(a.call)
	if answered && !answer.unheard {
		a.gone = time.Time{} // it closed its connection after receiving the answer
	}
	a.body, a.ended, a.done, a.reading = digest, now, true, nil
	r.inFlight--
	r.touched(a, now)
}
