package wire

import (
	"testing"
	"time"
)

// retries is a protocol whose SDKs try everything again that has failed.
type retries struct{ Protocol }

func (retries) InvitesRetry(call Call) bool { return call.Status == 0 || call.Status >= 400 }

func TestFoldTimes(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(100, 0).Add(time.Duration(ms) * time.Millisecond) }
	made := func(start, end, status int) *attempt {
		return &attempt{protocol: retries{},
			call: Call{Start: at(start), Duration: at(end).Sub(at(start)), Status: status}, done: true,
			ended: at(end)}
	}
	t.Run("the call spans its attempts", func(t *testing.T) {
		calls := fold([]*attempt{made(0, 10, 503), made(20, 25, 200)})
		if len(calls) != 1 || !calls[0].Start.Equal(at(0)) || calls[0].Duration != 25*time.Millisecond ||
			calls[0].Attempts != 2 {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("calls at the same time are not retries", func(t *testing.T) {
		if calls := fold([]*attempt{made(0, 10, 503), made(5, 15, 200)}); len(calls) != 2 {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("a client that hung up retries before its call has ended", func(t *testing.T) {
		abandoned := made(0, 100, 204)
		abandoned.gone = at(10)
		calls := fold([]*attempt{abandoned, made(20, 30, 409)})
		if len(calls) != 1 || calls[0].Attempts != 2 || calls[0].Status != 409 {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("a retry in flight", func(t *testing.T) {
		inFlight := &attempt{call: Call{Start: at(20)}}
		calls := fold([]*attempt{made(0, 10, 503), inFlight})
		if len(calls) != 1 || calls[0].Status != 0 || calls[0].Duration != 0 || calls[0].Attempts != 2 {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("a body that was cut off matches", func(t *testing.T) {
		cut, whole := made(0, 10, 0), made(20, 30, 204)
		cut.body, whole.body = bodyDigest{size: 3, sum: 1}, bodyDigest{size: 9, sum: 2, complete: true}
		if calls := fold([]*attempt{cut, whole}); len(calls) != 1 {
			t.Errorf("%+v", calls)
		}
	})
}
