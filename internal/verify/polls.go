package verify

import (
	"context"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

const (
	// pollsWithin is how long a target is watched for polls: long enough for one every few seconds, and a run does it
	// once for each lane, and once more for each poll.
	pollsWithin = 10 * time.Second
	// mostTries is how often a scenario is run alone on a target that polls: a poll may come while a request is in
	// progress, where it counts.
	mostTries = 6
)

// knowsPolls reports whether a failure rests on reads that the target polls by itself, so that it is worth another run.
// When such a read is in doubt it starts the target again and watches it: what a process reads again and again before
// its first request is caused by none. A target that is watched in vain has no other polls either.
func (r *run) knowsPolls(ctx context.Context, l *lane.Lane, err error) bool {
	reads := slices.DeleteFunc(scenario.DoubtfulCalls(err), func(c wire.Call) bool { return c.Effect != wire.Reads })
	if len(reads) == 0 || !r.options.Target.Restartable() || ctx.Err() != nil {
		return false
	}
	if l.Recorder.Polls(reads) {
		return true
	}
	r.mu.Lock()
	inVain := r.pollsNothing[l]
	r.mu.Unlock()
	if inVain || l.StartAgain(ctx) != nil { // if it does not start, what comes next reports that
		return false
	}
	end := r.options.Waits.Begin(waiting.Reason, func(lasted time.Duration) string {
		return "watching what the server reads by itself, " + waiting.Of(lasted, pollsWithin)
	})
	polls := l.Recorder.Watch(ctx, reads, pollsWithin)
	end()
	r.mu.Lock()
	r.pollsNothing[l] = !polls
	r.mu.Unlock()
	return polls
}
