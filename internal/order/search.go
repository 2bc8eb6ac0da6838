package order

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Move is a step that may be taken next: sending a request, or letting one of its calls go.
type Move struct {
	Request int    // 0 for the first
	Call    string // what tells the steps of one request apart, the same in each run of the same order
}

// Options bound a search.
type Options struct {
	// Limit is how many runs there are at most. SampleOf(Limit) of them are kept for orders drawn at random, should the
	// others not suffice for all there are: these begin alike.
	Limit int
	Seed  uint64
}

// SampleOf is how many orders are drawn when a limit of runs is not enough for all.
func SampleOf(limit int) int { return limit / 5 }

// patience is how often an order that cannot be repeated is tried: a busy machine may be at fault once.
const patience = 3

// Tally is what a search has come to.
type Tally struct {
	Orders    int  // distinct orders that were run to their end, those drawn at random not counted
	Redundant int  // runs that were given up: they could only repeat an order
	Sampled   int  // orders drawn at random; 0 when all were tried
	Strayed   int  // orders given up, since a step did not come that had come before: the target does not repeat itself
	All       bool // every order was tried
	AtLeast   int  // how many orders there are, as far as is known; exactly that many when All
}

// Search walks through the orders of a set of requests, depth first. Its zero value is not usable.
type Search struct {
	options Options
	random  *rand.Rand
	path    []*node // of the run under way or the last one
	runs    int
	tally   Tally
	strays  int  // runs in a row that strayed
	over    bool // nothing is left to try systematically
}

// node is a state that was reached, and what was tried from there.
type node struct {
	open  []Move
	tried map[Move][]Touch // with what the step touched
	want  map[Move]bool    // to be tried, those tried included
	sleep map[Move][]Touch // whose every continuation was tried elsewhere
	taken Move
}

// NewSearch begins a search.
func NewSearch(o Options) *Search {
	return &Search{options: o, random: rand.New(rand.NewPCG(o.Seed, o.Seed))}
}

// Tally is what the search has come to so far.
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

// Next gives the next run, or nil at the end of the search. The run before must have been given to Done.
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

// untried reports whether some state has a step left to be tried.
func (s *Search) untried() bool {
	return slices.ContainsFunc(s.path, func(n *node) bool { _, left := n.next(); return left })
}

// backtrack shortens the path to the last state that has something to be tried, and chooses that.
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

// next is the first step that is wanted, was not tried and does not sleep.
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

// Run is one order under way.
type Run struct {
	search *Search
	prefix int // states whose step is given
	sample bool

	taken     []Step
	redundant bool
	strayed   bool
	depth     int // steps that count for the search: up to where it became redundant or strayed
}

// Step is a move that was made, among those that were open.
type Step struct {
	Move
	Open    []Move
	Touches []Touch
}

// Steps is what was done so far, in order.
func (r *Run) Steps() []Step { return r.taken }

// Redundant reports whether the run can only repeat an order that was run before. It is to be finished in any way.
func (r *Run) Redundant() bool { return r.redundant }

// Strayed reports whether a step that had been there in an earlier run was not there in this one.
func (r *Run) Strayed() bool { return r.strayed }

// Choose says which of the open steps is next. They must be sorted in the same way in each run; none is an error of the
// caller's.
func (r *Run) Choose(open []Move) Move {
	move := r.choose(open)
	r.taken = append(r.taken, Step{Move: move, Open: slices.Clone(open)})
	return move
}

func (r *Run) choose(open []Move) Move {
	s := r.search
	if r.sample {
		return open[s.random.IntN(len(open))]
	}
	depth := len(r.taken)
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

// sleeping are the steps that need not be taken next after what was taken last: those which slept before it or were tried
// in its place, and commute with it.
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

// Took says what the step that was chosen last has touched.
func (r *Run) Took(touches []Touch) {
	at := len(r.taken) - 1
	r.taken[at].Touches = touches
	if r.sample || r.redundant || r.strayed {
		return
	}
	r.depth = at + 1
	r.search.path[at].tried[r.taken[at].Move] = touches
}

// Done ends a run and learns from it what else is to be tried.
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
		last.tried[last.taken] = []Touch{{Write: true}} // commutes with nothing, since nothing is known of it
	case r.redundant:
		s.tally.Redundant++
	default:
		s.tally.Orders++
	}
	s.strays = 0
	s.wantReversals(r.taken[:r.depth])
}

// String says what a tally is about, for reports.
func (t Tally) String() string {
	if t.All {
		return fmt.Sprintf("%d orders, all", t.Orders)
	}
	return fmt.Sprintf("%d orders and %d drawn at random, of at least %d", t.Orders, t.Sampled, t.AtLeast)
}
