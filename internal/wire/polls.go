package wire

import (
	"context"
	"slices"
	"strings"
	"time"
)

// A target may read its store again and again by itself: it polls. Such a read belongs to no request, and without a
// trace only its rhythm distinguishes it from a read that a request causes. Watch learns the rhythm while there are no
// requests; a read outside it is taken for a request's, and so is every read that comes while a request is in
// progress: a request's own read comes then each time, a poll only by chance.

const (
	// pollsSeen is how often a read must come during Watch to be a poll: what starts by itself may read a row twice.
	pollsSeen = 3
	// watchAtLeast is how long Watch learns the rhythm of even a quick poll.
	watchAtLeast = time.Second
	// shortestPoll is the shortest usual interval of polls that can be distinguished from what a request reads.
	shortestPoll = 20 * time.Millisecond
)

// pollKey is what all reads of a poll have in common.
type pollKey struct {
	service                      Service
	class, resource, key, filter string
}

func pollKeyOf(c Call) pollKey {
	return pollKey{c.Service, c.Class, c.Resource, strings.Join(c.Key, "\x00"), c.Filter}
}

// poll is the rhythm of a poll: its interval, and when it last came.
type poll struct {
	shortest, longest time.Duration
	last              time.Time
}

// learn returns the rhythm of a read that came at these times; false: it is not that of a poll.
func learn(times []time.Time) (*poll, bool) {
	if len(times) < pollsSeen {
		return nil, false
	}
	var gaps []time.Duration
	for i := 1; i < len(times); i++ {
		gaps = append(gaps, times[i].Sub(times[i-1]))
	}
	slices.Sort(gaps)
	p := &poll{shortest: gaps[0], longest: gaps[len(gaps)-1], last: times[len(times)-1]}
	return p, gaps[len(gaps)/2] >= shortestPoll
}

// comes reports whether the read, which comes now, was due. A read of a request's comes between two polls: either too
// soon after the first, or so late that the second comes too soon after it. Too soon is less than 3/5 of the interval:
// more than half, so that one of the two always is, and less than all, for the delays of a busy machine.
func (p *poll) comes(now time.Time) (due bool) {
	gap := now.Sub(p.last)
	p.last = now
	return 5*gap >= 3*p.shortest
}

// Watch learns which reads the target polls: those without a trace that come again and again now. No request of a
// client may be in progress, and none may have been sent to this process of the target, whose consequences they might
// be. It takes until the given calls have come often enough, or until the limit. It reports whether one of them is a
// poll. Polls belong to no request from now on, and are not waited for.
func (r *Recorder) Watch(ctx context.Context, like []Call, limit time.Duration) bool {
	r.mu.Lock()
	r.watched = map[pollKey][]time.Time{}
	r.mu.Unlock()
	began := time.Now()
	for ctx.Err() == nil && time.Since(began) < limit &&
		(!r.sawOften(like) || time.Since(began) < watchAtLeast) {
		r.await(ctx, limit-time.Since(began), watchAtLeast-time.Since(began))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.polls = map[pollKey]*poll{}
	for key, times := range r.watched {
		if p, ok := learn(times); ok {
			r.polls[key] = p
		}
	}
	r.watched = nil
	return r.polled(like)
}

// await waits until something happens, or for the shorter of those times that are not over.
func (r *Recorder) await(ctx context.Context, times ...time.Duration) {
	r.mu.Lock()
	changed := r.change()
	r.mu.Unlock()
	times = slices.DeleteFunc(times, func(t time.Duration) bool { return t <= 0 })
	if len(times) == 0 {
		return
	}
	select {
	case <-changed:
	case <-time.After(slices.Min(times)):
	case <-ctx.Done():
	}
}

// sawOften reports whether each of these calls was seen often enough to be a poll.
func (r *Recorder) sawOften(like []Call) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, call := range like {
		if len(r.watched[pollKeyOf(call)]) < pollsSeen {
			return false
		}
	}
	return true
}

// Polls reports whether one of these calls is like a poll that Watch has learned.
func (r *Recorder) Polls(like []Call) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.polled(like)
}

func (r *Recorder) polled(like []Call) bool {
	for _, call := range like {
		if r.polls[pollKeyOf(call)] != nil {
			return true
		}
	}
	return false
}

// slowest returns the poll with the longest interval; nil: there are none. The caller holds mu.
func (r *Recorder) slowest() (found *poll) {
	for _, p := range r.polls {
		if found == nil || p.longest > found.longest {
			found = p
		}
	}
	return found
}

// AfterPoll waits until a poll of the slowest kind has just come, so that none comes during the next request unless it
// takes long. If none comes for twice its interval, it waits no longer.
func (r *Recorder) AfterPoll(ctx context.Context) {
	r.mu.Lock()
	p := r.slowest()
	if p == nil {
		r.mu.Unlock()
		return
	}
	last, until := p.last, time.Now().Add(2*p.longest)
	r.mu.Unlock()
	for ctx.Err() == nil && time.Now().Before(until) {
		r.mu.Lock()
		came := p.last != last && r.inFlight == 0
		r.mu.Unlock()
		if came {
			return
		}
		r.await(ctx, time.Until(until))
	}
}

// isPoll notes a read without a trace and reports whether it is a poll. The caller holds mu.
func (r *Recorder) isPoll(call Call) bool {
	if call.Effect != Reads || r.commands > 0 {
		return false
	}
	key := pollKeyOf(call)
	if r.watched != nil {
		r.watched[key] = append(r.watched[key], call.Start)
	}
	p := r.polls[key]
	return p != nil && p.comes(call.Start) && (r.current == nil || r.current.open == 0)
}
