package explore

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// The kinds of faults.
const (
	busyOnce   = "once" // the first attempt is answered 503
	busy       = "busy" // every attempt is
	lostAnswer = "lost" // the store does its work, and its answer is a 500
)

func faultKinds() []string { return []string{busyOnce, busy, lostAnswer} }

// trigger waits for a storage call of a request.
type trigger struct {
	Place
	word func(string) string // what the features call a resource
	mu   sync.Mutex
	seen int
	hit  string // the identity of the call; "": it has not come
	over bool

	tries int // further attempts at the call
	name  string
	alike map[string]bool // the identities of calls of the same class on the same resource
}

func (s *side) trigger(at Place) *trigger {
	return &trigger{Place: at, word: s.content.word, alike: map[string]bool{}}
}

// mostTries is how many attempts of a call fail: more than an SDK makes, so that the server learns of it, and few
// enough that a server that keeps trying answers soon.
const mostTries = 6

// reaches reports whether this is the call, and whether it is another attempt at it.
func (p *trigger) reaches(call wire.Call) (first, again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fits := call.Class == p.Class && p.word(call.Resource) == p.On
	if fits && !p.over {
		p.alike[call.Identity()] = true
	}
	switch {
	case p.over, p.hit == "" && !fits:
		return false, false
	case p.hit != "":
		if p.hit != call.Identity() {
			return false, false
		}
		p.tries++
		return false, p.tries < mostTries
	}
	if p.seen++; p.seen == p.Nth {
		p.hit, p.name = call.Identity(), call.Name()
		return true, false
	}
	return false, false
}

// end stops waiting, and records in an answer which call it was.
func (p *trigger) end(a *answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	a.reached, a.hit, a.alike = p.hit != "", p.name, len(p.alike)
}

// faulted sends a request of which a storage call fails, and sends it again.
func (s *side) faulted(ctx context.Context, step *Step) (*answer, error) {
	at := s.trigger(step.Fault.Place)
	remove := s.lane.Gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		first, again := at.reaches(call)
		switch kind := step.Fault.Kind; {
		case first && kind == lostAnswer:
			return wire.Unheard(next, wire.Refused(wire.Broken))
		case first, again && kind == busy:
			return wire.Refused(wire.Busy)
		case again && kind == lostAnswer:
			return wire.Refused(wire.Broken)
		}
		return next
	})
	first, err := s.send(ctx, step)
	remove()
	if err != nil {
		return nil, err
	}
	if at.end(first); step.Fault.Left {
		return first, nil
	}
	again := *step
	again.Again, again.Fault = step.ID, nil
	a, err := s.send(ctx, &again)
	if err != nil {
		return nil, err
	}
	a.first, a.reached, a.hit, a.alike = first, first.reached, first.hit, first.alike
	return a, nil
}

// mostHeld is how long a call waits for the request in its way: a server that answers one request at a time answers the
// second only after the first.
const mostHeld = 300 * time.Millisecond

// elsewhere sends a request to a second instance of the server, if there can be one: the first may let only one request
// at a time change something. Instances would not get the variables that steps change.
func (s *side) elsewhere(ctx context.Context, request *http.Request) error {
	if !s.lane.Maker.Target.Restartable() || s.lane.Maker.Places.Taken() || len(s.env) > 0 {
		return nil
	}
	if err := s.lane.StartInstances(ctx, 2); err != nil {
		return err
	}
	if err := s.lane.Warm(ctx); err != nil {
		return err
	}
	base, err := url.Parse(s.lane.Instance(1).URL)
	if err == nil {
		request.URL.Host, request.Host = base.Host, base.Host
	}
	return err
}

// interrupted sends a request, and another one just before a storage call of the first.
func (s *side) interrupted(ctx context.Context, step *Step) (*answer, error) {
	inner := &step.Meanwhile.Step
	request, body, err := s.request(ctx, inner)
	if err != nil {
		return nil, err
	}
	s.sent[inner.ID], s.bodies[inner.ID] = request, body
	if err := s.elsewhere(ctx, request); err != nil {
		return nil, err
	}
	at := s.trigger(step.Meanwhile.Place)
	var late atomic.Bool
	var sent sync.Once
	answered := make(chan struct{})
	var beside *answer
	send := func() {
		sent.Do(func() {
			go func() {
				defer close(answered)
				a, recorded := s.exchange(request, body, s.lane.Recorder.Begin(inner.route()))
				a.calls = recorded.Calls()
				beside = a
			}()
		})
	}
	remove := s.lane.Gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		if first, _ := at.reaches(call); !first {
			return next
		}
		return wire.After(func() {
			send()
			select {
			case <-answered:
			case <-time.After(mostHeld):
				late.Store(true)
			}
		}, next)
	})
	a, err := s.send(ctx, step)
	remove()
	send() // if the call never came
	<-answered
	if err != nil {
		return nil, err
	}
	at.end(a)
	a.beside, a.late = beside, late.Load()
	s.fresh[inner.ID] = a.beside
	return a, nil
}
