package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/scenario/order"
	"github.com/storespec/storespec/internal/wire"
)

// UnlessAbandoned calls do, and repeats it at most twice if a client of the store gave up on a held call: the machine
// was busy, and the attempt shows nothing.
func UnlessAbandoned(do func() error) (err error) {
	for range 3 {
		if err = do(); !errors.As(err, new(*AbandonedError)) {
			break
		}
	}
	return err
}

const (
	// leastSettle is how long a request may do nothing, neither calling the store nor answering, before the others go
	// on without it: servers that make their requests wait for each other would otherwise stand still forever. If each
	// request has its own instance this is rare, and worth waiting for on a busy machine: an order that went on too
	// soon is a different order the next time. The settle time is ten times the longest pause of a request that ran
	// alone, if that is longer.
	leastSettle = 200 * time.Millisecond
	// LearnQuiet is how long to wait for a request that runs alone to send another call in addition to those held:
	// calls that a server makes in parallel start within microseconds of each other, unless one of them waits for a
	// processor, of which a goroutine of another scenario may take a slice of 10 ms.
	LearnQuiet = 12 * time.Millisecond
)

// Chooser chooses the next move and learns what the move touched.
type Chooser interface {
	Choose(open []order.Move) order.Move
	Took(touches []order.Touch)
}

// sending is the move by which a request is sent.
const sending = "send"

// Schedule runs requests at the same time and releases their storage calls in one order.
type Schedule struct {
	actors  []*actor
	changed chan struct{} // signals that something has happened
	name    func(wire.Call) string
	key     func(string) string // returns a key in a form that is the same in each run
	within  time.Duration
	settle  time.Duration
	Quiet   time.Duration // time to wait in every state for more calls to arrive; 0 if their number is known
	Settles int           // number of states in which the wait for a request timed out
	taken   []taken
	Longest time.Duration // the longest pause between an answer of the store and what the request did next
}

// actor is one of the requests.
type actor struct {
	name string
	hold *wire.Hold
	send func() // returns when the answer has arrived
	plan *Plan  // nil: it runs alone for the first time

	remove       func() // stops holding its calls
	began, ended bool
	done         chan struct{} // closed when the answer has arrived
	names        map[*wire.Held]string
	count        map[string]int
	released     map[string]bool
	strayed      bool // it did something that it did not do when it ran alone
	last         *wire.Held
	beside       int // calls that were held when the last one was released, including that one
}

// NewSchedule returns a schedule without requests. name identifies a call, and key a key of a row or blob, in a way
// that is the same in each run.
func NewSchedule(within time.Duration, name func(wire.Call) string, key func(string) string) *Schedule {
	return &Schedule{changed: make(chan struct{}, 1), within: within, settle: leastSettle, name: name, key: key}
}

// Add adds a request to the schedule. Its calls go through the gate, and no other calls do. If others do, gate is nil,
// and the caller must apply the returned Interposer to the request's own calls.
func (s *Schedule) Add(name string, gate *wire.Gateway, plan *Plan, send func()) wire.Interposer {
	a := &actor{
		name: name, send: send, plan: plan, done: make(chan struct{}), remove: func() {},
		names: map[*wire.Held]string{}, count: map[string]int{}, released: map[string]bool{},
	}
	a.hold = wire.NewHold(s.happened)
	if gate != nil {
		a.remove = gate.Interpose(a.hold.Interpose)
	}
	s.actors = append(s.actors, a)
	if plan != nil {
		s.settle = max(s.settle, 10*plan.longest)
	}
	return a.hold.Interpose
}

func (s *Schedule) happened() {
	select {
	case s.changed <- struct{}{}:
	default: // a check is already due
	}
}

// AbandonedError says that a client of the store gave up on a held call: the order was not one that could happen.
type AbandonedError struct{ call string }

// Error names the call.
func (e *AbandonedError) Error() string {
	return fmt.Sprintf("the server gave up %s while it was held", e.call)
}

// StuckError says that an order did not finish.
type StuckError struct {
	within time.Duration
	where  string
}

// Error says how long storespec waited and what each request was waiting for.
func (e *StuckError) Error() string {
	return fmt.Sprintf("the requests had no answers within %s: %s", e.within, e.where)
}

// Taken is a move that was made. Status is what the store answered to the call; 0: nothing, or it is not a call.
type Taken struct {
	order.Move
	Status int
}

type taken struct {
	order.Move
	held *wire.Held // nil: the request was sent
}

// Taken returns the moves that Run has made, in order.
func (s *Schedule) Taken() []Taken {
	list := make([]Taken, len(s.taken))
	for i, one := range s.taken {
		list[i].Move = one.Move
		if one.held != nil {
			list[i].Status = one.held.Status()
		}
	}
	return list
}

// Run makes moves until every request is answered and no call is held. Errors: *AbandonedError, *StuckError, or why ctx
// ended. After an error, giveUp is called, which must end the requests in progress, and all held calls are released. No
// request is in progress when Run returns.
func (s *Schedule) Run(ctx context.Context, giveUp func(), by Chooser) (err error) {
	defer func() {
		if err != nil {
			giveUp()
		}
		for _, a := range s.actors {
			a.hold.Open()
			a.remove()
			if a.began {
				<-a.done
			}
		}
	}()
	deadline := time.After(s.within)
	for {
		open, err := s.await(ctx, deadline)
		if err != nil || len(open) == 0 {
			return err
		}
		move := by.Choose(open)
		by.Took(s.take(move))
	}
}

// await waits for a state in which nothing more happens by itself, and returns the possible moves.
func (s *Schedule) await(ctx context.Context, deadline <-chan time.Time) ([]order.Move, error) {
	began := time.Now()
	wait := s.Quiet
	for {
		for _, a := range s.actors {
			if gone := a.hold.Abandoned(); len(gone) > 0 {
				return nil, &AbandonedError{a.name + ": " + s.name(gone[0])}
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
		select {
		case <-s.changed:
			s.Longest = max(s.Longest, time.Since(began))
		case <-time.After(patience):
			switch {
			case quiescent:
				return open, nil
			case settled && len(open) > 0:
				s.Settles++
				for _, a := range s.actors {
					a.learnEnd()
				}
				return open, nil
			}
		case <-deadline:
			return nil, &StuckError{s.within, s.where()}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// look returns the possible moves, whether nothing more will happen without one of them, and whether anything still to
// come depends only on the requests, not on the store.
func (s *Schedule) look() (open []order.Move, quiescent, settled bool) {
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

// look returns the request's moves, whether there will be no others, and whether the store is working for it.
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

// label names the held calls: calls with the same name are numbered in order of arrival.
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

// expects returns how many calls the request holds when it can do nothing more without one of them. It is at least one:
// a request that is not answered is calling the store, or is working and will call it.
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
	// It has left its plan: a read leads to another call, and so does a refused write, unless an earlier order has
	// shown otherwise, as with the deletion of what is gone already; a successful write ends its part of the request.
	if a.last.Call.Writes() && (a.last.Status() < 400 || a.plan.ends(a.ending())) {
		return max(1, a.beside-1)
	}
	return max(1, a.beside)
}

// ending names the last call with its answer.
func (a *actor) ending() string { return fmt.Sprintf("%s: %d", a.names[a.last], a.last.Status()) }

// learnEnd takes note that no call has followed the last one, a refused write, although one was awaited.
func (a *actor) learnEnd() {
	if a.strayed && !a.ended && a.last != nil && a.last.Call.Writes() && a.last.Status() >= 400 {
		a.plan.learnEnd(a.ending())
	}
}

// take makes a move and returns what it touches.
func (s *Schedule) take(move order.Move) []order.Touch {
	a := s.actors[move.Request]
	if move.Call == sending {
		a.began = true
		s.taken = append(s.taken, taken{move, nil})
		go func() {
			defer s.happened()
			defer close(a.done)
			a.send()
		}()
		return nil // the store's data is not touched before the request's first call
	}
	held, _ := a.hold.Waiting()
	for _, one := range held {
		if a.names[one] == move.Call {
			a.last, a.beside = one, len(held)
			a.released[move.Call] = true
			s.taken = append(s.taken, taken{move, one})
			one.Go()
			return touches(one.Call, s.key)
		}
	}
	return nil // its client gave up on it a moment ago: the next look will notice
}

// where says what the requests are waiting for.
func (s *Schedule) where() string {
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

// touches returns which parts of the store a call accesses. What one run learns about independent calls must hold in
// the next, so keys appear as key returns them.
func touches(c wire.Call, key func(string) string) []order.Touch {
	if len(c.Inner) > 0 {
		var all []order.Touch
		for _, inner := range c.Inner {
			all = append(all, touches(inner, key)...)
		}
		return all
	}
	one := order.Touch{Path: []string{string(c.Service)}, Write: c.Effect != wire.Reads && c.Effect != wire.Surveys}
	if c.Effect == wire.Other && c.Breadth == wire.Whole {
		return []order.Touch{one}
	}
	deeper := []string{c.Resource}
	for _, part := range c.Key {
		deeper = append(deeper, key(part))
	}
	for _, part := range deeper {
		if part == "" {
			break // unknown, or all of it
		}
		one.Path = append(one.Path, part)
	}
	return []order.Touch{one}
}
