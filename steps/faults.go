package steps

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// fault is what happens to storage calls of the next request. It ends with that request.
type fault struct {
	mu     sync.Mutex
	seen   int       // calls that wanted matches
	hit    *callName // the call it fell on
	over   bool      // the request it belongs to has been answered: a call that comes later is none of its own
	wanted func(wire.Call) bool
	nth    int
	// first answers the call it falls on, again answers the attempts at it that an SDK makes afterwards.
	first, again answerer

	recorded *wire.Request // of the request it belongs to

	meanwhile bool          // somebody else's request is under way
	answered  chan struct{} // closed when that was answered; nil: it was not sent
	during    *exchange     // what came of it
	err       error         // why that could not be sent, or that the time for it never came
}

// answerer gives what answers a call; next is the store.
type answerer func(call wire.Call, next http.Handler) http.Handler

// callName is what the attempts at one call have in common: the id an SDK sends with each, or all that can be seen.
type callName struct {
	service                                                 wire.Service
	operation, resource, partition, row, blob, onlyWhen, id string
}

func nameOf(c wire.Call) callName {
	return callName{c.Service, c.Operation, c.Resource, c.Partition, c.Row, c.Blob, c.Conditional, c.ClientID}
}

func faultSteps() []Step {
	const nth = `(\d+)(?:st|nd|rd|th)`
	return []Step{
		{`(\w+) sends ` + methodAndPath + mayHaveBody + `, and any one storage call fails`, `When Ben sends POST /api/group/join {"groupId":"{Family}"}, and any one storage call fails`,
			func(w *World) any { return w.sendsAndAnyCallFails }},
		{`(\w+) sends ` + methodAndPath + mayHaveBody + `, and any one storage call fails for good`, `When Ben sends POST /api/group/create {"groupName":"Choir"}, and any one storage call fails for good`,
			func(w *World) any { return w.sendsAndGivesUp }},
		{`(\w+) is refused ` + methodAndPath + mayHaveBody + `, and any one storage call fails`, `When Ben is refused GET /api/group/meta?groupId={Family}, and any one storage call fails`,
			func(w *World) any { return w.isRefusedAndAnyCallFails }},
		{`the answer to the ` + nth + ` write of the next request is lost`, `Given the answer to the 2nd write of the next request is lost`,
			func(w *World) any {
				return func(n int) error {
					return w.nextRequest(&fault{nth: n, wanted: wire.Call.Writes, first: cutAfter, again: cut})
				}
			}},
		{`storage throttles the next request`, `Given storage throttles the next request`,
			func(w *World) any {
				return func() error {
					throttled := refused(http.StatusTooManyRequests, "TooManyRequests")
					return w.nextRequest(&fault{nth: 1, wanted: notProvisioning, first: throttled, again: throttled})
				}
			}},
		{`after the ` + nth + ` read on (\S+) of the next request (\w+) sends ` + methodAndPath + mayHaveBody,
			`Given after the 1st read on Groups of the next request Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}`,
			func(w *World) any { return w.sendsAfterRead }},
		{`before the ` + nth + ` write on (\S+) of the next request (\w+) sends ` + methodAndPath + mayHaveBody,
			`Given before the 1st write on UserGroups of the next request Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}`,
			func(w *World) any { return w.sendsMeanwhile }},
	}
}

func notProvisioning(c wire.Call) bool { return !c.Provisions() }

func (w *World) nextRequest(f *fault) error {
	w.fault = f
	return nil
}

// interpose is the fault as the gateway asks for it.
func (f *fault) interpose(call wire.Call, next http.Handler) http.Handler {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := nameOf(call)
	switch {
	case f.over:
		return next
	case f.hit != nil && *f.hit == name:
		return f.again(call, next)
	case f.hit != nil || !f.wanted(call):
		return next
	}
	if f.seen++; f.seen < f.nth {
		return next
	}
	f.hit = &name
	return f.first(call, next)
}

// end makes it pass every call from now on: one that arrived before may still ask.
func (f *fault) end() {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
}

// reached reports whether there was a fault that fell on a call.
func (f *fault) reached() bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hit != nil
}

// sendsMeanwhile holds a write of the next request until another request has been answered.
func (w *World) sendsMeanwhile(n int, on, name, method, path, body string) error {
	lane, by := w.active(), 0
	if method != http.MethodGet && lane.maker.Target.Restartable() { // a server may make the writes of one process wait for each other
		by = 1
		if err := lane.startInstances(w.ctx, 2); err != nil {
			return err
		}
		if err := lane.warm(w.ctx); err != nil {
			return err
		}
	}
	return w.meanwhile(n, wire.Call.Writes, wire.After, on, racer{who: name, method: method, path: path, body: body, by: by})
}

// sendsAfterRead holds the answer to a read of the next request until another request has been answered: what was read
// is old by then.
func (w *World) sendsAfterRead(n int, on, name, method, path, body string) error {
	return w.meanwhile(n, reads, wire.Before, on, racer{who: name, method: method, path: path, body: body})
}

func reads(c wire.Call) bool { return !c.Writes() && !c.Provisions() }

// mostHeld is how long a call is held for another request. A server that makes its requests wait for each other, by a lock
// or by the one connection it has, answers the other only when the call goes on: no order is forced on it.
const mostHeld = time.Second

// meanwhile holds a call of the next request, as hold does it, until another request has been answered, or for mostHeld.
func (w *World) meanwhile(n int, of func(wire.Call) bool, hold func(func(), http.Handler) http.Handler, on string, other racer) error {
	if err := w.writeOut(&on, &other.body); err != nil {
		return err
	}
	var err error
	if other.path, err = w.address(other.path); err != nil {
		return err
	}
	caller, lane := w.caller(other.who), w.active()
	held := &fault{nth: n, again: passed, err: fmt.Errorf("the request made no such call on %s", on)}
	held.wanted = func(c wire.Call) bool { return of(c) && Allowance{On: on}.isOn(c) }
	held.first = func(_ wire.Call, next http.Handler) http.Handler {
		return hold(func() {
			held.let(func() (*exchange, error) {
				return w.roundTrip(lane.instance(other.by).URL, held.recorded.Beside(other.method+" "+other.path), caller, other.method, other.path, other.body)
			})
		}, next)
	}
	return w.nextRequest(held)
}

// faulty puts what is to happen to the next request's storage calls in their way, and tells how to end it: that gives what
// was sent meanwhile. While that is under way, nothing happens: its calls are not the request's.
func (w *World) faulty(recorded *wire.Request) (end func() (*exchange, error)) {
	given, broken, gate := w.fault, w.broken, w.active().gate
	w.fault, w.broken = nil, nil
	if given == nil {
		given = &fault{wanted: func(wire.Call) bool { return false }}
	}
	given.recorded = recorded
	gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		if given.isMeanwhile() {
			return next
		}
		if broken != nil {
			next = broken.interpose(call, next)
		}
		return given.interpose(call, next)
	})
	return func() (*exchange, error) {
		gate.Interpose(nil)
		given.wait()
		broken.end()
		given.end()
		given.mu.Lock()
		defer given.mu.Unlock()
		if broken != nil && given.during == nil {
			return nil, nil // a request that fails early may never come to where it was to wait
		}
		return given.during, given.err
	}
}

// let sends somebody else's request and returns when that was answered, or after mostHeld.
func (f *fault) let(other func() (*exchange, error)) {
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

// wait returns when no such request is under way.
func (f *fault) wait() {
	f.mu.Lock()
	answered := f.answered
	f.mu.Unlock()
	if answered != nil {
		<-answered
	}
}

func (f *fault) isMeanwhile() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.meanwhile
}
