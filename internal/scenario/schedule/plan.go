package schedule

import (
	"maps"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/scenario/order"
)

// Plan is what a request does when it runs alone: its calls, and for each the calls that must be answered before it is
// sent. Parallel calls need not wait for each other, which shows when two runs release calls in opposite orders.
type Plan struct {
	needs   map[string]map[string]bool
	longest time.Duration // between an answer of the store and what the request did next

	mu    sync.Mutex
	ended map[string]bool // refused writes after which an order has waited for a call in vain
}

func (p *Plan) ends(call string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended[call]
}

func (p *Plan) learnEnd(call string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended[call] = true
}

func (p *Plan) knows(call string) bool { return p.needs[call] != nil }

// open returns how many calls the request has in progress after these were released.
func (p *Plan) open(released map[string]bool) int {
	count := 0
next:
	for call, needs := range p.needs {
		if released[call] {
			continue
		}
		for needed := range needs {
			if !released[needed] {
				continue next
			}
		}
		count++
	}
	return count
}

// Lesson chooses for a request that runs alone: the first of its calls, or the last. It records which calls came first.
type Lesson struct {
	last     bool
	seen     map[string]map[string]bool
	released map[string]bool
	Forks    bool
}

// Choose records the open calls and what was released before them, and chooses the first or the last of them.
func (l *Lesson) Choose(open []order.Move) order.Move {
	for _, move := range open {
		if l.seen[move.Call] == nil {
			l.seen[move.Call] = maps.Clone(l.released)
		}
	}
	l.Forks = l.Forks || len(open) > 1
	move := open[0]
	if l.last {
		move = open[len(open)-1]
	}
	l.released[move.Call] = true
	return move
}

// Took does nothing: a request that runs alone affects no other.
func (l *Lesson) Took([]order.Touch) {}

// NewLesson returns a lesson that releases the first open call, or the last.
func NewLesson(last bool) *Lesson {
	return &Lesson{last: last, seen: map[string]map[string]bool{}, released: map[string]bool{}}
}

// PlanOf returns the plan learnt from one lesson, or from two of which the second used the opposite order.
func PlanOf(longest time.Duration, lessons ...*Lesson) *Plan {
	p := &Plan{needs: lessons[0].seen, longest: longest, ended: map[string]bool{}}
	delete(p.needs, sending)
	for _, needs := range p.needs {
		delete(needs, sending)
	}
	for _, other := range lessons[1:] {
		for call, needs := range p.needs {
			maps.DeleteFunc(needs, func(needed string, _ bool) bool { return !other.seen[call][needed] })
		}
	}
	return p
}
