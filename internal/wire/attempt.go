package wire

import (
	"cmp"
	"slices"
	"time"
)

// attempt is one HTTP exchange. An SDK's retries are several attempts of one Call.
type attempt struct {
	protocol Protocol
	recorder *Recorder
	reading  Reading // cleared when the attempt is over
	call     Call
	key      attemptKey
	body     bodyDigest
	request  *Request // nil: no client request had begun before it
	owned    bool     // it came through a gateway of its request's own
	poll     bool     // the target polls: it belongs to no request

	done  bool
	ended time.Time // the answer was complete or had been abandoned
	gone  time.Time // the client hung up before an answer began; zero if it waited
}

// attemptKey is what the attempts of one call have in common. A client request id alone is not enough: a target may
// send the same id with all calls of a request.
type attemptKey struct {
	service     Service
	method      string
	url         string // with the query as sent
	conditional string
	clientID    string
	request     *Request
}

// bodyDigest distinguishes request bodies. A body that was not read to its end matches any other.
type bodyDigest struct {
	size     int64
	sum      uint64
	complete bool
}

func (d bodyDigest) matches(other bodyDigest) bool {
	return !d.complete || !other.complete || d == other
}

// snapshot returns the call as known so far.
func (a *attempt) snapshot() Call {
	call := a.call
	call.Attempts = 1
	if a.request != nil {
		call.Request = a.request.number
	}
	return call
}

// learn adopts what was read of the call and keeps what only the recorder knows. The reading goes on to complete its
// operations when the answer comes, while others look at these.
func (a *attempt) learn(read Call) {
	known := a.call
	a.call = read
	a.call.Inner = slices.Clone(read.Inner)
	a.call.ID, a.call.Service, a.call.Trace, a.call.Start = known.ID, known.Service, known.Trace, known.Start
	a.call.ByTrace, a.call.Late = known.ByTrace, known.Late
	a.call.Unsure, a.call.Forgotten = known.Unsure, known.Forgotten
	if known.Capacity != nil {
		a.call.Capacity = known.Capacity
	}
}

// until returns when the client knew that the attempt was over.
func (a *attempt) until() time.Time {
	if !a.gone.IsZero() {
		return a.gone
	}
	return a.ended
}

// invitesRetry reports whether a client may retry: because it hung up, or because the service's SDKs do.
func (a *attempt) invitesRetry() bool {
	return !a.gone.IsZero() || a.done && a.protocol.InvitesRetry(a.call)
}

// fold turns attempts, in order of arrival, into calls. An attempt joins the call of an earlier attempt that invited a
// retry before this one arrived and was identical: the same method, address, conditional header, client request id and
// body, within one client request. A client that numbers the attempts of its calls needs no invitation. The call keeps
// the position and start of its first attempt, the capacity of all, and everything else of its last.
func fold(attempts []*attempt) []Call {
	calls := make([]Call, 0, len(attempts))
	numbered := numbered(attempts)
	type candidate struct {
		last *attempt
		at   int // index into calls
	}
	var failed map[attemptKey][]candidate
	for _, a := range attempts {
		candidates := failed[a.key]
		at := -1
		for i := len(candidates) - 1; i >= 0; i-- {
			c := candidates[i]
			if c.last.until().After(a.call.Start) || !c.last.body.matches(a.body) {
				continue
			}
			at = c.at
			failed[a.key] = append(candidates[:i:i], candidates[i+1:]...)
			calls[at] = retried(calls[at], a)
			break
		}
		if at < 0 {
			at = len(calls)
			calls = append(calls, a.snapshot())
		}
		if a.invitesRetry() || numbered[a.key] {
			if failed == nil {
				failed = map[attemptKey][]candidate{}
			}
			failed[a.key] = append(failed[a.key], candidate{last: a, at: at})
		}
	}
	return calls
}

// numbered returns what those attempts have in common of which a client says that they are not the first.
func numbered(attempts []*attempt) map[attemptKey]bool {
	var keys map[attemptKey]bool
	for _, a := range attempts {
		if a.call.Try < 2 || a.key.clientID == "" {
			continue
		}
		if keys == nil {
			keys = map[attemptKey]bool{}
		}
		keys[a.key] = true
	}
	return keys
}

// retried returns the call after one more attempt.
func retried(call Call, a *attempt) Call {
	next := a.snapshot()
	next.Attempts = call.Attempts + 1
	next.ID, next.Request, next.Late, next.Unsure = call.ID, call.Request, call.Late, call.Unsure
	next.Start = call.Start
	next.Capacity = sum(call.Capacity, next.Capacity)
	next.Duration = 0
	if a.done {
		next.Duration = a.ended.Sub(call.Start)
	}
	return next
}

// sum adds what is known.
func sum(a, b *float64) *float64 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	both := *a + *b
	return &both
}
