package wire

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"sync"
)

// Hold holds back the calls of one gateway and releases them one by one: Interpose is its Interposer. The zero value
// holds nothing; use NewHold. It is safe for concurrent use.
type Hold struct {
	changed func()

	mu        sync.Mutex
	open      bool // everything passes
	held      []*Held
	underWay  int // released, not yet answered
	abandoned []Call
}

// Held is a call waiting at the gateway.
type Held struct {
	// Call is what its request says, including the body: the keys of an insert, the operations of a transaction.
	Call  Call
	hold  *Hold
	going chan struct{} // closed when it may proceed

	status int // of the store's answer; 0: none, or not yet. Guarded by hold.mu
}

// NewHold returns a hold. changed is called, from many goroutines, whenever a call has arrived, was answered, or was
// abandoned by its client.
func NewHold(changed func()) *Hold { return &Hold{changed: changed} }

// Interpose holds a call until it is released. If its client gives up in the meantime, the call is never passed on.
func (h *Hold) Interpose(call Call, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		call, body := whole(call, req)
		one := &Held{Call: call, hold: h, going: make(chan struct{})}
		if !h.arrive(one) {
			next.ServeHTTP(w, withBody(req, body))
			return
		}
		select {
		case <-one.going:
		case <-req.Context().Done():
			if h.giveUp(one) {
				panic(http.ErrAbortHandler)
			}
		}
		seen := &statusWriter{ResponseWriter: w}
		defer func() { h.answered(one, seen.status) }()
		next.ServeHTTP(seen, withBody(req, body))
	})
}

// Waiting returns the held calls, in order of arrival, and the number of released calls that have not been answered
// yet.
func (h *Hold) Waiting() (held []*Held, underWay int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.held), h.underWay
}

// Abandoned returns the calls whose clients gave up while they were held.
func (h *Hold) Abandoned() []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.abandoned)
}

// Open releases all held calls and lets all later ones pass.
func (h *Hold) Open() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = true
	for _, one := range h.held {
		close(one.going)
	}
	h.underWay += len(h.held)
	h.held = nil
}

// Go releases a held call to the store.
func (one *Held) Go() {
	h := one.hold
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.drop(one) {
		h.underWay++
		close(one.going)
	}
}

// Status returns the status of the store's answer; 0: none so far.
func (one *Held) Status() int {
	one.hold.mu.Lock()
	defer one.hold.mu.Unlock()
	return one.status
}

func (h *Hold) arrive(one *Held) (held bool) {
	h.mu.Lock()
	if held = !h.open; held {
		h.held = append(h.held, one)
	}
	h.mu.Unlock()
	h.changed()
	return held
}

func (h *Hold) answered(one *Held, status int) {
	h.mu.Lock()
	one.status = status
	h.underWay--
	h.mu.Unlock()
	h.changed()
}

// giveUp withdraws a call that was not released; it returns false if it has been released in the meantime.
func (h *Hold) giveUp(one *Held) bool {
	h.mu.Lock()
	dropped := h.drop(one)
	if dropped {
		h.abandoned = append(h.abandoned, one.Call)
	}
	h.mu.Unlock()
	h.changed()
	return dropped
}

func (h *Hold) drop(one *Held) bool {
	before := len(h.held)
	h.held = slices.DeleteFunc(h.held, func(held *Held) bool { return held == one })
	return len(h.held) < before
}

// whole completes a call with what its body says, if keys or operations are in the body, and returns what it read of
// the body. It reads every body, up to drainLimit: http.Server does not notice a client giving up until the request is
// read.
func whole(call Call, req *http.Request) (Call, []byte) {
	if req.Body == nil || req.Body == http.NoBody {
		return call, nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, drainLimit))
	if err != nil {
		return call, body // passed on as received: the store will notice that the rest is missing
	}
	known := attempt{call: call}
	known.learn(arrived(req).reading.Call()) // the recorder has seen what was just read
	return known.call, body
}

func withBody(req *http.Request, read []byte) *http.Request {
	if read == nil {
		return req
	}
	again := req.WithContext(req.Context())
	again.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(read), req.Body), req.Body}
	return again
}

// statusWriter records the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status < http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
