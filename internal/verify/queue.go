package verify

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/cucumber/godog"
)

// queue lets a number of scenarios run at a time. Of those that wait the longest is next, so that it ends with the
// others and not after them.
type queue struct {
	mu      sync.Mutex
	free    int // how many more may run
	waiting []waiter
}

// waiter is a scenario that waits for its turn, which comes when the channel is closed.
type waiter struct {
	length int
	turn   chan struct{}
}

// enter waits until a scenario of the given length, as lengthOf returns it, may run. The error is that of ctx.
func (q *queue) enter(ctx context.Context, length int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	q.waiting = append(q.waiting, waiter{length, turn})
	q.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done(): // no other gets a turn either
		return ctx.Err()
	}
}

// leave gives the turn of a scenario that has ended to the longest that waits; of equal ones, to the first.
func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.free++
		return
	}
	next := 0
	for i, one := range q.waiting {
		if one.length > q.waiting[next].length {
			next = i
		}
	}
	close(q.waiting[next].turn)
	q.waiting = slices.Delete(q.waiting, next, next+1)
}

// concurrency returns how many scenarios godog starts at the same time: all, which then wait for their turn; one after
// the other, in the order of the features, if there is one lane.
func (r *run) concurrency() int {
	if r.options.Lanes == 1 {
		return 1
	}
	return max(1, r.total)
}

// began counts a scenario that need not wait for its turn any more.
func (r *run) began() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun++; r.begun == r.total && r.options.AllBegun != nil {
		r.options.AllBegun()
	}
}

// How much longer than others a scenario takes, in no unit: only the order matters.
const (
	lengthOfCases = 1    // for a step that is run in many cases, and for each row of its table
	lengthOfWaits = 1000 // for a step in which time passes
)

// lengthOf estimates from its steps how long a scenario takes. All are equal if the run ends once one has failed: the
// long ones would delay that.
func (r *run) lengthOf(pickle *godog.Scenario) (length int) {
	if r.options.Enough != nil {
		return 0
	}
	for _, step := range pickle.Steps {
		switch {
		case r.options.Catalogue.steps.Waits(step):
			length += lengthOfWaits
		case r.options.Catalogue.steps.InCases(step):
			length += lengthOfCases
			if step.Argument != nil && step.Argument.DataTable != nil {
				length += lengthOfCases * len(step.Argument.DataTable.Rows)
			}
		}
	}
	return length
}

// longestFirst sorts files by their longest scenario: those that godog starts first need not wait for their turn.
func (r *run) longestFirst(files []string) {
	longest := map[string]int{}
	for _, document := range r.options.Catalogue.Documents {
		for _, pickle := range document.Pickles {
			longest[document.Tree.Uri] = max(longest[document.Tree.Uri], r.lengthOf(pickle))
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(longest[b], longest[a]) })
}
