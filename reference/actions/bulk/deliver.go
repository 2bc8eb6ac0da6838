package bulk

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// firstPause is the pause before the first retry; each further pause is twice as long, up to longestPause.
	firstPause   = 250 * time.Millisecond
	longestPause = 30 * time.Second
	// longestWish limits what a server may ask for in Retry-After: after that it is tried again.
	longestWish = 2 * time.Minute
)

// ErrServer says that a server cannot be used, or no longer. The records it did not answer have yet to be loaded.
var ErrServer = errors.New("the server cannot be used")

// transient reports whether the same request may succeed later. 409 is a record with many concurrent writers
// (GA-CON-2).
func transient(status int) bool {
	return status == 0 || status >= 500 && status != http.StatusNotImplemented || status == http.StatusRequestTimeout ||
		status == http.StatusConflict || status == http.StatusTooManyRequests
}

// hold is the pause a throttling server asked for. It applies to all requests: the server asked the client to wait, not
// a single request.
type hold struct {
	mu    sync.Mutex
	until time.Time
}

func (h *hold) extend(until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if until.After(h.until) {
		h.until = until
	}
}

func (h *hold) left(now time.Time) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.until.Sub(now)
}

// pause waits before a retry, and before any request while the server has asked for none.
func (r *run) pause(ctx context.Context, retry int) error {
	if retry > 0 {
		if err := r.Wait(ctx, min(longestPause, firstPause<<min(retry-1, 10))); err != nil {
			return err
		}
	}
	for left := r.hold.left(r.Now()); left > 0; left = r.hold.left(r.Now()) {
		if err := r.Wait(ctx, left); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// deliver sends records of owners that no other worker sends for, until each is finished or the load is stopped; any
// that are unanswered by then stay unfinished. ctx ends waiting, requests ends requests in flight.
func (r *run) deliver(ctx, requests context.Context, records []record) {
	if r.noBatch.Load() {
		r.deliverEach(ctx, requests, records)
		return
	}
	for retry, answered := 0, r.answered.Load(); len(records) > 0 && r.pause(ctx, retry) == nil; retry++ {
		verdicts, err := r.client.batch(requests, records)
		if refused := (*refusal)(nil); errors.As(err, &refused) {
			switch {
			case refused.status == http.StatusNotFound, refused.status == http.StatusMethodNotAllowed,
				refused.status == http.StatusNotImplemented:
				r.noBatch.Store(true) // an implementation may lack the route: it is a future enhancement in the design
				r.deliverEach(ctx, requests, records)
				return
			case len(records) > 1 &&
				(refused.status == http.StatusBadRequest || refused.status == http.StatusRequestEntityTooLarge):
				r.deliverEach(ctx, requests, records) // sending them one by one shows which it is
				return
			}
			if r.refused(ctx, refused, records, retry, answered) {
				return
			}
			continue
		}
		r.answered.Add(1)
		records = r.settle(records, verdicts, retry)
	}
}

// deliverEach sends records one by one to the single-record route.
func (r *run) deliverEach(ctx, requests context.Context, records []record) {
	for _, one := range records {
		for retry, answered := 0, r.answered.Load(); r.pause(ctx, retry) == nil; retry++ {
			v, err := r.client.single(requests, one)
			if refused := (*refusal)(nil); errors.As(err, &refused) {
				if r.refused(ctx, refused, []record{one}, retry, answered) {
					break
				}
				continue
			}
			r.answered.Add(1)
			r.settle([]record{one}, []verdict{v}, r.Retries) // a success is final
			break
		}
	}
}

// refused handles a request that was refused as a whole: it returns false if the request should be retried, and
// otherwise has failed the records or stopped the load. answered is the value of r.answered before the first attempt.
func (r *run) refused(ctx context.Context, why *refusal, records []record, retry int, answered int64) (final bool) {
	passes := transient(why.status)
	if passes && ctx.Err() != nil {
		return true // the load ends: the next one sends them again
	}
	if passes && retry < r.Retries {
		if why.status == http.StatusTooManyRequests || why.status == http.StatusServiceUnavailable {
			r.hold.extend(r.Now().Add(min(why.after, longestWish)))
		}
		return false
	}
	switch why.status {
	case http.StatusBadRequest, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		r.answered.Add(1)
		r.fail(records, why.status, why.code)
		return true
	}
	if passes && r.answered.Load() != answered {
		r.fail(records, why.status, why.code) // others were answered in the meantime: these records are at fault
		return true
	}
	r.stop(fmt.Errorf("%w: lines %d to %d: %w", ErrServer, records[0].line, records[len(records)-1].line, why))
	return true
}

// settle finishes the records whose verdicts allow it and returns those worth a retry.
func (r *run) settle(records []record, verdicts []verdict, retry int) []record {
	var again []record
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.changed.Broadcast()
	for i, v := range verdicts {
		switch {
		case v.Status == http.StatusCreated || v.Status == http.StatusOK && v.Created:
			r.finishLocked(records[i], &r.counts.Created)
		case v.Status == http.StatusOK && v.Updated:
			r.finishLocked(records[i], &r.counts.Updated)
		case v.Status == http.StatusOK:
			r.finishLocked(records[i], &r.counts.Unchanged)
		case transient(v.Status) && retry < r.Retries:
			again = append(again, records[i])
		default:
			r.failLocked(records[i], v.Status, word(v.Code))
		}
	}
	return again
}
