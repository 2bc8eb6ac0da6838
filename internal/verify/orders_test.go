package verify

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/store"
)

// first is a server that writes down who came first: it looks whether another request has come and, if none has,
// writes a row under a key of that request's own, in the partition that the path names. It is wrong, as two may look
// before either writes.
type first struct{ client *aztables.Client }

func (f first) Close() error { return nil }

func (f first) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if trace := r.Header.Get("traceparent"); trace != "" {
		ctx = policy.WithHTTPHeader(ctx, http.Header{"Traceparent": {trace}})
	}
	if r.Method == http.MethodGet {
		if _, err := f.client.CreateTable(ctx, nil); err != nil && !already(err) && r.URL.Path != "/ready" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return
	}
	partition := strings.TrimPrefix(r.URL.Path, "/")
	filter := "PartitionKey eq '" + partition + "'"
	page, err := f.client.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter}).NextPage(ctx)
	if err == nil && len(page.Entities) == 0 {
		_, err = f.client.AddEntity(ctx, fmt.Appendf(nil, `{"PartitionKey":%q,"RowKey":%q}`, partition, rand.Text()),
			nil)
	}
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

const twoCome = `Given Ana is a person
When these run at the same time
| who    | method | path           | body |
| Nobody | POST   | /{Ana.userKey} | {}   |
| Nobody | POST   | /{Ana.userKey} | {}   |
Then all answers are 200
And the table Things holds 1 row`

// newFirst is a server on a store.
func newFirst(connection string, storage http.RoundTripper) (first, error) {
	client, err := aztables.NewServiceClientFromConnectionString(connection,
		&aztables.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: &http.Client{Transport: storage}}})
	if err != nil {
		return first{}, err
	}
	return first{client.NewClient("Things")}, nil
}

// raced runs a scenario in which two come at the same time.
func raced(t *testing.T, proofs proof.Proofs) ScenarioResult {
	t.Helper()
	o := options(t, open(t, store.Options{Name: "embedded"}), http.NotFound, twoCome)
	o.Target = target.Reference("first",
		func(getenv func(string) string, storage http.RoundTripper, _ io.Writer) (target.Handler, error) {
			return newFirst(getenv("STORE"), storage)
		})
	o.Proofs = proofs
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result.Rules[0].Results[0]
}

func TestOrdersFindWhoLooksBeforeTheOtherWrites(t *testing.T) {
	// Where each run has keys of its own, the two inserts are taken for ones of the same row: their order counts as
	// well.
	for stateless, orders := range map[bool]string{true: "of 3 orders broke it", false: "of 4 orders broke it"} {
		proofs := proof.Proofs{Orders: 50, Suite: "d1", Seed: 4, Stateless: stateless}
		scenario := raced(t, proofs)
		if scenario.Outcome != Failed || len(scenario.Cases) != 1 || !strings.Contains(scenario.Reason, orders) ||
			!strings.Contains(scenario.Reason, "the table Things holds 1 row: ") {
			t.Fatalf("stateless %t: %s after %+v: %s", stateless, scenario.Outcome, scenario.Cases, scenario.Reason)
		}
		replay, err := proof.ParseReplay(regexp.MustCompile(`--replay (\S+)`).FindStringSubmatch(scenario.Reason)[1])
		if err != nil {
			t.Fatal(err)
		}
		shown := scenario.Broken[0].Order
		if got := turns(shown); scenario.Broken[0].Name != "in the order\n    "+got {
			t.Errorf("stateless %t: the turns are\n%s\nand the case is %s", stateless, got, scenario.Broken[0].Name)
		}
		proofs.Only = replay
		if again := raced(t, proofs); !strings.HasPrefix(again.Reason, "1 of 1 orders broke it") {
			t.Errorf("stateless %t: the order %s runs as %s: %s", stateless, replay.Case, again.Outcome, again.Reason)
		} else if diff := cmp.Diff(shown, again.Broken[0].Order); stateless && diff != "" {
			t.Errorf("the turns of the replay (-first +again):\n%s", diff)
		}
	}
}

// turns writes the turns of an order as its case is called.
func turns(list []cases.Turn) string {
	text := ""
	for i, turn := range list {
		switch {
		case i == 0 || list[i-1].Request != turn.Request:
			text += fmt.Sprintf("\n    %c %s: %s", 'a'+turn.Request, turn.Who, turn.Call)
		default:
			text += ", " + turn.Call
		}
		if turn.Call != "send" && turn.Status == 0 {
			text += " (of no status)"
		}
	}
	return strings.TrimPrefix(text, "\n    ")
}

// One server that was started outside the run answers both requests: the trace shows whose call is to be held, and
// without it no order is run.
func TestOrdersOnOneServer(t *testing.T) {
	for name, test := range map[string]struct {
		passesOn bool
		outcome  Outcome
		reason   string
	}{
		"passes the trace on": {true, Failed, "of 4 orders broke it"},
		"does not":            {false, Skipped, "does not pass traceparent on"},
	} {
		t.Run(name, func(t *testing.T) {
			var server first
			o := options(t, open(t, store.Options{Name: "embedded"}), func(w http.ResponseWriter, r *http.Request) {
				if !test.passesOn {
					r.Header.Del("traceparent")
				}
				server.ServeHTTP(w, r)
			}, twoCome)
			o.Target = told{o.Target, func(connection string) {
				var err error
				if server, err = newFirst(connection, nil); err != nil {
					t.Error(err)
				}
			}}
			o.Proofs = proof.Proofs{Orders: 50, Suite: "d1", Seed: 4}
			result, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if got := result.Rules[0].Results[0]; got.Outcome != test.outcome ||
				!strings.Contains(got.Reason, test.reason) {
				t.Errorf("%s after %+v: %s", got.Outcome, got.Cases, got.Reason)
			}
		})
	}
}

// hanging is a server that does not answer some of its POST requests, by their number.
type hanging struct {
	first
	posts *atomic.Int32
	on    func(post int32) bool
}

func (h hanging) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && h.on(h.posts.Add(1)) {
		<-r.Context().Done()
		return
	}
	h.first.ServeHTTP(w, r)
}

// An order in which requests have no answers is run again: a server that hangs does so each time, one that only had no
// processor for a while does not.
func TestAnOrderWithoutAnswersIsRunAgain(t *testing.T) {
	const alone = 2 // requests that are sent to learn what they do
	for name, test := range map[string]struct {
		on     func(post int32) bool
		reason string
	}{
		"once": {func(post int32) bool { return post == alone+1 }, "the table Things holds 1 row: "},
		"always": {func(post int32) bool { return post > alone && post%2 == 1 },
			"1 of 1 orders broke it\n- in the order"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			posts := &atomic.Int32{}
			o := options(t, open(t, store.Options{Name: "embedded"}), http.NotFound, twoCome)
			o.Target = target.Reference("first",
				func(getenv func(string) string, storage http.RoundTripper, _ io.Writer) (target.Handler, error) {
					server, err := newFirst(getenv("STORE"), storage)
					return hanging{server, posts, test.on}, err
				})
			o.AnswerWithin = time.Second
			o.Proofs = proof.Proofs{Orders: 50, Suite: "d1", Seed: 4, Stateless: true}
			result, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			got := result.Rules[0].Results[0]
			if got.Outcome != Failed || !strings.Contains(got.Reason, test.reason) ||
				strings.Contains(got.Reason, "had no answers within 1s") != (name == "always") {
				t.Errorf("%s after %+v: %s", got.Outcome, got.Cases, got.Reason)
			}
		})
	}
}
