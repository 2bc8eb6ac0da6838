package wire

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"sync"
)

// Hold keeps the calls of one gateway back and lets them go one by one: Interpose is its Interposer. Its zero value holds
// nothing; NewHold's does. It is safe for concurrent use.
type Hold struct {
	changed func()

	mu        sync.Mutex
	open      bool // lets everything pass
	held      []*Held
	underWay  int // let go, not answered
	abandoned []Call
}

// Held is a call that waits at the gateway.
type Held struct {
	// Call is what its request says, body included: the keys of an insert, the operations of a transaction.
	Call  Call
	hold  *Hold
	going chan struct{} // closed when it may go

	status int // the store's answer; 0: none, or not yet. Guarded by hold.mu
}

// NewHold gives a hold. changed is called, from many goroutines, whenever a call has arrived, was answered, or was given
// up by its client.
func NewHold(changed func()) *Hold { return &Hold{changed: changed} }

// Interpose holds a call until it is let go. A call whose client gives up meanwhile is never passed on.
func (h *Hold) Interpose(call Call, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		whole, body := whole(call, req)
		one := &Held{Call: whole, hold: h, going: make(chan struct{})}
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

// Waiting are the calls that are held, in order of arrival, and the number of those that were let go and have no answer yet.
func (h *Hold) Waiting() (held []*Held, underWay int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.held), h.underWay
}

// Abandoned are the calls whose clients gave up while they were held.
func (h *Hold) Abandoned() []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.abandoned)
}

// Open lets go of everything that is held and of all that comes.
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

// Go lets a call go on to the store. It is for a call that is held.
func (one *Held) Go() {
	h := one.hold
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.drop(one) {
		h.underWay++
		close(one.going)
	}
}

// Status is what the store has answered; 0: nothing so far.
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

// giveUp takes back a call that was not let go; false: it was, meanwhile.
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
	at := slices.Index(h.held, one)
	if at >= 0 {
		h.held = slices.Delete(h.held, at, at+1)
	}
	return at >= 0
}

// whole completes a call with what its body says, where keys or operations are in the body, and gives what was read of
// that. It reads every body, up to drainLimit: http.Server sees no client give up before its request is read.
func whole(call Call, req *http.Request) (Call, []byte) {
	if req.Body == nil || req.Body == http.NoBody {
		return call, nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, drainLimit))
	if err != nil {
		return call, body // passed on as far as it came: the store will miss the rest
	}
	rd := decode(headOf(call.Service, req))
	if sink := rd.request(); sink != nil {
		_, _ = sink.Write(body) // scanners never fail
		rd.readRequest()
	}
	return rd.call, body
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

// statusWriter notes the status of an answer.
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
