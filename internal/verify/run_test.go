package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/account"
	"github.com/storespec/storespec/internal/store/stores"
)

// options are those of a run of scenarios, each given by its steps, against a server that answers its
// health route by itself.
func options(t *testing.T, opened store.Store, answer http.HandlerFunc, scenarios ...string) Options {
	t.Helper()
	feature := "Feature: test\n\n  @T-T-1\n  Rule: it holds\n    > It holds.\n"
	for i, text := range scenarios {
		feature += fmt.Sprintf("\n    Scenario: number %d\n      %s\n", i, strings.ReplaceAll(text, "\n", "\n      "))
	}
	catalogue, err := Load(fstest.MapFS{"test/a.feature": {Data: []byte(feature)}}, system.System{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ready" {
			answer(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return Options{
		Catalogue: catalogue, Store: opened, Target: target.URL(server.URL, nil), Lanes: 1,
		System: system.System{
			Name: "test", ErrorCode: "error", Session: system.Session{Header: "x-session-id", Cookie: "fs_session"},
			Ready: "/ready", Container: "state", NeedsStore: "/needs-store",
			Env: environment(t, "STORE={connection}"),
		},
	}
}

// environment is variables as NAME=TEMPLATE.
func environment(t *testing.T, texts ...string) (list []system.Mapping) {
	t.Helper()
	for _, text := range texts {
		m, err := system.ParseMapping(text, []string{"account", "blobs", "connection", "port", "tables"})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// told is a target that is started somewhere else; the test gets its STORE.
type told struct {
	target.Target
	of func(connection string)
}

func (s told) Start(ctx context.Context, launch target.Launch) (*target.Instance, error) {
	s.of(launch.Env("")["STORE"])
	return s.Target.Start(ctx, launch)
}

func open(t *testing.T, o store.Options) store.Store {
	t.Helper()
	opened, err := stores.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	// The store of some tests has ended by then, and says so.
	t.Cleanup(func() { _ = opened.Close(context.Background()) })
	return opened
}

const asks = "When Nobody sends GET /api/x\nThen the answer is 200"

func TestATargetThatStopsAnsweringEndsTheRun(t *testing.T) {
	t.Parallel() // it waits
	var asked atomic.Int32
	o := options(t, open(t, store.Options{Name: "embedded"}), func(_ http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		<-r.Context().Done()
	}, asks, asks, asks, asks, asks, asks)
	o.AnswerWithin = 50 * time.Millisecond
	result, err := Run(t.Context(), o)
	mute, ok := errors.AsType[*lane.UnresponsiveError](err)
	if !ok || mute.Last != "GET /api/x" || mute.Target != o.Target.String() || result.Interrupted {
		t.Fatalf("error %v, want that of a target that stopped answering", err)
	}
	if n := asked.Load(); n != 3 {
		t.Errorf("it was asked %d times, not 3", n)
	}
}

func TestATargetThatAnswersNowAndThenIsJudged(t *testing.T) {
	t.Parallel() // it waits
	var asked atomic.Int32
	o := options(t, open(t, store.Options{Name: "embedded"}), func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/x" && asked.Add(1)%3 != 0 {
			<-r.Context().Done()
		}
	}, asks, asks, asks, asks, asks)
	o.AnswerWithin = time.Second
	result, err := Run(t.Context(), o)
	if !errors.As(err, new(*NoCallsError)) {
		t.Fatal(err)
	}
	if counts := result.ScenarioCounts(); counts[Failed] != 4 || counts[Passed] != 1 {
		t.Errorf("scenarios: %v", counts)
	}
}

func TestAStoreThatDiesEndsTheRun(t *testing.T) {
	for name, scenario := range map[string]string{
		"between two scenarios": asks,
		"in a scenario":         "When Nobody sends GET /api/x\nThen there is no row Things a / b",
	} {
		t.Run(name, func(t *testing.T) {
			below := open(t, store.Options{Name: "embedded"})
			lease, err := below.Lease(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			client, err := azblob.NewClientFromConnectionString(lease.Direct()["connection"], nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.CreateContainer(t.Context(), account.LeaseContainer, nil); err != nil {
				t.Fatal(err)
			}
			account := open(t, store.Options{Name: "account", ConnectionString: lease.Direct()["connection"],
				Confirm: lease.Direct()["account"]})
			var asked atomic.Int32
			o := options(t, account, func(http.ResponseWriter, *http.Request) {
				asked.Add(1)
				if err := below.Close(context.Background()); err != nil {
					t.Error(err)
				}
			}, scenario, scenario, scenario)
			result, err := Run(t.Context(), o)
			if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "127.0.0.1:") ||
				strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %v, want one that wraps ErrUnavailable, in one line with an address", err)
			}
			if counts := result.ScenarioCounts(); asked.Load() != 1 || result.Interrupted || counts[Failed]+
				counts[Errored] > 0 {
				t.Errorf("asked %d times; interrupted %v; scenarios %v", asked.Load(), result.Interrupted, counts)
			}
		})
	}
}

// A request that ends in an error is reported, and a rule that it breaks is broken: nothing is wrong with the run.
func TestHostileAnswersAreFailuresThatShowTheRequest(t *testing.T) {
	reset := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		step   string
		status []int
	}{
		"no answer":                {reset, "When Nobody sends GET /api/x", []int{0}},
		"no answer to two at once": {reset, "When Nobody and Nobody send GET /api/x at the same moment", []int{0, 0}},
		"no JSON": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/needs-store" {
				reset(w, r)
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusTeapot)
		}, "When Nobody sends GET /api/x", []int{http.StatusTeapot}},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, open(t, store.Options{Name: "embedded"}), c.answer, c.step+"\nThen the answer is 200")
			result, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			got := result.Rules[0].Results[0]
			if got.Outcome != Failed || len(got.Requests) != len(c.status) {
				t.Fatalf("%s with the requests %v, want a failure with %d", got.Outcome, got.Requests, len(c.status))
			}
			for i, request := range got.Requests {
				if request.Status != c.status[i] || request.Path != "/api/x" {
					t.Errorf("request %+v, want status %d", request, c.status[i])
				}
			}
		})
	}
}

// TestMain lets the test binary be a server that ends when it is asked to.
func TestMain(m *testing.M) {
	if os.Getenv("VERIFY_TEST_SERVER") == "" {
		os.Exit(m.Run())
	}
	http.HandleFunc("/ready", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("/end", func(http.ResponseWriter, *http.Request) {
		fmt.Println("nothing was configured")
		os.Exit(5)
	})
	fmt.Println(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func TestATargetThatEndedIsNotBlamedForItsConnectionString(t *testing.T) {
	o := options(t, open(t, store.Options{Name: "embedded"}), nil, asks)
	o.System.Env = environment(t, "VERIFY_TEST_SERVER=1")
	o.Target = target.Command([]string{os.Args[0]})
	all, err := openLanes(t.Context(), &lane.Maker{System: o.System, Store: o.Store, Target: o.Target}, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := all.close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	r := &run{options: o, lanes: all, answered: true}
	if _, err := http.Get(all.all[0].Target.URL + "/end"); err == nil {
		t.Fatal("the server goes on")
	}
	for deadline := time.Now().Add(time.Minute); !all.all[0].Target.Exited(); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("the server did not end")
		}
	}
	err = r.usesStore(t.Context(), &Result{})
	start, ok := errors.AsType[*target.StartError](err)
	if !ok || start.Reason != "ended by itself: exit status 5" || start.Output != "nothing was configured" {
		t.Errorf("error %v does not say how the server ended", err)
	}
	if err := endedByItself(all.all[0].Target); err == nil ||
		err.Error() != "the server exited by itself: exit status 5; it wrote:\nnothing was configured" {
		t.Errorf("of a scenario it reports: %v", err)
	}
}

// storing is a server that asks its table service at each request but those for its health.
type storing struct {
	tables  string
	storage http.RoundTripper
}

func (s storing) Close() error { return nil }

func (s storing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ready" {
		return
	}
	request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, s.tables+"/cold/Tables", nil)
	if err == nil {
		var answer *http.Response
		if answer, err = s.storage.RoundTrip(request); err == nil {
			err = answer.Body.Close()
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func TestCallsOfColdLanesAreCounted(t *testing.T) {
	const cold = "Given a fresh target on an account that was never used\n" + asks
	o := options(t, open(t, store.Options{Name: "embedded", Cold: 2}), nil, cold, asks, cold)
	o.System.Env = environment(t, "TABLES={tables}")
	o.Target = target.Reference("storing",
		func(getenv func(string) string, storage http.RoundTripper, _ io.Writer) (target.Handler, error) {
			return storing{getenv("TABLES"), storage}, nil
		})
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if counts := result.ScenarioCounts(); result.Calls != 3 || counts[Passed] != 3 {
		t.Errorf("%d storage calls, not 3; scenarios %v", result.Calls, counts)
	}
}

func TestAnInterruptedRunHasNoError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := options(t, open(t, store.Options{Name: "embedded"}), func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}, asks, asks)
	result, err := Run(ctx, o)
	if err != nil || !result.Interrupted {
		t.Errorf("error %v, interrupted %v", err, result.Interrupted)
	}
}
