package schedule

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/scenario/order"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// shelf is a store of rows that are read and written whole.
type shelf struct {
	mu   sync.Mutex
	rows map[string]string
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, s.rows[r.URL.Path])
		return
	}
	body, _ := io.ReadAll(r.Body)
	s.rows[r.URL.Path] = string(body)
	w.WriteHeader(http.StatusNoContent)
}

// server is one instance of a server with a door of its own to the shelf.
type server struct {
	t    *testing.T
	gate *wire.Gateway
}

func openServers(t *testing.T, store http.Handler, count int) []*server {
	t.Helper()
	var servers []*server
	for range count {
		gate, err := wire.NewGateway(wire.NewRecorder(), map[wire.Protocol]http.Handler{azure.Tables{}: store},
			wire.GatewayOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { gate.Close() })
		servers = append(servers, &server{t, gate})
	}
	return servers
}

func (s *server) call(ctx context.Context, method, row, body string) string {
	request, err := http.NewRequestWithContext(ctx, method, s.gate.Endpoint(azure.Table)+
		"/lane/Rows(PartitionKey='p',RowKey='"+row+"')", strings.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return ""
	}
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		return "" // it was given up
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return string(text)
}

func (s *server) get(row string) string { return s.call(s.t.Context(), http.MethodGet, row, "") }

func (s *server) put(row, to string) { s.call(s.t.Context(), http.MethodPut, row, to) }

func (s *server) add(row, letter string) { s.put(row, s.get(row)+letter) }

func plainly(c wire.Call) string {
	return strings.Join([]string{c.Class, "on", c.Resource, c.Key[1]}, " ")
}

// both runs requests alone, to learn, and then in every order. It gives the orders and what each left on the shelf.
func both(t *testing.T, servers []*server, store *shelf, requests ...func(*server)) (orders, ends []string,
	settles int) {
	t.Helper()
	run := func(plans []*Plan, by Chooser, only ...int) *Schedule {
		store.rows = map[string]string{}
		s := NewSchedule(time.Minute, plainly, strings.ToLower)
		if plans == nil {
			s.Quiet = LearnQuiet
		}
		for i, request := range requests {
			if len(only) > 0 && only[0] != i {
				continue
			}
			var p *Plan
			if plans != nil {
				p = plans[i]
			}
			s.Add(fmt.Sprint("request ", i), servers[i].gate, p, func() { request(servers[i]) })
		}
		if err := s.Run(t.Context(), func() {}, by); err != nil {
			t.Fatal(err)
		}
		return s
	}
	var plans []*Plan
	for i := range requests {
		first, other := NewLesson(false), NewLesson(true)
		longest := run(nil, first, i).Longest
		run(nil, other, i)
		plans = append(plans, PlanOf(longest, first, other))
	}
	search := order.NewSearch(order.Options{Limit: 1000})
	for one := search.Next(); one != nil; one = search.Next() {
		settles += run(plans, one).Settles
		if !one.Redundant() {
			orders, ends = append(orders, order.Moves(one.Steps())), append(ends, fmt.Sprint(store.rows))
		}
		search.Done(one)
	}
	if tally := search.Tally(); !tally.All {
		t.Errorf("not every order was tried: %+v", tally)
	}
	return orders, ends, settles
}

// Two that read and write one row: one of the two writes is lost in some orders, and each order is run each time.
func TestScheduleRunsEveryOrder(t *testing.T) {
	store := &shelf{}
	servers := openServers(t, store, 2)
	add := func(letter string) func(*server) {
		return func(s *server) { s.get("session"); s.add("x", letter) }
	}
	orders, ends, settles := both(t, servers, store, add("A"), add("B"))
	for _, want := range []string{":A]", ":B]", ":AB]", ":BA]"} {
		if !slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(end, want) }) {
			t.Errorf("no order of %v ended in %s", ends, want)
		}
	}
	if len(orders) != 4 || settles != 0 {
		t.Errorf("%d orders, %d settles: %v", len(orders), settles, orders)
	}
	again, _, _ := both(t, servers, store, add("A"), add("B"))
	if !slices.Equal(orders, again) {
		t.Errorf("the second time the orders were %v, not %v", again, orders)
	}
}

// What a server does at once is expected at once, whichever of it is let go first.
func TestScheduleKnowsWhatRunsAtOnce(t *testing.T) {
	store := &shelf{}
	parallel := func(s *server) {
		var all sync.WaitGroup
		for _, row := range []string{"x", "y", "z"} {
			all.Go(func() { s.add(row, "A") })
		}
		all.Wait()
		s.put("w", "A")
	}
	orders, _, settles := both(t, openServers(t, store, 2), store, parallel, func(s *server) { s.put("y", "B") })
	if len(orders) != 3 || settles != 0 { // before the read, between, after the write
		t.Errorf("%d orders, %d settles: %v", len(orders), settles, orders)
	}
}

// Requests that wait for each other inside the server stand still only for a moment.
func TestScheduleNoticesThatOneWaitsForTheOther(t *testing.T) {
	var one sync.Mutex
	alone := func(s *server) {
		one.Lock()
		defer one.Unlock()
		s.add("x", "A")
	}
	store := &shelf{}
	if _, ends, settles := both(t, openServers(t, store, 2), store, alone, alone); settles == 0 ||
		!strings.HasSuffix(ends[0], ":AA]") {
		t.Errorf("%d settles, %v", settles, ends)
	}
}

// A request that comes to no end is named, with the call it made last, and does not outlive the schedule.
func TestScheduleGivesUp(t *testing.T) {
	servers := openServers(t, &shelf{rows: map[string]string{}}, 1)
	ctx, cancel := context.WithCancel(t.Context())
	s := NewSchedule(50*time.Millisecond, plainly, strings.ToLower)
	s.Quiet = LearnQuiet
	s.Add("Ana's join", servers[0].gate, nil, func() { servers[0].get("x"); <-ctx.Done() })
	err := s.Run(t.Context(), cancel, NewLesson(false))
	if stuck := (&StuckError{}); !errors.As(err, &stuck) {
		t.Fatalf("%v is not a stuckError", err)
	}
	for _, want := range []string{"50ms", "Ana's join", "Rows", "point read"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

// impatient lets a call be given up instead of letting it go.
type impatient struct {
	*Lesson
	giveUp func()
}

func (i impatient) Choose(open []order.Move) order.Move {
	if open[0].Call != sending {
		i.giveUp()
	}
	return i.Lesson.Choose(open)
}

func TestScheduleIsInvalidWhenAHeldCallIsGivenUp(t *testing.T) {
	servers := openServers(t, &shelf{rows: map[string]string{}}, 1)
	s := NewSchedule(time.Minute, plainly, strings.ToLower)
	s.Quiet = LearnQuiet
	ctx, cancel := context.WithCancel(t.Context())
	s.Add("Ana's join", servers[0].gate, nil, func() {
		servers[0].call(ctx, http.MethodPut, "x", "A")
		servers[0].get("y")
	})
	giveUp := func() {
		cancel()
		for deadline := time.Now().Add(time.Minute); len(s.actors[0].hold.Abandoned()) == 0 &&
			time.Now().Before(deadline); {
			runtime.Gosched()
		}
	}
	err := s.Run(t.Context(), func() {}, impatient{NewLesson(false), giveUp})
	if abandoned := (&AbandonedError{}); !errors.As(err, &abandoned) || !strings.Contains(err.Error(), "Rows") {
		t.Fatalf("%v does not name what was given up", err)
	}
}

// A client that gives up a held call on a busy machine is asked again, one that always does is reported.
func TestWhatAClientGaveUpIsDoneAgain(t *testing.T) {
	gaveUp, other := fmt.Errorf("learn: %w", &AbandonedError{"a call"}), errors.New("other")
	for name, c := range map[string]struct {
		given []error
		tries int
		want  error
	}{
		"never":  {[]error{nil}, 1, nil},
		"once":   {[]error{gaveUp, nil}, 2, nil},
		"always": {[]error{gaveUp, gaveUp, gaveUp, nil}, 3, gaveUp},
		"other":  {[]error{other, nil}, 1, other},
	} {
		tries := 0
		err := UnlessAbandoned(func() error { tries++; return c.given[tries-1] })
		if tries != c.tries || !errors.Is(err, c.want) {
			t.Errorf("%s: %v after %d tries, want %v after %d", name, err, tries, c.want, c.tries)
		}
	}
}
