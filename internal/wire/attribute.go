package wire

import "time"

// SetQuiet changes the quiet time of Settle and returns the previous one.
func (r *Recorder) SetQuiet(quiet time.Duration) (before time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, r.quiet = r.quiet, quiet
	return before
}

const (
	// lastFew is how many requests say how slow the target is now.
	lastFew = 4
	// longestCertain bounds Certain: a request that waits for something is slow too.
	longestCertain = 2 * time.Second
)

// Certain returns a quiet time after which a call without a trace belongs to the next request: CertainQuiet, or longer
// where the last requests were slow, as on a busy machine, and at least the interval of the target's polls, so that
// after a request's own read a poll comes too soon.
func (r *Recorder) Certain() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	quiet := CertainQuiet
	for _, lasted := range r.lasted {
		quiet = max(quiet, min(5*lasted, longestCertain))
	}
	if p := r.slowest(); p != nil {
		quiet = max(quiet, p.longest)
	}
	return quiet
}

// ByArrival reports whether calls must be told apart by their time of arrival: there were some, and none has carried
// the trace of a request so far, or some call could not be attributed by one.
func (r *Recorder) ByArrival() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.untraced > 0 || r.counted.ByTrace == 0 && r.calls > 0
}

// Strays returns how many calls without a trace have arrived after the answer to the last request, or after a Reset and
// before the next. Reset does not change it.
func (r *Recorder) Strays() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.strays
}

// attribute decides which request an attempt belongs to; named is the request whose trace it carries, if any. An
// attempt of a forgotten request goes to the lane while another request is in progress: a target could do all its work
// on the trace of one request. The caller holds mu.
func (r *Recorder) attribute(a *attempt, named *Request) {
	count := &r.counted.Other
	forgotten, open := named != nil && named.age != r.resets, r.current != nil && r.current.open > 0
	if forgotten && !a.call.Provisions() {
		named.overdue = true
	}
	switch {
	case named == nil && r.isPoll(a.call):
		a.poll, count = true, &r.counted.Nobody
	case named != nil && !forgotten:
		a.request, a.call.ByTrace, a.call.Late = named, true, named.ended
		count = &r.counted.ByTrace
	case forgotten && !open:
	case r.current != nil && (open || r.commands == 0): // else it is of the harness's own command
		a.request = r.current
		count = &r.counted.ByLane
		a.call.Forgotten = forgotten
		r.byArrival(a, !open)
	case named == nil && !a.call.Provisions():
		count = &r.counted.Nobody
		if r.resets > 0 && r.commands == 0 {
			r.untraced++
			r.strays++ // of a request before the Reset, or of none
		}
	}
	if r.commands > 0 && !a.call.ByTrace {
		count = &r.counted.Commands
	}
	*count++
	if !a.poll && r.tooLate(a, named, forgotten, open) {
		r.counted.TooLate++
	}
	a.key.request = a.request
	if a.request != nil {
		a.request.attempts++
	}
}

// tooLate reports whether an attempt came so long after an answer that its request may have been judged without it,
// even by a run that waited for late calls. The caller holds mu.
func (r *Recorder) tooLate(a *attempt, named *Request, forgotten, open bool) bool {
	answered := r.answered
	if forgotten {
		answered = named.answered
	} else if named != nil || open {
		return false
	}
	return !answered.IsZero() && r.commands == 0 && !a.call.Provisions() &&
		a.call.Start.Sub(answered) > max(CertainQuiet, r.quiet)
}

// Started notes that the target was started again: what it calls from now on comes after no answer.
func (r *Recorder) Started() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered = time.Time{}
}

// byArrival marks an attempt that is attributed by its time of arrival. The caller holds mu.
func (r *Recorder) byArrival(a *attempt, late bool) {
	if r.commands > 0 {
		return // the harness's own command made it
	}
	a.call.Late = late
	a.call.Unsure = (late || a.call.Forgotten) && r.quiet < CertainQuiet
	if a.call.Provisions() || a.call.Forgotten {
		return
	}
	r.untraced++
	if late {
		r.strays++
	}
}
