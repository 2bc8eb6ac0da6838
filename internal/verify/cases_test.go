package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/store"
)

// noting is a server that writes down a thing when asked to, under the row key that the request gives it.
type noting struct {
	connection string
	key        func(*http.Request) string
	requests   atomic.Int32
}

func (n *noting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.requests.Add(1)
	if err := n.note(r); err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

func (n *noting) note(r *http.Request) error {
	options := &aztables.ClientOptions{ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{RetryDelay: 1}}}
	service, err := aztables.NewServiceClientFromConnectionString(n.connection, options)
	if err != nil {
		return err
	}
	client := service.NewClient("Things")
	if _, err := client.CreateTable(r.Context(), nil); err != nil && !already(err) {
		return err
	}
	entity, err := json.Marshal(map[string]string{"PartitionKey": "all", "RowKey": n.key(r)})
	if err != nil {
		return err
	}
	if _, err := client.AddEntity(r.Context(), entity, nil); err != nil && !already(err) {
		return err
	}
	return nil
}

func already(err error) bool {
	answer, ok := errors.AsType[*azcore.ResponseError](err)
	return ok && answer.StatusCode == http.StatusConflict
}

// noted runs a scenario in which any one call of a noting server fails.
func noted(t *testing.T, key func(*http.Request) string, proofs proof.Proofs) (*Result, *noting, error) {
	t.Helper()
	server := &noting{key: key}
	o := options(t, open(t, store.Options{Name: "embedded"}), server.ServeHTTP,
		"When Nobody sends POST /api/note {}, and any one storage call fails\nThen the table Things holds 1 row")
	o.Target = told{o.Target, func(connection string) { server.connection = connection }}
	o.Proofs = proofs
	result, err := Run(t.Context(), o)
	return result, server, err
}

// A gate that cannot read must not open, and one that is open has nothing to show.
func TestFaultsFindAGateThatOpens(t *testing.T) {
	for name, test := range map[string]struct {
		absent, unread int // what the gate answers
		outcome        Outcome
		reason         string
	}{
		"stays closed":     {http.StatusForbidden, http.StatusServiceUnavailable, Passed, ""},
		"opens":            {http.StatusForbidden, http.StatusOK, Failed, "3 of 7 faults broke it"},
		"is open":          {http.StatusOK, http.StatusOK, Failed, "answered 200 before any fault"},
		"breaks by itself": {http.StatusInternalServerError, http.StatusOK, Failed, "answered 500 before any fault"},
	} {
		t.Run(name, func(t *testing.T) {
			var client *aztables.Client
			o := options(t, open(t, store.Options{Name: "embedded"}), func(w http.ResponseWriter, r *http.Request) {
				_, _ = client.CreateTable(r.Context(), nil)
				_, err := client.GetEntity(r.Context(), "p", "r", nil)
				status := test.unread
				if answer := (*azcore.ResponseError)(nil); errors.As(err, &answer) &&
					answer.StatusCode == http.StatusNotFound {
					status = test.absent
				}
				w.WriteHeader(status)
			}, "When Nobody is refused GET /api/note, and any one storage call fails\nThen the answer is 403 or 503")
			o.Target = told{o.Target, func(connection string) {
				server, err := newFirst(connection, nil)
				if err != nil {
					t.Error(err)
				}
				client = server.client
			}}
			o.Proofs = proof.Proofs{Faults: proof.DefaultFaults}
			result, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if got := result.Rules[0].Results[0]; got.Outcome != test.outcome ||
				!strings.Contains(got.Reason, test.reason) {
				t.Errorf("%s with %+v: %s", got.Outcome, got.Cases, got.Reason)
			}
		})
	}
}

func byKey(r *http.Request) string { return r.Header.Get("Idempotency-Key") }

// byCount is how a server breaks that takes each request for a new one.
func byCount() func(*http.Request) string {
	var count atomic.Int32
	return func(*http.Request) string { return fmt.Sprintf("thing-%d", count.Add(1)) }
}

func TestFaultsPassAServerThatKnowsItsRequestsAgain(t *testing.T) {
	for _, stateless := range []bool{true, false} {
		result, _, err := noted(t, byKey, proof.Proofs{Faults: proof.DefaultFaults, Stateless: stateless})
		if err != nil {
			t.Fatal(err)
		}
		scenario := result.Rules[0].Results[0]
		// One call, undisturbed; 503, 429 and a lost answer, each once and for all its attempts.
		if want := (cases.CaseSummary{Kind: "fault", Run: 7}); scenario.Outcome != Passed || len(scenario.Cases) != 1 ||
			scenario.Cases[0] != want {
			t.Errorf("stateless %v: %s with %+v: %s", stateless, scenario.Outcome, scenario.Cases, scenario.Reason)
		}
	}
}

func TestFaultsFindAServerThatTakesARetryForANewRequest(t *testing.T) {
	result, _, err := noted(t, byCount(), proof.Proofs{Faults: proof.DefaultFaults, Suite: "d1", Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	scenario := result.Rules[0].Results[0]
	const told = "1 of 7 faults broke it\n- when the answer to every attempt at table insert on Things is lost: the " +
		"table Things holds 1 row: "
	if scenario.Outcome != Failed || !strings.HasPrefix(scenario.Reason, told) || len(scenario.Requests) != 2 {
		t.Fatalf("%s with %d requests: %s", scenario.Outcome, len(scenario.Requests), scenario.Reason)
	}
	want := []matching.Difference{{Where: "the table Things", Expected: "1 row", Seen: "2 rows"}}
	if diff := cmp.Diff(want, scenario.Broken[0].Differences,
		cmpopts.IgnoreUnexported(matching.Difference{})); diff != "" {
		t.Errorf("differences of the case that failed (-want +got):\n%s", diff)
	}

	token := regexp.MustCompile(`--replay (\S+)`).FindStringSubmatch(scenario.Reason)[1]
	replay, err := proof.ParseReplay(token)
	if err != nil {
		t.Fatal(err)
	}
	if err := replay.For("test", "d1", 4); err != nil {
		t.Error(err)
	}
	proofs := proof.Proofs{Faults: proof.DefaultFaults, Suite: "d1", Seed: 4, Only: replay}
	result, server, err := noted(t, byCount(), proofs)
	if err != nil {
		t.Fatal(err)
	}
	again := result.Rules[0].Results[0]
	if !strings.HasPrefix(again.Reason, "1 of 1 faults broke it") || server.requests.Load() != 2 {
		t.Errorf("the replay sent %d requests: %s", server.requests.Load(), again.Reason)
	}

	replay.Scenario = "test/a.feature:99"
	if _, _, err = noted(t, byKey, proofs); !errors.Is(err, ErrNothingSelected) ||
		!strings.Contains(err.Error(), "test/a.feature:99") {
		t.Errorf("error %v, want one that names the scenario that is gone", err)
	}
}

func TestWithoutFaultsTheRequestIsSentOnce(t *testing.T) {
	result, server, err := noted(t, byCount(), proof.Proofs{Faults: proof.NoFaults})
	if err != nil {
		t.Fatal(err)
	}
	if scenario := result.Rules[0].Results[0]; scenario.Outcome != Passed || len(scenario.Cases) != 0 ||
		server.requests.Load() != 1 {
		t.Errorf("%s after %d requests: %s", scenario.Outcome, server.requests.Load(), scenario.Reason)
	}
}

func TestRowsThatDifferAreReported(t *testing.T) {
	for _, test := range []struct {
		step string
		want matching.Difference
	}{
		{"there is no row Things a / 1",
			matching.Difference{Where: "the row Things a / 1", Expected: "absent", Seen: "there"}},
		{"the row Things a / 2 has\n| x | 1 |",
			matching.Difference{Where: "the row Things a / 2", Expected: "there", Seen: "absent"}},
		{"the row Things a / 1 has\n| x | 2 |",
			matching.Difference{Where: "x of the row Things a / 1", Expected: "2", Seen: `"1"`}},
		{"the partition a of Things holds, in this order\n| x |",
			matching.Difference{Where: "the partition a of Things", Expected: "0 rows", Seen: "1 row"}},
		{"the partition a of Things holds, in this order\n| x |\n| 3 |",
			matching.Difference{Where: "x of row 1 of the partition a of Things", Expected: "3", Seen: `"1"`}},
		{"the partition a of Things is empty",
			matching.Difference{Where: "the partition a of Things", Expected: "0 rows", Seen: "1 row"}},
		{"the table Things holds 3 rows",
			matching.Difference{Where: "the table Things", Expected: "3 rows", Seen: "1 row"}},
		{`the blob none is there`, matching.Difference{Where: "the blob none", Expected: "there", Seen: "absent"}},
		{"\"things\" of the answer lists\n| x |\n| 1 |",
			matching.Difference{Where: `"things" of the answer to GET /api/things`, Expected: "1 item",
				Seen: "0 items"}},
	} {
		t.Run(test.step, func(t *testing.T) {
			o := options(t, open(t, store.Options{Name: "embedded"}), answersNothing,
				"Given the row Things a / 1 is\n| x | 1 |\nWhen Nobody sends GET /api/things\nThen "+test.step)
			result, err := Run(t.Context(), o)
			if err != nil && !errors.As(err, new(*NoCallsError)) {
				t.Fatal(err)
			}
			scenario := result.Rules[0].Results[0]
			if diff := cmp.Diff([]matching.Difference{test.want}, scenario.Differences,
				cmpopts.IgnoreUnexported(matching.Difference{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", scenario.Reason, diff)
			}
		})
	}
}

func answersNothing(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{"things":[]}`)
}

// What a step does to the store lasts, whatever the requests after it are sent with.
func TestAStoreThatWentDownStaysDown(t *testing.T) {
	server := &noting{key: func(r *http.Request) string { return strings.TrimPrefix(r.URL.Path, "/api/") }}
	o := options(t, open(t, store.Options{Name: "embedded"}), server.ServeHTTP,
		`Given storage goes down after the next write
When Nobody sends POST /api/first {}
Then the answer is 200
When Nobody sends POST /api/second {}
Then the answer is 503
Given storage is back
When Nobody sends POST /api/third {}
Then the answer is 200`)
	o.Target = told{o.Target, func(connection string) { server.connection = connection }}
	result, err := Run(t.Context(), o)
	if err != nil || result.Rules[0].Outcome != Passed {
		t.Fatalf("%v; %+v", err, result.Rules[0].Results[0])
	}
}

// A step ends a scenario the same way in a family of cases as outside of one.
func TestErrorsKeepTheirIdentityInCases(t *testing.T) {
	const (
		sent = "Nobody sends POST /api/note {}"
		race = "these run at the same time\n| who | method | path |\n| Nobody | POST | /api/note |\n" +
			"| Nobody | POST | /api/note |"
	)
	for family, when := range map[string]string{"outside": sent, "faults": sent + ", and any one storage call fails",
		"orders": race} {
		for want, then := range map[Outcome]string{
			OverBudget: "the storage calls are at most\n| service | call | on | count |",
			Skipped:    `storespec runs "actions purge"`,
			Errored:    "there is no row Things all / {Unheard}",
			Failed:     "the answer is 418",
		} {
			t.Run(family+", "+string(want), func(t *testing.T) {
				server := &noting{key: byKey}
				o := options(t, open(t, store.Options{Name: "embedded"}), server.ServeHTTP, "When "+when+"\nThen "+then)
				o.Target = told{o.Target, func(connection string) { server.connection = connection }}
				if family == "orders" { // needs a server for each request
					o.Target = target.Reference("first",
						func(getenv func(string) string, storage http.RoundTripper, _ io.Writer) (target.Handler,
							error) {
							return newFirst(getenv("STORE"), storage)
						})
				}
				o.Proofs = proof.Proofs{Faults: proof.DefaultFaults, Orders: 2}
				result, err := Run(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				if got := result.Rules[0].Results[0]; got.Outcome != want {
					t.Errorf("%s, want %s: %s", got.Outcome, want, got.Reason)
				}
			})
		}
	}
}

// The worst of the cases counts: one that is over budget does not hide one that failed.
func TestTheWorstCaseIsTheOutcome(t *testing.T) {
	over, failed := &budget.Budget{}, errors.New("answered 500, not 200")
	for _, test := range []struct {
		name string
		errs []error
		want Outcome
	}{
		{"all over budget", []error{over, over}, OverBudget},
		{"one failed", []error{over, failed}, Failed},
		{"one could not be judged", []error{failed, scenario.ErrNoName, over}, Errored},
	} {
		t.Run(test.name, func(t *testing.T) {
			family := &cases.Error{}
			for _, err := range test.errs {
				cleaned := matching.NewCleaned(fmt.Errorf("in a case: %w", err),
					func(text string) string { return text })
				family.Failed = append(family.Failed, cases.Failure{Err: cleaned})
			}
			if got := judge(family); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}
