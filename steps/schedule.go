package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/order"
	"github.com/storespec/storespec/internal/wire"
)

const (
	// scheduleWithin bounds one order: a server answers within 15 s whatever happens to its calls, and one that does not
	// hangs under a held call.
	scheduleWithin = 15 * time.Second
	// leastSettle is how long a request may do nothing, neither asking the store nor answering, before the others go on
	// without it: servers that make their requests wait for each other would stand still for ever. Where each request has an
	// instance of its own this is rare, and worth waiting for on a busy machine: an order that went on too soon is
	// another one the next time. Ten times the longest pause that the request made when it was alone, if that is more.
	leastSettle = 200 * time.Millisecond
	// learnQuiet is how long a request that is alone is waited for to send another call beside those that are held:
	// what runs at once in a server starts within microseconds.
	learnQuiet = 4 * time.Millisecond
)

// chooser says which move is next and is told what it has touched.
type chooser interface {
	Choose(open []order.Move) order.Move
	Took(touches []order.Touch)
}

// sending is the move by which a request is sent.
const sending = "send"

// schedule runs requests at the same time and lets their storage calls go in one order.
type schedule struct {
	actors  []*actor
	changed chan struct{} // something has happened
	name    func(wire.Call) string
	key     func(string) string // a key as it is the same in each run
	within  time.Duration
	settle  time.Duration
	quiet   time.Duration // waited for in every state, for more calls to arrive; 0 where it is known how many there are
	settles int           // states in which a request was given up waiting for
	longest time.Duration // the longest pause between an answer of the store and what the request did then
}

// actor is one of the requests.
type actor struct {
	name string
	gate *wire.Gateway
	hold *wire.Hold
	send func() // until the answer is there
	plan *plan  // nil: it is alone for the first time

	began, ended bool
	done         chan struct{} // closed when the answer is there
	names        map[*wire.Held]string
	count        map[string]int
	released     map[string]bool
	strayed      bool // it does what it did not do when it was alone
	last         *wire.Held
	beside       int // calls that were held when the last one was let go, that one included
}

// newSchedule is a schedule without requests. name tells a call, and key a key of a row or blob, in a way that is the same
// in each run.
func newSchedule(within time.Duration, name func(wire.Call) string, key func(string) string) *schedule {
	return &schedule{changed: make(chan struct{}, 1), within: within, settle: leastSettle, name: name, key: key}
}

// add takes a request into the schedule. Its calls go through the gate, and no others do; where others do, what add gives
// is for its own calls.
func (s *schedule) add(name string, gate *wire.Gateway, plan *plan, send func()) wire.Interposer {
	a := &actor{
		name: name, gate: gate, send: send, plan: plan, done: make(chan struct{}),
		names: map[*wire.Held]string{}, count: map[string]int{}, released: map[string]bool{},
	}
	a.hold = wire.NewHold(s.happened)
	gate.Interpose(a.hold.Interpose)
	s.actors = append(s.actors, a)
	if plan != nil {
		s.settle = max(s.settle, 10*plan.longest)
	}
	return a.hold.Interpose
}

func (s *schedule) happened() {
	select {
	case s.changed <- struct{}{}:
	default: // it is to be looked at already
	}
}

// abandonedError says that a client of the store gave up a call that was held: the order was not one that could happen.
type abandonedError struct{ call string }

func (e *abandonedError) Error() string {
	return fmt.Sprintf("the target gave up %s while it was held", e.call)
}

// stuckError says that an order did not come to its end.
type stuckError struct {
	within time.Duration
	where  string
}

func (e *stuckError) Error() string {
	return fmt.Sprintf("the requests had no answers within %s: %s", e.within, e.where)
}

// run takes moves until every request is answered and no call is held. Errors: *abandonedError, *stuckError, or why ctx ended;
// then giveUp is called, which is to end the requests under way, and whatever is held is let go. No request is under way
// when run returns.
func (s *schedule) run(ctx context.Context, giveUp func(), by chooser) (err error) {
	defer func() {
		if err != nil {
			giveUp()
		}
		for _, a := range s.actors {
			a.hold.Open()
			a.gate.Interpose(nil)
			if a.began {
				<-a.done
			}
		}
	}()
	deadline := time.NewTimer(s.within)
	defer deadline.Stop()
	for {
		open, err := s.await(ctx, deadline.C)
		if err != nil || len(open) == 0 {
			return err
		}
		move := by.Choose(open)
		by.Took(s.take(move))
	}
}

// await waits for a state in which nothing more happens by itself, and gives the moves there are.
func (s *schedule) await(ctx context.Context, deadline <-chan time.Time) ([]order.Move, error) {
	began := time.Now()
	wait := s.quiet
	for {
		for _, a := range s.actors {
			if gone := a.hold.Abandoned(); len(gone) > 0 {
				return nil, &abandonedError{a.name + ": " + s.name(gone[0])}
			}
		}
		open, quiescent, settled := s.look()
		patience := s.settle
		if quiescent {
			if wait == 0 {
				return open, nil
			}
			patience = wait
		}
		timer := time.NewTimer(patience)
		select {
		case <-s.changed:
			timer.Stop()
			s.longest = max(s.longest, time.Since(began))
		case <-timer.C:
			switch {
			case quiescent:
				return open, nil
			case settled && len(open) > 0:
				s.settles++
				return open, nil
			}
		case <-deadline:
			timer.Stop()
			return nil, &stuckError{s.within, s.where()}
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
	}
}

// look gives the moves of the state, whether more is to come without any of them, and whether all that is to come is up
// to the requests, not to the store.
func (s *schedule) look() (open []order.Move, quiescent, settled bool) {
	quiescent, settled = true, true
	for i, a := range s.actors {
		moves, complete, underWay := a.look(s.name)
		for _, call := range moves {
			open = append(open, order.Move{Request: i, Call: call})
		}
		quiescent = quiescent && complete
		settled = settled && !underWay
	}
	return open, quiescent, settled
}

// look gives the request's moves, whether no other is to come, and whether the store is at work for it.
func (a *actor) look(name func(wire.Call) string) (moves []string, complete, underWay bool) {
	if !a.began {
		return []string{sending}, true, false
	}
	select {
	case <-a.done:
		a.ended = true
	default:
	}
	held, gone := a.hold.Waiting()
	moves = a.label(held, name)
	if gone > 0 {
		return moves, false, true
	}
	return moves, a.ended || len(moves) >= a.expects(), false
}

// label names the calls that are held: by name, and those with the same one in order of arrival.
func (a *actor) label(held []*wire.Held, name func(wire.Call) string) []string {
	var labels []string
	for _, one := range held {
		if a.names[one] == "" {
			kind := name(one.Call)
			a.count[kind]++
			a.names[one] = kind
			if a.count[kind] > 1 {
				a.names[one] = fmt.Sprintf("%s (number %d)", kind, a.count[kind])
			}
		}
		labels = append(labels, a.names[one])
	}
	slices.Sort(labels)
	return labels
}

// expects is how many calls the request holds when it can do nothing more without one of them. It is one at least: a
// request that is not answered asks the store, or works and will.
func (a *actor) expects() int {
	if a.plan == nil {
		return 1
	}
	for _, name := range a.names {
		a.strayed = a.strayed || !a.plan.knows(name)
	}
	if !a.strayed {
		return max(1, a.plan.open(a.released))
	}
	if a.last == nil {
		return 1
	}
	// Off its plan: what was read leads to another call, and so does a write that was refused; one that succeeded is the
	// end of what it belongs to.
	if a.last.Call.Writes() && a.last.Status() < 400 {
		return max(1, a.beside-1)
	}
	return max(1, a.beside)
}

// take makes a move and gives what it touches.
func (s *schedule) take(move order.Move) []order.Touch {
	a := s.actors[move.Request]
	if move.Call == sending {
		a.began = true
		go func() {
			defer s.happened()
			defer close(a.done)
			a.send()
		}()
		return nil // what the store holds is not touched before its first call
	}
	held, _ := a.hold.Waiting()
	for _, one := range held {
		if a.names[one] == move.Call {
			a.last, a.beside = one, len(held)
			a.released[move.Call] = true
			one.Go()
			return touches(one.Call, s.key)
		}
	}
	return nil // its client gave it up a moment ago: the next look will tell
}

// where says what the requests wait for.
func (s *schedule) where() string {
	var places []string
	for _, a := range s.actors {
		if !a.began || a.ended {
			continue
		}
		place := a.name + " asks the store for nothing"
		held, gone := a.hold.Waiting()
		switch {
		case len(held) > 0:
			place = fmt.Sprintf("%s waits for %s, which is held", a.name, s.name(held[0].Call))
		case gone > 0 && a.last != nil:
			place = fmt.Sprintf("%s waits for the store's answer to %s", a.name, s.name(a.last.Call))
		case a.last != nil:
			place += " after " + s.name(a.last.Call)
		}
		places = append(places, place)
	}
	return strings.Join(places, "; ")
}

// touches says which part of the store a call is about. What one run learns of calls that do not disturb each other holds in
// the next one, so keys stand there as key gives them.
func touches(c wire.Call, key func(string) string) []order.Touch {
	if c.Class == wire.Transaction && len(c.Inner) > 0 {
		var all []order.Touch
		for _, inner := range c.Inner {
			all = append(all, touches(inner, key)...)
		}
		return all
	}
	one := order.Touch{Path: []string{string(c.Service)}, Write: true}
	deeper := []string{c.Resource, key(c.Partition), key(c.Row)}
	switch c.Class {
	case wire.PointRead, wire.PartitionQuery, wire.PartitionRange, wire.TableScan, wire.Page, wire.ListTables, wire.Read, wire.Head, wire.List:
		one.Write = false
	case wire.Transaction, wire.Other, wire.Unknown:
		deeper = nil
	}
	if c.Service == wire.Blob {
		deeper = []string{c.Resource, key(c.Blob)}
	}
	for _, part := range deeper {
		if part == "" {
			break // not known, or all of it
		}
		one.Path = append(one.Path, part)
	}
	return []order.Touch{one}
}
