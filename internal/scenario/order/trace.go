package order

import "slices"

// trace is the steps of a run, and which of them precede which in every equivalent order.
type trace struct {
	steps  []Step
	before [][]bool // before[j][i]: step i must precede step j
	forked bool     // a request had several calls in flight at once
}

func newTrace(steps []Step) *trace {
	t := &trace{steps: steps, before: make([][]bool, len(steps))}
	for j, step := range steps {
		t.before[j] = make([]bool, j)
		for i := j - 1; i >= 0; i-- {
			if !t.before[j][i] && (t.cause(j) == i || !commute(steps[i].Touches, step.Touches)) {
				t.before[j][i] = true
				for k := range i {
					t.before[j][k] = t.before[j][k] || t.before[i][k]
				}
			}
		}
		t.forked = t.forked || slices.ContainsFunc(step.Open,
			func(m Move) bool { return m.Request == step.Request && m.Call != step.Call })
	}
	return t
}

// cause returns the step that enabled step j: the last step of its request before it was first open. -1: it was open
// from the beginning.
func (t *trace) cause(j int) int {
	first := j
	for first > 0 && slices.Contains(t.steps[first-1].Open, t.steps[j].Move) {
		first--
	}
	for i := first - 1; i >= 0; i-- {
		if t.steps[i].Request == t.steps[j].Request {
			return i
		}
	}
	return -1
}

// wantReversals looks for races: two steps that do not commute, with nothing between them that forces this order. If
// the reverse order has not been tried yet, it is added: a step that leads to the second one, instead of the first.
func (s *Search) wantReversals(steps []Step) {
	t := newTrace(steps)
	for j := range steps {
		for i := range j {
			if t.race(i, j) {
				s.path[i].reverse(t.initials(i, j), t.forked)
			}
		}
	}
}

func (t *trace) race(i, j int) bool {
	if t.cause(j) == i || commute(t.steps[i].Touches, t.steps[j].Touches) {
		return false
	}
	for k := i + 1; k < j; k++ {
		if t.before[k][i] && t.before[j][k] {
			return false
		}
	}
	return true
}

// initials returns the steps that can begin, in the state before step i, an order that takes step j before step i.
func (t *trace) initials(i, j int) []Move {
	var later []int // those that need not wait for step i, and step j
	for k := i + 1; k < j; k++ {
		if !t.before[k][i] {
			later = append(later, k)
		}
	}
	later = append(later, j)
	var initials []Move
	for n, k := range later {
		waits := slices.ContainsFunc(later[:n], func(earlier int) bool { return t.before[k][earlier] })
		if !waits && slices.Contains(t.steps[i].Open, t.steps[k].Move) {
			initials = append(initials, t.steps[k].Move)
		}
	}
	return initials
}

// reverse adds one of the steps to those to be tried: any one is enough, unless a request forked. There a step may need
// more than its cause, so an order that begins with one of them may not exist: all are added.
func (n *node) reverse(initials []Move, all bool) {
	if len(initials) == 0 {
		initials, all = n.open, true
	}
	wanted := func(m Move) bool { return n.want[m] }
	if !all && slices.ContainsFunc(initials, wanted) {
		return
	}
	for _, move := range initials {
		n.want[move] = true
		if !all {
			return
		}
	}
}
