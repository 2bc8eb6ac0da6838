package verify

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
)

func TestTheLongestIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue{free: 2}
		var order []string
		began := make(chan string, 6)
		begin := func(name string, length int) {
			go func() {
				if q.enter(t.Context(), length) == nil {
					began <- name
				}
			}()
			synctest.Wait() // they arrive in this order
		}
		begin("first", 0)
		begin("second", 0)
		begin("short", 0)
		begin("long", 7)
		begin("as short", 0)
		begin("medium", 3)
		for range cap(began) {
			order = append(order, <-began)
			q.leave()
			synctest.Wait()
		}
		if want := []string{"first", "second", "long", "medium", "short", "as short"}; !slices.Equal(order, want) {
			t.Errorf("they began in the order %q, want %q", order, want)
		}
		if q.free != 2 || len(q.waiting) != 0 {
			t.Errorf("in the end %d may run and %d wait", q.free, len(q.waiting))
		}
	})
}

func TestNobodyWaitsWhenTheRunIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue{free: 1}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := q.enter(ctx, 0); err != nil {
			t.Fatal(err)
		}
		if err := q.enter(ctx, 0); !errors.Is(err, context.DeadlineExceeded) { // while it waits
			t.Errorf("a scenario that waits gets %v", err)
		}
		q.leave()
		if err := q.enter(ctx, 0); !errors.Is(err, context.DeadlineExceeded) { // although it might run
			t.Errorf("one that comes later gets %v", err)
		}
	})
}

func TestLengths(t *testing.T) {
	files := fstest.MapFS{"test/1.feature": &fstest.MapFile{Data: []byte(`Feature: F
  @T-T-1
  Rule: R
    > why
    Scenario: short
      When Ana sends GET /
      Then the answer is 200
    Scenario: faults
      When Ana sends GET /, and any one storage call fails
      Then the answer is 200
    Scenario: orders
      When these run at the same time
        | who | method | path | body |
        | Ana | GET    | /    |      |
        | Ben | GET    | /    |      |
      Then all answers are 200
    Scenario: waits
      When 1 milliseconds pass
      And Ana sends GET /
      Then the answer is 200
`)}}
	catalogue, err := Load(files, system.System{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	lengths := func(r *run) (list []int) {
		for _, pickle := range catalogue.Documents[0].Pickles {
			list = append(list, r.lengthOf(pickle))
		}
		return list
	}
	r := &run{options: Options{Catalogue: catalogue}}
	if got := lengths(r); len(got) != 4 || !slices.IsSorted(got) || len(slices.Compact(got)) != 4 {
		t.Errorf("lengths %v, want each to be longer than the one before", got)
	}
	r.options.Enough = func(ScenarioResult) bool { return true }
	if got := lengths(r); slices.Max(got) != 0 {
		t.Errorf("lengths %v, want none if the run ends with the first that fails", got)
	}
}

// It is known when no scenario waits for its turn any more.
func TestAllBegun(t *testing.T) {
	server := &mixed{passesOn: func(*http.Request) bool { return true }}
	o := options(t, open(t, store.Options{Name: "embedded"}), server.ServeHTTP, costsOneRead, costsOneRead,
		costsOneRead, costsOneRead)
	o.Lanes, o.Reference = 2, true
	o.Target = told{o.Target, func(connection string) {
		server.tables = regexp.MustCompile(`TableEndpoint=([^;]+)`).FindStringSubmatch(connection)[1]
	}}
	var ended atomic.Int64
	var before []int64 // how many scenarios had ended
	o.Progress = func(p Progress) { ended.Store(int64(p.Done)) }
	o.AllBegun = func() { before = append(before, ended.Load()) }
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if len(before) != 1 || before[0] < 2 || before[0] > 3 {
		t.Errorf("all four had begun on two lanes when %d had ended", before)
	}
}
