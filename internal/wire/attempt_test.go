package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestRetriesAreAttempts(t *testing.T) {
	status := func(e exchange, status int) exchange {
		e.status = status
		return e
	}
	with := func(e exchange, name, value string) exchange {
		e.header = map[string]string{name: value}
		return e
	}
	tests := []struct {
		name  string
		calls []exchange
		want  string // row, status and attempts of each call
	}{
		{"after 503 and 429", []exchange{status(pointRead("a"), 503), status(pointRead("a"), 429), pointRead("a")}, "a:200:3"},
		{"after 408", []exchange{status(pointRead("a"), 408), status(pointRead("a"), 404)}, "a:404:2"},
		{"success twice", []exchange{pointRead("a"), pointRead("a")}, "a:200:1 a:200:1"},
		{"after 404", []exchange{status(pointRead("a"), 404), pointRead("a")}, "a:404:1 a:200:1"},
		{"after 412", []exchange{status(pointRead("a"), 412), pointRead("a")}, "a:412:1 a:200:1"},
		{"another row", []exchange{status(pointRead("a"), 500), pointRead("b")}, "a:500:1 b:200:1"},
		{"once more after the retry", []exchange{status(pointRead("a"), 500), pointRead("a"), pointRead("a")}, "a:200:2 a:200:1"},
		{"the same body", []exchange{insert("a", 500), insert("a", 204)}, "a:204:2"},
		{"another body", []exchange{insert("a", 500), insert("b", 204)}, "a:500:1 b:204:1"},
		{"interleaved bodies", []exchange{insert("a", 500), insert("b", 500), insert("a", 204), insert("b", 204)}, "a:204:2 b:204:2"},
		{"another condition", []exchange{with(status(pointRead("a"), 500), "If-Match", "1"), with(pointRead("a"), "If-Match", "2")}, "a:500:1 a:200:1"},
		{"the same client request id", []exchange{with(status(pointRead("a"), 500), "X-Ms-Client-Request-Id", "1"), with(pointRead("a"), "X-Ms-Client-Request-Id", "1")}, "a:200:2"},
		{"another client request id", []exchange{with(status(pointRead("a"), 500), "X-Ms-Client-Request-Id", "1"), with(pointRead("a"), "X-Ms-Client-Request-Id", "2")}, "a:500:1 a:200:1"},
		{"one id for all calls", []exchange{with(status(pointRead("a"), 500), "X-Ms-Client-Request-Id", "1"), with(pointRead("b"), "X-Ms-Client-Request-Id", "1")}, "a:500:1 b:200:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := NewRecorder()
			rec.Begin("x")
			for _, e := range tt.calls {
				e.through(t, rec)
			}
			if got := summary(rec.Calls()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if rec.Total() != len(tt.calls) {
				t.Errorf("total %d, want %d", rec.Total(), len(tt.calls))
			}
		})
	}
	t.Run("another client request", func(t *testing.T) {
		rec := NewRecorder()
		rec.Begin("x")
		insert("a", 500).through(t, rec)
		rec.Begin("x")
		insert("a", 204).through(t, rec)
		if got := summary(rec.Calls()); got != "a:500:1 a:204:1" {
			t.Error(got)
		}
	})
	t.Run("a retry after the end is not late", func(t *testing.T) {
		rec := NewRecorder()
		request := rec.Begin("x")
		insert("a", 500).through(t, rec)
		request.End()
		insert("a", 204).through(t, rec)
		if calls := request.Calls(); len(calls) != 1 || calls[0].Late {
			t.Errorf("%+v", calls)
		}
	})
}

func summary(calls []Call) string {
	var all []string
	for _, c := range calls {
		all = append(all, fmt.Sprintf("%s:%d:%d", c.Row, c.Status, c.Attempts))
	}
	return strings.Join(all, " ")
}

func TestFoldTimes(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(100, 0).Add(time.Duration(ms) * time.Millisecond) }
	made := func(start, end, status int) *attempt {
		return &attempt{call: Call{Start: at(start), Duration: at(end).Sub(at(start)), Status: status}, done: true, ended: at(end)}
	}
	t.Run("the call spans its attempts", func(t *testing.T) {
		calls := fold([]*attempt{made(0, 10, 503), made(20, 25, 200)})
		if len(calls) != 1 || !calls[0].Start.Equal(at(0)) || calls[0].Duration != 25*time.Millisecond || calls[0].Attempts != 2 {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("calls at the same time are no retries", func(t *testing.T) {
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
