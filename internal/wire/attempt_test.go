package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/wiretest"
)

func TestRetriesAreAttempts(t *testing.T) {
	status := func(e wiretest.Exchange, status int) wiretest.Exchange {
		e.Status = status
		return e
	}
	with := func(e wiretest.Exchange, name, value string) wiretest.Exchange {
		e.Header = map[string]string{name: value}
		return e
	}
	tests := []struct {
		name  string
		calls []wiretest.Exchange
		want  string // row, status and attempts of each call
	}{
		{"after 503 and 429",
			[]wiretest.Exchange{status(pointRead("a"), 503), status(pointRead("a"), 429), pointRead("a")},
			"a:200:3"},
		{"after 408", []wiretest.Exchange{status(pointRead("a"), 408), status(pointRead("a"), 404)}, "a:404:2"},
		{"success twice", []wiretest.Exchange{pointRead("a"), pointRead("a")}, "a:200:1 a:200:1"},
		{"after 404", []wiretest.Exchange{status(pointRead("a"), 404), pointRead("a")}, "a:404:1 a:200:1"},
		{"after 412", []wiretest.Exchange{status(pointRead("a"), 412), pointRead("a")}, "a:412:1 a:200:1"},
		{"another row", []wiretest.Exchange{status(pointRead("a"), 500), pointRead("b")}, "a:500:1 b:200:1"},
		{"once more after the retry", []wiretest.Exchange{status(pointRead("a"), 500), pointRead("a"), pointRead("a")},
			"a:200:2 a:200:1"},
		{"the same body", []wiretest.Exchange{insert("a", 500), insert("a", 204)}, "a:204:2"},
		{"another body", []wiretest.Exchange{insert("a", 500), insert("b", 204)}, "a:500:1 b:204:1"},
		{"interleaved bodies",
			[]wiretest.Exchange{insert("a", 500), insert("b", 500), insert("a", 204), insert("b", 204)},
			"a:204:2 b:204:2"},
		{"another condition", []wiretest.Exchange{with(status(pointRead("a"), 500), "If-Match", "1"),
			with(pointRead("a"), "If-Match", "2")}, "a:500:1 a:200:1"},
		{"the same client request id",
			[]wiretest.Exchange{with(status(pointRead("a"), 500), "X-Ms-Client-Request-Id", "1"),
				with(pointRead("a"), "X-Ms-Client-Request-Id", "1")}, "a:200:2"},
		{"another client request id",
			[]wiretest.Exchange{with(status(pointRead("a"), 500), "X-Ms-Client-Request-Id", "1"),
				with(pointRead("a"), "X-Ms-Client-Request-Id", "2")}, "a:500:1 a:200:1"},
		{"one id for all calls", []wiretest.Exchange{with(status(pointRead("a"), 500), "X-Ms-Client-Request-Id", "1"),
			with(pointRead("b"), "X-Ms-Client-Request-Id", "1")}, "a:500:1 b:200:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := wire.NewRecorder()
			rec.Begin("x")
			for _, e := range tt.calls {
				e.Through(t, rec)
			}
			if got := summary(rec.Calls()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if rec.Attributed().Sum() != len(tt.calls) {
				t.Errorf("total %d, want %d", rec.Attributed().Sum(), len(tt.calls))
			}
		})
	}
}

func TestARetryIsOfOneClientRequest(t *testing.T) {
	rec := wire.NewRecorder()
	rec.Begin("x")
	insert("a", 500).Through(t, rec)
	rec.Begin("x")
	insert("a", 204).Through(t, rec)
	if got := summary(rec.Calls()); got != "a:500:1 a:204:1" {
		t.Error(got)
	}
}

func TestARetryAfterTheEndIsNotLate(t *testing.T) {
	rec := wire.NewRecorder()
	request := rec.Begin("x")
	insert("a", 500).Through(t, rec)
	request.End()
	insert("a", 204).Through(t, rec)
	if calls := request.Calls(); len(calls) != 1 || calls[0].Late {
		t.Errorf("%+v", calls)
	}
}

func summary(calls []wire.Call) string {
	var all []string
	for _, c := range calls {
		all = append(all, fmt.Sprintf("%s:%d:%d", c.Key[1], c.Status, c.Attempts))
	}
	return strings.Join(all, " ")
}
