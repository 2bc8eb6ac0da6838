package wire

import (
	"net/http"
	"time"
)

// attempt is one HTTP exchange. An SDK's retries are several attempts of one Call.
type attempt struct {
	reading *reading // set aside when the attempt is over
	call    Call
	key     attemptKey
	body    bodyDigest
	request *Request // nil: none was begun before it

	done  bool
	ended time.Time // the answer was complete, or had been given up
	gone  time.Time // the client hung up before an answer began; zero if it waited
}

// attemptKey is what the attempts of one call have in common. A client request id alone would not
// do: a target may send one id with all the calls of a request.
type attemptKey struct {
	service     Service
	method      string
	url         string // with the query as sent
	conditional string
	clientID    string // x-ms-client-request-id
	request     *Request
}

// bodyDigest tells request bodies apart. One that was not read to its end matches any other.
type bodyDigest struct {
	size     int64
	sum      uint64
	complete bool
}

func (d bodyDigest) matches(other bodyDigest) bool {
	return !d.complete || !other.complete || d == other
}

// snapshot gives the call as it is known now.
func (a *attempt) snapshot() Call {
	call := a.call
	call.Attempts = 1
	if a.request != nil {
		call.Request = a.request.number
	}
	return call
}

// until gives when the client knew that the attempt was over.
func (a *attempt) until() time.Time {
	if !a.gone.IsZero() {
		return a.gone
	}
	return a.ended
}

// invitesRetry reports whether a client may try again: it got no answer, or one of those after which
// the Azure SDKs retry.
func (a *attempt) invitesRetry() bool {
	if !a.gone.IsZero() {
		return true
	}
	return a.done && retryable(a.call.Status)
}

func retryable(status int) bool {
	switch status {
	case 0, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	}
	return status >= http.StatusInternalServerError
}

// fold makes calls of attempts, which are in order of arrival. An attempt belongs to the call of an
// earlier one that invited a retry before it arrived and was the same: the same method, address,
// conditional header, client request id and body, within one client request. The call keeps the
// place and the start of its first attempt, and the rest of its last one.
func fold(attempts []*attempt) []Call {
	calls := make([]Call, 0, len(attempts))
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
		if a.invitesRetry() {
			if failed == nil {
				failed = map[attemptKey][]candidate{}
			}
			failed[a.key] = append(failed[a.key], candidate{last: a, at: at})
		}
	}
	return calls
}

// retried gives the call after one more attempt.
func retried(call Call, a *attempt) Call {
	next := a.snapshot()
	next.Attempts = call.Attempts + 1
	next.Request, next.Late = call.Request, call.Late
	next.Start = call.Start
	next.Duration = 0
	if a.done {
		next.Duration = a.ended.Sub(call.Start)
	}
	return next
}
