package order

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Move is a step that may be taken next: sending a request, or releasing one of its calls.
type Move struct {
	Request int    // 0 for the first
	Call    string // identifies a step within its request, the same in each run of the same order
}

// Options limit a search.
type Options struct {
	// Limit is the maximum number of runs. SampleOf(Limit) of them are reserved for orders drawn at random, in case the
	// others do not suffice for all orders: those begin alike.
	Limit int
	Seed  uint64
}

// SampleOf returns how many orders are drawn at random if a limit of runs is not enough for all.
func SampleOf(limit int) int { return limit / 5 }

// patience is how often an order that cannot be repeated is retried: a busy machine may be at fault once.
const patience = 3

// Tally is the result of a search.
type Tally struct {
	Orders    int  // distinct orders run to their end, not counting those drawn at random
	Redundant int  // runs that were abandoned: they could only repeat an order
	Sampled   int  // orders drawn at random; 0 when all were tried
	Strayed   int  // orders abandoned because an earlier step did not recur: the target does not repeat itself
	All       bool // every order was tried
	AtLeast   int  // lower bound for the number of orders; exact if All
}

// Search explores the orders of a set of requests, depth first. The zero value is not usable.
type Search struct {
	options Options
	random  *rand.Rand
	path    []*node // of the current or last run
	runs    int
	tally   Tally
	strays  int  // consecutive runs that strayed
	over    bool // nothing is left to try systematically
}

// node is a state that was reached, and what was tried from there.
type node struct {
	open  []Move
	tried map[Move][]Touch // and what the step touched
	want  map[Move]bool    // to be tried, including those already tried
	sleep map[Move][]Touch // every continuation of these was tried elsewhere
	taken Move
}

// NewSearch starts a search.
func NewSearch(o Options) *Search {
	return &Search{options: o, random: rand.New(rand.NewPCG(o.Seed, o.Seed))}
}

// Tally returns the results so far.
func (s *Search) Tally() Tally {
	t := s.tally
	t.All = s.over && t.Strayed == 0
	t.AtLeast = t.Orders
	if !s.over {
		for _, n := range s.path {
			for move := range n.want {
				if _, tried := n.tried[move]; !tried && n.sleep[move] == nil {
					t.AtLeast++
				}
			}
		}
	}
	return t
}

// Next returns the next run, or nil at the end of the search. The previous run must have been passed to Done.
func (s *Search) Next() *Run {
	switch {
	case s.over:
		return nil
	case s.runs < s.options.Limit-SampleOf(s.options.Limit):
		if s.runs > 0 && !s.backtrack() {
			s.over = true
			return nil
		}
		s.runs++
		return &Run{search: s, prefix: len(s.path)}
	case s.untried() && s.tally.Sampled < SampleOf(s.options.Limit):
		s.tally.Sampled++
		return &Run{search: s, sample: true}
	}
	s.over = !s.untried()
	return nil
}

// Again returns a run that repeats one that was cut short, as far as the same steps are open, and goes on where that
// ended. It takes its place, also in Done.
func (s *Search) Again(r *Run) *Run {
	if !r.sample {
		s.path = s.path[:r.prefix] // in what follows, other steps may be open than were then
	}
	return &Run{search: s, prefix: r.prefix, sample: r.sample, same: r.taken}
}

// untried reports whether some state has an untried step.
func (s *Search) untried() bool {
	return slices.ContainsFunc(s.path, func(n *node) bool { _, left := n.next(); return left })
}

// backtrack shortens the path to the last state that has an untried step, and chooses that step.
func (s *Search) backtrack() bool {
	for depth := len(s.path) - 1; depth >= 0; depth-- {
		if move, left := s.path[depth].next(); left {
			s.path[depth].taken = move
			s.path = s.path[:depth+1]
			return true
		}
	}
	s.path = nil
	return false
}

// next returns the first step that is wanted, has not been tried and does not sleep.
func (n *node) next() (Move, bool) {
	for _, move := range n.open {
		_, tried := n.tried[move]
		_, sleeps := n.sleep[move]
		if n.want[move] && !tried && !sleeps {
			return move, true
		}
	}
	return Move{}, false
}

// Run is one order in progress.
type Run struct {
	search *Search
	prefix int // states whose step is fixed
	sample bool
	same   []Step // of the run that it repeats

	taken     []Step
	redundant bool
	strayed   bool
	depth     int // steps that count for the search: up to where the run became redundant or strayed
}

// Step is a move that was made, and the moves that were open.
type Step struct {
	Move
	Open    []Move
	Touches []Touch
}

// Steps returns the steps taken so far, in order.
func (r *Run) Steps() []Step { return r.taken }

// Redundant reports whether the run can only repeat an earlier order. It should be finished in any way.
func (r *Run) Redundant() bool { return r.redundant }

// Strayed reports whether a step from an earlier run was missing in this one.
func (r *Run) Strayed() bool { return r.strayed }

// Choose returns which of the open steps is next. They must be sorted in the same way in each run; passing none is a
// caller's error.
func (r *Run) Choose(open []Move) Move {
	move := r.choose(open)
	r.taken = append(r.taken, Step{Move: move, Open: slices.Clone(open)})
	return move
}

func (r *Run) choose(open []Move) Move {
	s := r.search
	depth := len(r.taken)
	if r.sample {
		if depth < len(r.same) && slices.Contains(open, r.same[depth].Move) {
			return r.same[depth].Move
		}
		return open[s.random.IntN(len(open))]
	}
	switch {
	case r.redundant || r.strayed:
		return open[0]
	case depth < r.prefix:
		wanted := s.path[depth].taken
		if slices.Contains(open, wanted) {
			return wanted
		}
		r.strayed = true
		return open[0]
	}
	n := &node{open: slices.Clone(open), tried: map[Move][]Touch{}, want: map[Move]bool{}, sleep: r.sleeping()}
	if depth < len(r.same) && slices.Contains(open, r.same[depth].Move) {
		open = append([]Move{r.same[depth].Move}, open...)
	}
	for _, move := range open {
		if _, sleeps := n.sleep[move]; !sleeps {
			n.taken, n.want[move] = move, true
			s.path = append(s.path, n)
			return move
		}
	}
	r.redundant = true
	return open[0]
}

// sleeping returns the steps that need not be taken after the last one: those that slept before it or were tried in its
// place, and commute with it.
func (r *Run) sleeping() map[Move][]Touch {
	asleep := map[Move][]Touch{}
	if len(r.taken) == 0 {
		return asleep
	}
	last, before := r.taken[len(r.taken)-1], r.search.path[len(r.taken)-1]
	for _, moves := range []map[Move][]Touch{before.sleep, before.tried} {
		for move, touches := range moves {
			if move != last.Move && commute(touches, last.Touches) {
				asleep[move] = touches
			}
		}
	}
	return asleep
}

// Took reports what the last chosen step has touched.
func (r *Run) Took(touches []Touch) {
	at := len(r.taken) - 1
	r.taken[at].Touches = touches
	if r.sample || r.redundant || r.strayed {
		return
	}
	r.depth = at + 1
	r.search.path[at].tried[r.taken[at].Move] = touches
}

// Done ends a run and derives from it what else must be tried.
func (s *Search) Done(r *Run) {
	if r.sample {
		return
	}
	switch {
	case r.strayed:
		if s.strays++; s.strays < patience {
			return
		}
		s.tally.Strayed++
		last := s.path[len(s.path)-1]
		last.tried[last.taken] = []Touch{{Write: true}} // commutes with nothing, since nothing is known about it
	case r.redundant:
		s.tally.Redundant++
	default:
		s.tally.Orders++
	}
	s.strays = 0
	s.wantReversals(r.taken[:r.depth])
}

// String describes a tally, for reports.
func (t Tally) String() string {
	if t.All {
		return fmt.Sprintf("%d orders, all", t.Orders)
	}
	return fmt.Sprintf("%d orders and %d drawn at random, of at least %d", t.Orders, t.Sampled, t.AtLeast)
}
