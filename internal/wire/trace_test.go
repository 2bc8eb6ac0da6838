package wire_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
	"github.com/storespec/storespec/internal/wire/wiretest"
)

// traced is a call on a row of table T that carries a header.
func traced(row, name, value string) wiretest.Exchange {
	e := pointRead(row)
	e.Header = map[string]string{name: value}
	return e
}

// whose returns for each call of a request its row and how it was attributed.
func whose(q *wire.Request) string {
	var list []string
	for _, c := range q.Calls() {
		how := "lane"
		if c.ByTrace {
			how = "trace"
		}
		if c.Late {
			how += " late"
		}
		list = append(list, c.Key[1]+" "+how)
	}
	return strings.Join(list, ", ")
}

func TestCallsBelongToTheirTrace(t *testing.T) {
	rec := wire.NewRecorder()
	first := rec.Begin("GET /first")
	second := rec.Begin("GET /second")
	later := "01" + strings.TrimPrefix(first.Traceparent(), "00") + "-and-more"
	asUUID := strings.ToUpper(first.Trace()[:8] + "-" + first.Trace()[8:12] + "-" + first.Trace()[12:16] + "-" +
		first.Trace()[16:20] + "-" + first.Trace()[20:])
	traced("1", "Traceparent", first.Traceparent()).Through(t, rec)
	traced("2", "Traceparent", "00-"+first.Trace()+"-00f067aa0ba902b7-00").Through(t, rec) // another span
	traced("3", "Traceparent", later).Through(t, rec)
	traced("4", "X-Ms-Client-Request-Id", first.Trace()).Through(t, rec)
	traced("5", "X-Ms-Client-Request-Id", asUUID).Through(t, rec)
	traced("6", "Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01").
		Through(t, rec) // of no request
	for i, malformed := range []string{"", "-", "00-" + first.Trace(), first.Trace(), "00-" + first.Trace()[1:] +
		"-00f067aa0ba902b7-01"} {
		traced(fmt.Sprint("m", i), "Traceparent", malformed).Through(t, rec)
	}
	first.End()
	traced("7", "Traceparent", first.Traceparent()).Through(t, rec)
	if got, want := whose(first), "1 trace, 2 trace, 3 trace, 4 trace, 5 trace, 7 trace late"; got != want {
		t.Errorf("first:  %s\nwant    %s", got, want)
	}
	if got, want := whose(second), "6 lane, m0 lane, m1 lane, m2 lane, m3 lane, m4 lane"; got != want {
		t.Errorf("second: %s\nwant    %s", got, want)
	}
	if got, want := rec.Attributed(), (wire.Attribution{ByTrace: 6, ByLane: 6}); got != want {
		t.Errorf("attributed %+v, want %+v", got, want)
	}

	rec.Reset()
	traced("7", "Traceparent", first.Traceparent()).Through(t, rec)
	pointRead("8").Through(t, rec)
	wiretest.Exchange{Protocol: azure.Tables{}, Method: "POST", Target: "/acc/Tables",
		Body: `{"TableName":"T"}`}.Through(t, rec)
	third := rec.Begin("GET /third")
	traced("9", "Traceparent", second.Traceparent()).Through(t, rec)
	if got := whose(third); got != "9 lane" || whose(first) != "" {
		t.Errorf("after Reset: third %s, first %s", got, whose(first))
	}
	if got, want := rec.Attributed(), (wire.Attribution{ByTrace: 6, ByLane: 7, Nobody: 1, Other: 2}); got != want ||
		got.Plus(want).Nobody != 2 {
		t.Errorf("attributed %+v, want %+v", got, want)
	}

	rec.Reset()
	done := rec.Command()
	pointRead("10").Through(t, rec)
	traced("11", "Traceparent", rec.Begin("GET /fourth").Traceparent()).Through(t, rec)
	pointRead("12").Through(t, rec)
	done()
	rec.Reset()
	pointRead("13").Through(t, rec)
	if got, want := rec.Attributed(),
		(wire.Attribution{ByTrace: 7, ByLane: 7, Commands: 2, Nobody: 2, Other: 2}); got != want || got.Sum() != 20 ||
		rec.Attributed().Sum() != 20 {
		t.Errorf("attributed %+v, in all %d of %d, want %+v", got, got.Sum(), rec.Attributed().Sum(), want)
	}
}

// Requests begun together can be distinguished only with a trace.
func TestRequestsBegunTogether(t *testing.T) {
	rec := wire.NewRecorder()
	one := rec.Begin("POST /x")
	two := one.Beside("POST /x")
	traced("1", "Traceparent", one.Traceparent()).Through(t, rec)
	traced("2", "Traceparent", two.Traceparent()).Through(t, rec)
	if whose(one) != "1 trace" || whose(two) != "2 trace" || one.Shared() || two.Shared() || !one.Together(two) {
		t.Errorf("one has %s, two has %s; shared %v %v", whose(one), whose(two), one.Shared(), two.Shared())
	}
	one.End()
	pointRead("3").Through(t, rec)
	two.End()
	pointRead("4").Through(t, rec)
	if got, want := whose(one), "1 trace, 3 lane, 4 lane late"; got != want || !one.Shared() {
		t.Errorf("one has %s, want %s; shared %v", got, want, one.Shared())
	}
	if got, want := whose(two), "2 trace, 3 lane, 4 lane late"; got != want || !two.Shared() {
		t.Errorf("two has %s, want %s; shared %v", got, want, two.Shared())
	}
	alone := rec.Begin("GET /y")
	pointRead("5").Through(t, rec)
	if alone.Together(one) || alone.Shared() || whose(alone) != "5 lane" {
		t.Errorf("alone has %s; shared %v", whose(alone), alone.Shared())
	}
}

// concurrent is a server that answers many requests at once, and on purpose mixes their storage calls: each of them
// makes its next call when all have made the one before.
type concurrent struct {
	storage  string
	rounds   int
	passesOn func(round int) bool // whether the calls of a round carry the request's trace
	turn     *barrier
}

func (c *concurrent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for round := range c.rounds {
		c.turn.wait()
		call, err := http.NewRequestWithContext(r.Context(), http.MethodGet,
			fmt.Sprintf("%s/acc/T(PartitionKey='p',RowKey='%s-%d')", c.storage, r.URL.Query().Get("name"), round), nil)
		if err != nil {
			panic(err)
		}
		if c.passesOn(round) {
			call.Header.Set("Traceparent", r.Header.Get("Traceparent"))
		}
		answer, err := http.DefaultClient.Do(call)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_ = answer.Body.Close()
	}
}

// barrier lets none continue before all are there.
type barrier struct {
	mu      sync.Mutex
	size    int
	waiting int
	open    chan struct{}
}

func newBarrier(size int) *barrier { return &barrier{size: size, open: make(chan struct{})} }

func (b *barrier) wait() {
	b.mu.Lock()
	open := b.open
	if b.waiting++; b.waiting == b.size {
		b.waiting, b.open = 0, make(chan struct{})
		close(open)
	}
	b.mu.Unlock()
	<-open
}

// Of a server that passes the trace on, no call is taken for another request's, however they are mixed. Of one that
// does not, or not always, the calls without a trace are those of the last request that was begun.
func TestAConcurrentServer(t *testing.T) {
	const clients, rounds = 8, 5
	for name, test := range map[string]struct {
		passesOn func(round int) bool
		traced   int // of each request's calls
	}{
		"passes the trace on": {func(int) bool { return true }, rounds},
		"does not":            {func(int) bool { return false }, 0},
		"now and then":        {func(round int) bool { return round%2 == 0 }, (rounds + 1) / 2},
	} {
		t.Run(name, func(t *testing.T) {
			rec := wire.NewRecorder()
			storage := httptest.NewServer(rec.Handler(azure.Tables{},
				http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
			defer storage.Close()
			server := httptest.NewServer(&concurrent{storage.URL, rounds, test.passesOn, newBarrier(clients)})
			defer server.Close()
			requests := make([]*wire.Request, clients)
			for i := range requests {
				requests[i] = rec.Begin(fmt.Sprintf("%c", 'a'+i))
			}
			var all sync.WaitGroup
			for _, q := range requests {
				all.Go(func() { get(t, server.URL+"?name="+q.Name(), q) })
			}
			all.Wait()
			if err := rec.Settle(during(t)); err != nil {
				t.Fatal(err)
			}
			untraced := clients * (rounds - test.traced)
			if got, want := rec.Attributed(),
				(wire.Attribution{ByTrace: clients * test.traced, ByLane: untraced}); got != want {
				t.Errorf("attributed %+v, want %+v", got, want)
			}
			for i, q := range requests {
				own, others := 0, 0
				for _, c := range q.Calls() {
					switch {
					case strings.HasPrefix(c.Key[1], q.Name()+"-") && c.ByTrace:
						own++
					case c.ByTrace:
						t.Errorf("request %s has the call on %s", q.Name(), c.Key[1])
					default:
						others++
					}
				}
				want := 0
				if i == clients-1 {
					want = untraced
				}
				if own != test.traced || others != want {
					t.Errorf("request %s has %d calls by trace and %d by lane, want %d and %d", q.Name(), own, others,
						test.traced, want)
				}
			}
		})
	}
}

// get sends a client request and reads its answer.
func get(t *testing.T, url string, q *wire.Request) {
	t.Helper()
	defer q.End()
	request, err := http.NewRequestWithContext(during(t), http.MethodGet, url, nil)
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Traceparent", q.Traceparent())
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("request %s was answered %d, %v", q.Name(), answer.StatusCode, err)
	}
}
