package verify

import (
	"errors"
	"net/http"
	"regexp"
	"sync"
	"testing"

	"github.com/storespec/storespec/internal/store"
)

// mixed is a server that answers two requests at once or none, so that their storage calls are mixed, one of each.
type mixed struct {
	tables   string // where its storage is
	passesOn func(r *http.Request) bool

	mu      sync.Mutex
	waiting chan struct{} // of the first of two; nil: none waits
}

func (m *mixed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/needs-store" {
		m.pair()
	}
	call, err := http.NewRequestWithContext(r.Context(), http.MethodGet, m.tables+"/T(PartitionKey='p',RowKey='r')",
		nil)
	if err != nil {
		panic(err)
	}
	if m.passesOn(r) {
		call.Header.Set("traceparent", r.Header.Get("traceparent"))
	}
	answer, err := http.DefaultClient.Do(call)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_ = answer.Body.Close()
	if r.URL.Path != "/needs-store" {
		m.pair()
	}
	w.WriteHeader(http.StatusOK)
}

// pair returns when two have called it.
func (m *mixed) pair() {
	m.mu.Lock()
	if first := m.waiting; first != nil {
		m.waiting = nil
		m.mu.Unlock()
		close(first)
		return
	}
	wait := make(chan struct{})
	m.waiting = wait
	m.mu.Unlock()
	<-wait
}

const costsOneRead = "When Nobody sends GET /api/x\nThen the answer is 200\n" +
	"And the storage calls are exactly\n| service | call | on | count |\n| table | point read | T | 1 |"

// On a server that passes the trace on, scenarios run at the same time, and each has its own calls only. On one that
// does not, none runs; and where some calls carry no trace, nothing can be trusted.
func TestScenariosAtOnceOnOneServer(t *testing.T) {
	probe := func(r *http.Request) bool { return r.URL.Path == "/needs-store" }
	for name, test := range map[string]struct {
		passesOn func(*http.Request) bool
		want     error
		judged   bool
	}{
		"passes the trace on":     {func(*http.Request) bool { return true }, nil, true},
		"does not":                {func(*http.Request) bool { return false }, ErrNoTrace, false},
		"only with the first one": {probe, ErrNoTrace, true},
	} {
		t.Run(name, func(t *testing.T) {
			server := &mixed{passesOn: test.passesOn}
			o := options(t, open(t, store.Options{Name: "embedded"}), server.ServeHTTP, costsOneRead, costsOneRead,
				costsOneRead, costsOneRead)
			o.Lanes, o.Reference = 2, true
			o.Target = told{o.Target, func(connection string) {
				server.tables = regexp.MustCompile(`TableEndpoint=([^;]+)`).FindStringSubmatch(connection)[1]
			}}
			result, err := Run(t.Context(), o)
			if !errors.Is(err, test.want) {
				t.Fatalf("error %v, want %v", err, test.want)
			}
			if (result != nil) != test.judged {
				t.Fatalf("result %+v", result)
			}
			if test.want != nil {
				return
			}
			if counts := result.ScenarioCounts(); counts[Passed] != 4 {
				t.Errorf("scenarios: %v", counts)
			}
			if got := result.Attributed; got.ByTrace != 5 || got.ByLane != 0 || result.Calls != 5 {
				t.Errorf("%d calls, attributed %+v, want 5 by trace", result.Calls, got)
			}
		})
	}
}

func TestScenariosAtOnceNeedAStore(t *testing.T) {
	o := options(t, open(t, store.Options{Name: "embedded"}), func(http.ResponseWriter, *http.Request) {}, asks, asks)
	o.Lanes = 2
	if _, err := Run(t.Context(), o); !errors.As(err, new(*NoCallsError)) {
		t.Errorf("error %v, want a *NoCallsError", err)
	}
}
