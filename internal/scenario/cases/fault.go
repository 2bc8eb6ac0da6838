package cases

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
)

// Fault is what happens to storage calls of the next request. It ends with that request.
type Fault struct {
	mu     sync.Mutex
	seen   int    // number of matching calls so far
	hit    string // the identity of the call it hit; "": none so far
	over   bool   // its request has been answered: a later call does not belong to it
	Wanted func(wire.Call) bool
	Nth    int  // which of these calls it hits; with Each, not used
	Each   bool // it hits all of them, each with First
	// first answers the call it hits; again answers the retries that an SDK makes afterwards.
	First, Again Answerer

	between backoff // between the attempts at the call it hit

	recorded *wire.Request // of the request it belongs to

	meanwhile bool                // another person's request is in progress
	answered  chan struct{}       // closed when that was answered; nil: it was not sent
	during    *scenario.RoundTrip // the exchange of that request
	err       error               // why that could not be sent, or that it was never time to send it
}

// Answerer returns the handler that answers a call; next is the store.
type Answerer func(call wire.Call, next http.Handler) http.Handler

// NotProvisioning reports whether a call does more than ensure that a table or container exists.
func NotProvisioning(c wire.Call) bool { return !c.Provisions() }

// pending is what will happen to storage calls of the next request.
type pending struct {
	given  *Fault // set by an earlier step; nil: nothing
	broken *Fault // set by the case; nil: nothing
}

// NextRequest sets a fault for the next request.
func NextRequest(w *scenario.World, f *Fault) error {
	atNext(w).given = f
	return nil
}

// atNext returns what will happen at the next request.
func atNext(w *scenario.World) *pending {
	w.Requests.AroundNext(func(recorded *wire.Request) func() (*scenario.RoundTrip, error) {
		return faulty(w, recorded)
	})
	return scenario.Part[pending](w)
}

// interpose returns the handler for a call; the gateway calls it.
func (f *Fault) interpose(call wire.Call, next http.Handler) http.Handler {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.over:
		return next
	case f.Each && f.Wanted(call):
		f.hit, f.err = call.Identity(), nil
		return f.First(call, next)
	case f.hit == call.Identity():
		return f.between.around(f.Again(call, next))
	case f.hit != "" || !f.Wanted(call):
		return next
	}
	if f.seen++; f.seen < f.Nth {
		return next
	}
	f.hit = call.Identity()
	return f.between.around(f.First(call, next))
}

// end makes it pass every call from now on: an earlier call may still ask.
func (f *Fault) end() {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
}

// reached reports whether the fault hit a call.
func (f *Fault) reached() bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hit != ""
}

// mostHeld is how long a call is held for another request. A server that serializes its requests, by a lock or by its
// only connection, answers the other one only after the call goes on: that order cannot be forced. On a machine that is
// busy, any answer may take more than a second.
const mostHeld = 5 * time.Second

// Refuse lets the store refuse each call of the next request that is wanted and on a resource. A request that makes no
// such call fails.
func Refuse(w *scenario.World, wanted func(wire.Call) bool, on string, reason wire.Refusal) error {
	if err := w.Names.WriteOut(&on); err != nil {
		return err
	}
	return NextRequest(w, &Fault{Each: true, First: Refused(reason),
		Wanted: func(c wire.Call) bool { return wanted(c) && budget.Allowance{On: on}.IsOn(c) },
		err:    fmt.Errorf("the request made no such call on %s", on)})
}

// Meanwhile holds a call of the next request, using hold, until another request has been answered, or for mostHeld.
func Meanwhile(ctx context.Context, w *scenario.World, n int, of func(wire.Call) bool,
	hold func(func(), http.Handler) http.Handler, on string, other Racer) error {
	if err := w.Names.WriteOut(&on, &other.Body); err != nil {
		return err
	}
	for i := range other.Set {
		if err := w.Names.WriteOut(&other.Set[i].Value); err != nil {
			return err
		}
	}
	var err error
	if other.Path, err = w.Names.Address(other.Path); err != nil {
		return err
	}
	caller, lane := w.People.Caller(other.Who), w.Stage.Lane()
	held := &Fault{Nth: n, Again: Passed, err: fmt.Errorf("the request made no such call on %s", on)}
	held.Wanted = func(c wire.Call) bool { return of(c) && budget.Allowance{On: on}.IsOn(c) }
	held.First = func(_ wire.Call, next http.Handler) http.Handler {
		return hold(func() {
			held.let(func() (*scenario.RoundTrip, error) {
				return w.Requests.RoundTrip(ctx, lane.Instance(other.By).URL, held.recorded.Beside(other.String()),
					caller, other.Request)
			})
		}, next)
	}
	return NextRequest(w, held)
}

// faulty applies the pending faults to the next request's storage calls. end removes them and returns the request that
// was sent meanwhile. While that one is in progress no fault applies: its calls do not belong to the request.
func faulty(w *scenario.World, recorded *wire.Request) (end func() (*scenario.RoundTrip, error)) {
	next, gate := scenario.Part[pending](w), w.Stage.Lane().Gate
	given, broken := next.given, next.broken
	*next = pending{}
	if given == nil {
		given = &Fault{Wanted: func(wire.Call) bool { return false }}
	}
	given.recorded = recorded
	remove := gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		if given.isMeanwhile() {
			return next
		}
		if broken != nil {
			next = broken.interpose(call, next)
		}
		return given.interpose(call, next)
	})
	explained := explain(w, broken, given)
	return func() (*scenario.RoundTrip, error) {
		explained()
		remove()
		given.wait()
		broken.end()
		given.end()
		given.mu.Lock()
		defer given.mu.Unlock()
		if broken != nil && given.during == nil {
			return nil, nil // a request that fails early may never reach the call that was to be held
		}
		return given.during, given.err
	}
}

// let sends another person's request and returns when that was answered, or after mostHeld.
func (f *Fault) let(other func() (*scenario.RoundTrip, error)) {
	answered := make(chan struct{})
	f.mu.Lock()
	f.meanwhile, f.answered = true, answered
	f.mu.Unlock()
	go func() {
		defer close(answered)
		during, err := other()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.during, f.err, f.meanwhile = during, err, false
	}()
	select {
	case <-answered:
	case <-time.After(mostHeld):
	}
}

// wait returns when no such request is in progress.
func (f *Fault) wait() {
	f.mu.Lock()
	answered := f.answered
	f.mu.Unlock()
	if answered != nil {
		<-answered
	}
}

func (f *Fault) isMeanwhile() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.meanwhile
}
