package familyscheduler

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/storespec/storespec/reference/account"
)

const testRow = "DailyMetrics 2026-01 2026-01-31"

// waitingFor has increments wait as requests that have lost a round do.
func waitingFor(t *together, count int) (others []*increment) {
	for i := range count {
		others = append(others, &increment{op: fmt.Sprintf("other-%d", i), done: make(chan error, 1)})
	}
	t.wait(testRow, others)
	return others
}

func TestWhatHasLostIsWrittenTogether(t *testing.T) {
	var all together
	others := waitingFor(&all, 3)
	var sizes []int
	err := all.write(t.Context(), testRow, &increment{op: "mine"}, func(batch []*increment) error {
		if sizes = append(sizes, len(batch)); len(sizes) == 1 {
			return account.ErrChanged
		}
		return nil
	})
	if err != nil || !slices.Equal(sizes, []int{1, 4}) {
		t.Fatalf("batches of %d, %v; want one alone and one of all four", sizes, err)
	}
	for _, other := range others {
		if err := <-other.done; err != nil {
			t.Errorf("%s: %v", other.op, err)
		}
	}
	if len(all.waiting) > 0 {
		t.Errorf("%d rows are still waited for", len(all.waiting))
	}
}

func TestNobodyWaitsForARequestThatGivesUp(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	for name, attempt := range map[string]func(batch []*increment) error{
		"the store does not answer": func(batch []*increment) error {
			if len(batch) == 1 {
				return account.ErrChanged
			}
			return account.ErrUnavailable
		},
		"its time is over": func([]*increment) error { leave(); return account.ErrChanged },
	} {
		t.Run(name, func(t *testing.T) {
			var all together
			others := waitingFor(&all, 2)
			err := all.write(gone, testRow, &increment{op: "mine"}, attempt)
			if !errors.Is(err, account.ErrUnavailable) {
				t.Fatalf("error %v", err)
			}
			for _, other := range others {
				if err := <-other.done; err == nil {
					t.Errorf("%s was told that it is written", other.op)
				}
			}
		})
		gone, leave = context.WithCancel(t.Context())
	}
	leave()
}

func TestMoreThanARowRemembersGoOnAlone(t *testing.T) {
	var all together
	others := waitingFor(&all, maxRecentOps+5)
	lost := false
	err := all.write(t.Context(), testRow, &increment{op: "mine"}, func(batch []*increment) error {
		if !lost {
			lost = true
			return account.ErrChanged
		}
		if len(batch) != maxRecentOps || batch[0].op != "mine" {
			t.Errorf("a batch of %d, of which %s is the first", len(batch), batch[0].op)
		}
		return nil
	})
	alone := 0
	for _, other := range others {
		if errors.Is(<-other.done, account.ErrChanged) {
			alone++
		}
	}
	if err != nil || alone != 6 {
		t.Errorf("%v; %d go on alone, want 6", err, alone)
	}
}

// TestACrowdIsCountedExactly has many requests lose against each other on one row, which a version guards.
func TestACrowdIsCountedExactly(t *testing.T) {
	const crowd = 64
	var all together
	var store sync.Mutex
	version, counted := 0, map[string]int{}
	var requests sync.WaitGroup
	for i := range crowd {
		requests.Go(func() {
			err := all.write(t.Context(), testRow, &increment{op: fmt.Sprint(i)}, func(batch []*increment) error {
				store.Lock()
				read := version
				store.Unlock()
				runtime.Gosched()
				store.Lock()
				defer store.Unlock()
				if version != read {
					return account.ErrChanged
				}
				version++
				for _, one := range batch {
					counted[one.op]++
				}
				return nil
			})
			if err != nil {
				t.Errorf("request %d: %v", i, err)
			}
		})
	}
	requests.Wait()
	for i := range crowd {
		if n := counted[fmt.Sprint(i)]; n != 1 {
			t.Errorf("request %d was counted %d times", i, n)
		}
	}
	if len(all.waiting) > 0 {
		t.Errorf("%d rows are still waited for", len(all.waiting))
	}
}
