package wire_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// A read that comes again and again while there are no requests belongs to none; one more, of a request, belongs to it.
func TestPollsBelongToNobody(t *testing.T) {
	like, other := pointReadCalls(t, "poll"), pointReadCalls(t, "other")
	synctest.Test(t, func(t *testing.T) {
		rec := wire.NewRecorder()
		if rec.Watch(t.Context(), like, time.Minute) || rec.Polls(like) {
			t.Error("what never came is a poll")
		}
		const interval = 100 * time.Millisecond
		poll(t, rec, interval)
		if !rec.Watch(t.Context(), like, time.Minute) || !rec.Polls(like) || rec.Polls(other) {
			t.Fatalf("a read every %s is not a poll, or something else is", interval)
		}
		rec.AfterPoll(t.Context())
		request := rec.Begin("GET /slow")
		time.Sleep(2*interval + interval/2)
		request.End()
		if calls := request.Calls(); len(calls) != 2 {
			t.Errorf("polls that come during a request, and may be its, are not its: %v", calls)
		}
		rec.AfterPoll(t.Context())
		request = rec.Begin("GET /idle")
		time.Sleep(interval / 10)
		request.End()
		time.Sleep(5 * interval)
		if calls := request.Calls(); len(calls) != 0 {
			t.Errorf("polls belong to a request: %v", calls)
		}
		if err := rec.Settle(t.Context()); err != nil {
			t.Error(err)
		}
		rec.AfterPoll(t.Context())
		request = rec.Begin("GET /peeks")
		pointRead("poll").Through(t, rec)
		request.End()
		time.Sleep(5 * interval)
		if calls := request.Calls(); len(calls) != 1 {
			t.Errorf("a request's read that is like a poll is not its only call: %v", calls)
		}
		rec.AfterPoll(t.Context())
		request = rec.Begin("GET /peeks-later")
		request.End()
		time.Sleep(interval / 2)
		pointRead("poll").Through(t, rec)
		time.Sleep(5 * interval)
		if calls := request.Calls(); len(calls) == 0 {
			t.Error("nothing shows that a request was followed by a read that is like a poll")
		}
	})
}

// What is certain after half a second is so after longer where the target is slow, or polls seldom.
func TestCertain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := wire.NewRecorder()
		request := func(lasts time.Duration) {
			q := rec.Begin("GET /slow")
			time.Sleep(lasts)
			q.End()
		}
		for _, test := range []struct{ lasts, want time.Duration }{
			{10 * time.Millisecond, wire.CertainQuiet}, {200 * time.Millisecond, time.Second},
			{time.Millisecond, time.Second}, {time.Minute, 2 * time.Second},
		} {
			request(test.lasts)
			if got := rec.Certain(); got != test.want {
				t.Errorf("after a request of %s: %s, not %s", test.lasts, got, test.want)
			}
		}
		for range 4 {
			request(time.Millisecond)
		}
		if got := rec.Certain(); got != wire.CertainQuiet {
			t.Errorf("after some quick requests: %s", got)
		}
		poll(t, rec, 3*time.Second)
		if rec.Watch(t.Context(), pointReadCalls(t, "poll"), time.Minute); rec.Certain() != 3*time.Second {
			t.Errorf("with a poll every 3 s: %s", rec.Certain())
		}
	})
}

// poll reads a row, again and again until the test ends.
func poll(t *testing.T, rec *wire.Recorder, interval time.Duration) {
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for range time.Tick(interval) {
			if ctx.Err() != nil {
				return
			}
			pointRead("poll").Through(t, rec)
		}
	}()
	t.Cleanup(func() {
		stop()
		time.Sleep(interval)
	})
}

// pointReadCalls returns a point read as it is recorded.
func pointReadCalls(t *testing.T, row string) []wire.Call {
	t.Helper()
	rec := wire.NewRecorder()
	pointRead(row).Through(t, rec)
	return rec.Calls()
}
