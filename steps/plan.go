package steps

import (
	"maps"
	"time"

	"github.com/storespec/storespec/internal/order"
)

// plan is what a request does when it is alone: its calls, and for each those that were answered before it was sent. What
// it does at once with others need not wait for them, so two runs that let calls go in opposite orders tell.
type plan struct {
	needs   map[string]map[string]bool
	longest time.Duration // between an answer of the store and what the request did then
}

func (p *plan) knows(call string) bool { return p.needs[call] != nil }

// open is how many calls the request has under way when these were let go.
func (p *plan) open(released map[string]bool) int {
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

// lesson chooses for a request that is alone: the first of its calls, or the last. It notes what came before what.
type lesson struct {
	last     bool
	seen     map[string]map[string]bool
	released map[string]bool
	forks    bool
}

func (l *lesson) Choose(open []order.Move) order.Move {
	for _, move := range open {
		if l.seen[move.Call] == nil {
			l.seen[move.Call] = maps.Clone(l.released)
		}
	}
	l.forks = l.forks || len(open) > 1
	move := open[0]
	if l.last {
		move = open[len(open)-1]
	}
	l.released[move.Call] = true
	return move
}

func (l *lesson) Took([]order.Touch) {}

func newLesson(last bool) *lesson {
	return &lesson{last: last, seen: map[string]map[string]bool{}, released: map[string]bool{}}
}

// planOf is what one lesson teaches, or two of which the second went the other way round.
func planOf(longest time.Duration, lessons ...*lesson) *plan {
	p := &plan{needs: lessons[0].seen, longest: longest}
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
