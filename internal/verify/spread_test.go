package verify

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/store"
)

// hopeful is a server with an SDK that waits before it tries again, and that takes every write for done.
type hopeful struct {
	first
	sent func()
}

func (h hopeful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ready" {
		return
	}
	h.sent()
	if _, err := h.client.CreateTable(r.Context(), nil); err != nil && !already(err) {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	_, _ = h.client.AddEntity(r.Context(), []byte(`{"PartitionKey":"all","RowKey":"`+byKey(r)+`"}`), nil)
}

// stubborn is a transport for an SDK that does not hear how soon it may try again.
type stubborn struct{ http.RoundTripper }

func (s stubborn) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := s.RoundTripper.RoundTrip(r)
	if err == nil {
		for _, name := range []string{"Retry-After", "Retry-After-Ms", "X-Ms-Retry-After-Ms"} {
			answer.Header.Del(name)
		}
	}
	return answer, err
}

// waitedFor runs a scenario on a hopeful server, and returns its result and how many requests each lane's server had.
func waitedFor(t *testing.T, lanes int, stateless bool) (ScenarioResult, []int) {
	t.Helper()
	o := options(t, open(t, store.Options{Name: "embedded", Lanes: lanes}), http.NotFound,
		"When Nobody sends POST /api/note {}, and any one storage call fails\nThen the table Things holds 1 row")
	var mu sync.Mutex
	sent := map[string]int{}
	o.Target = target.Reference("hopeful",
		func(getenv func(string) string, storage http.RoundTripper, _ io.Writer) (target.Handler, error) {
			service, err := aztables.NewServiceClientFromConnectionString(getenv("STORE"),
				&aztables.ClientOptions{ClientOptions: azcore.ClientOptions{
					Transport: &http.Client{Transport: stubborn{storage}},
					Retry:     policy.RetryOptions{MaxRetries: 1, RetryDelay: 700 * time.Millisecond}}})
			if err != nil {
				return nil, err
			}
			return hopeful{first{service.NewClient("Things")}, func() {
				mu.Lock()
				defer mu.Unlock()
				sent[getenv("STORE")]++
			}}, nil
		})
	o.Lanes, o.Proofs = lanes, proof.Proofs{Faults: proof.DefaultFaults, Suite: "d1", Seed: 4, Stateless: stateless}
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var counts []int
	for _, n := range sent {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	return result.Rules[0].Results[0], counts
}

// Cases in which an SDK waits run on idle lanes too, and the result is the same as on one lane.
func TestCasesThatWaitUseIdleLanes(t *testing.T) {
	for name, stateless := range map[string]bool{"rebuilt": false, "restored": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			alone, requests := waitedFor(t, 1, stateless)
			if len(requests) != 1 || !strings.HasPrefix(alone.Reason, "2 of 7 faults broke it\n- when every") {
				t.Fatalf("on one lane, %v requests: %s", requests, alone.Reason)
			}
			shared, requests := waitedFor(t, 3, stateless)
			if len(requests) != 3 {
				t.Errorf("the servers of three lanes had %v requests, want some for each", requests)
			}
			if diff := cmp.Diff(alone.Broken, shared.Broken,
				cmpopts.IgnoreUnexported(matching.Difference{})); diff != "" {
				t.Errorf("the cases that failed on one lane and on three (-one +three):\n%s", diff)
			}
			one, three := alone.Cases[0], shared.Cases[0]
			if one.Run != three.Run || one.Late != three.Late || min(one.Backoff, three.Backoff) < leastWaited {
				t.Errorf("%+v on one lane, %+v on three", one, three)
			}
		})
	}
}

// leastWaited is how long the SDK waits in the six cases at least: a pause varies by a fifth.
const leastWaited = 6 * 560 * time.Millisecond
