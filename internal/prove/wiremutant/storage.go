package wiremutant

import (
	"net/http"
	"strings"
	"sync"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// misuse makes the calls of one lane's target, or the answers to them, those of a mutant.
type misuse struct {
	Mutant
	sign func(wire.Service, *http.Request)

	mu      sync.Mutex
	asked   map[string]bool // requests to the target for which a read was added, by trace; "" is the current one
	lagging http.Handler    // nil: nothing was read or written since the lane was renewed
}

// distortStorage returns what a lane needs for a mutant of the store's calls.
func distortStorage(m Mutant, lease *store.Lease) lane.Distortion {
	d := &misuse{Mutant: m, sign: lease.Sign, asked: map[string]bool{}}
	return lane.Distortion{Calls: d.calls, Store: d.store, Answers: d.answers, Renew: d.renew}
}

func (d *misuse) renew() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked, d.lagging = map[string]bool{}, nil
}

// answers only notes that the target gets another request.
func (d *misuse) answers(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		d.mu.Lock()
		delete(d.asked, "")
		d.mu.Unlock()
		return next.RoundTrip(req)
	})
}

// calls stands where the target's calls arrive: a wrong server would make other ones.
func (d *misuse) calls(protocol wire.Protocol, next http.Handler) http.Handler {
	return d.onResource(protocol, next, func(changes wire.Distorter, w http.ResponseWriter, req *http.Request,
		call wire.Call, body []byte) {
		writes := call.Writes() && call.Breadth != wire.Whole
		switch {
		case d.Kind == Lost && writes:
			changes.Pretend(w, req, body)
			return
		case d.Kind == Unconditional && writes:
			if changed, newBody, ok := changes.Unconditional(req, body); ok {
				req = wire.WithBody(changed, newBody)
				d.sign(call.Service, req)
			}
		case d.Kind == Repeated && writes:
			answer := wire.AnswerOf(next, w, req)
			wire.Discard(next, wire.WithBody(req, body))
			answer.Send(w)
			return
		case d.Kind == ReadAdded:
			d.addRead(changes, next, req, call, body)
		}
		next.ServeHTTP(w, req)
	})
}

// store stands behind the recorder: a wrong server would make the same calls of its budgets, and find something else.
func (d *misuse) store(protocol wire.Protocol, next http.Handler) http.Handler {
	if d.Kind != Widened && d.Kind != Stale {
		return next
	}
	return d.onResource(protocol, next, func(changes wire.Distorter, w http.ResponseWriter, req *http.Request,
		call wire.Call, body []byte) {
		if d.Kind == Stale {
			d.lag(changes, next, call).ServeHTTP(w, req)
			return
		}
		if changed, newBody, ok := changes.Unfiltered(req, body); ok && call.Effect == wire.Reads {
			req = wire.WithBody(changed, newBody)
			d.sign(call.Service, req)
		}
		next.ServeHTTP(w, req)
	})
}

// onResource lets change answer the calls on the mutant's resource.
func (d *misuse) onResource(protocol wire.Protocol, next http.Handler, change func(wire.Distorter, http.ResponseWriter,
	*http.Request, wire.Call, []byte)) http.Handler {
	changes, ok := protocol.(wire.Distorter)
	if !ok || protocol.Service() != d.Service {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		call, body, err := wire.ReadWhole(protocol, req)
		if err != nil {
			panic(http.ErrAbortHandler) // the target has gone
		}
		if req = wire.WithBody(req, body); call.Resource != d.Resource || call.Provisions() {
			next.ServeHTTP(w, req)
			return
		}
		req.Header = req.Header.Clone() // it may be signed again
		change(changes, w, req, call, body)
	})
}

// addRead reads what a request's first call on the resource reads, or is about to change.
func (d *misuse) addRead(changes wire.Distorter, next http.Handler, req *http.Request, call wire.Call, body []byte) {
	var read *http.Request
	if call.Effect == wire.Reads {
		read = wire.WithBody(req, body)
	} else if named := changes.Named(req, body); len(named) > 0 {
		read = named[0]
		d.sign(call.Service, read)
	}
	if read == nil || !d.first(req) {
		return
	}
	wire.Discard(next, read)
}

// first reports whether no read was added yet for the request to the target that a call belongs to.
func (d *misuse) first(req *http.Request) bool {
	trace := ""
	if parts := strings.Split(req.Header.Get("Traceparent"), "-"); len(parts) > 1 {
		trace = parts[1]
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	added := d.asked[trace]
	d.asked[trace] = true
	return !added
}

func (d *misuse) lag(changes wire.Distorter, next http.Handler, call wire.Call) http.Handler {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lagging == nil {
		sign := func(req *http.Request) { d.sign(call.Service, req) }
		d.lagging = changes.Lagging(d.Resource, sign, next)
	}
	return d.lagging
}
