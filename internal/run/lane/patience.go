package lane

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/target"
)

// enough is how many requests in a row a target may leave unanswered before it is given up on: one or two may be what a
// scenario is about.
const enough = 3

// UnresponsiveError says that a target is running but answers nothing, so that its rules cannot be judged.
type UnresponsiveError struct {
	Target string
	Last   string        // the last of these requests, without its query
	Within time.Duration // the timeout of each answer
	Output string        // the target's output, without secrets, if it is known
}

// Error says what was asked last, how long storespec waited for the answer, and what the target wrote.
func (e *UnresponsiveError) Error() string {
	return target.WithOutput(fmt.Sprintf("server %s stopped answering: %d requests in a row, the last of them %s, had "+
		"no answer within %s", e.Target, enough, e.Last, e.Within), e.Output)
}

// patience counts a lane's consecutive unanswered requests, across scenarios. Its zero value is ready to use.
type patience struct {
	mu    sync.Mutex
	Count int
	last  time.Time // when the last one was given up on
}

func (p *patience) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Count = 0
}

// unanswered notes a request that was given up on, and reports whether there were enough of them. Requests that were in
// progress at the same moment count as one.
func (p *patience) unanswered(began time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !began.Before(p.last) {
		p.Count, p.last = p.Count+1, time.Now()
	}
	return p.Count >= enough
}

// Answered notes that the lane's target has answered.
func (l *Lane) Answered() { l.Patience.answered() }

// GaveUp notes a request that was not answered in time, and reports whether there were enough of them.
func (l *Lane) GaveUp(began time.Time) bool { return l.Patience.unanswered(began) }

// Answers returns how long the target may take for an answer.
func (m *Maker) Answers() time.Duration { return cmp.Or(m.AnswerWithin, proof.AnswerWithin) }
