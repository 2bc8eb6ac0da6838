package scenario

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// A server may wait for a store that the scenario has broken: that is what the scenario is about.
func TestWaitingForABrokenStoreIsNotCounted(t *testing.T) {
	for name, down := range map[string]bool{"store down": true, "store up": false} {
		t.Run(name, func(t *testing.T) {
			recorder := wire.NewRecorder()
			gate, err := wire.NewGateway(recorder, map[wire.Protocol]http.Handler{
				azure.Tables{}: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
			}, wire.GatewayOptions{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { gate.Close() })
			gate.SetDown(down)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if answer, err := http.Post(gate.Endpoint(azure.Table)+"/lane1/Tables", "application/json",
					nil); err == nil {
					answer.Body.Close()
				}
				<-r.Context().Done()
			}))
			t.Cleanup(server.Close)
			lane := &lane.Lane{
				Target: &target.Instance{URL: server.URL}, Recorder: recorder, Gate: gate,
				Lease: store.NewLease(&store.Namespace{}, nil),
				Maker: &lane.Maker{Target: target.URL(server.URL, nil)}, Client: &http.Client{Timeout: time.Second},
			}
			w := Begin(&Suite{Vocabulary: &Vocabulary{}}, lane, nil)
			if err := w.Requests.Sends(t.Context(), "Nobody", http.MethodGet, "/api/x", ""); err == nil {
				t.Fatal("it was answered")
			}
			if calls := w.Report.Exchanges()[0].Calls; len(calls) != 1 {
				t.Fatalf("calls %v, want one", calls)
			}
			if counted := lane.Patience.Count == 1; counted == down {
				t.Errorf("counted: %v", counted)
			}
		})
	}
}

// Requests that are sent at the same moment may wait for each other: the last of them is not given up on when one
// request alone would be.
func TestRequestsSentTogetherMayTakeLonger(t *testing.T) {
	const alone = 20 * time.Millisecond
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select { // as a server does that is busy with the others
		case <-time.After(5 * alone):
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	for crowd, answered := range map[int]bool{1: false, 50: true} {
		recorder := wire.NewRecorder()
		l := &lane.Lane{Target: &target.Instance{URL: server.URL}, Recorder: recorder,
			Lease: store.NewLease(&store.Namespace{}, nil),
			Maker: &lane.Maker{Target: target.URL(server.URL, nil)}, Client: &http.Client{Timeout: alone}}
		w := Begin(&Suite{Vocabulary: &Vocabulary{}}, l, nil)
		first := recorder.Begin("POST /api/x")
		for range crowd - 1 {
			first.Beside("POST /api/x").End()
		}
		_, err := w.Requests.RoundTrip(t.Context(), server.URL, first, nil,
			Request{Method: http.MethodPost, Path: "/api/x"})
		if got := err == nil; got != answered {
			t.Errorf("one of %d requests: %v", crowd, err)
		}
	}
}

// What the run waits for is shown on a terminal and in the log of a pipeline: without what no log may hold.
func TestWaitingNamesNoSecret(t *testing.T) {
	board := &waiting.Board{}
	shown := ""
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		shown = board.At(time.Now().Add(waiting.Notable))
	}))
	t.Cleanup(server.Close)
	recorder := wire.NewRecorder()
	l := &lane.Lane{Target: &target.Instance{URL: server.URL}, Recorder: recorder, Client: &http.Client{},
		Lease: store.NewLease(&store.Namespace{}, nil),
		Maker: &lane.Maker{Target: target.URL(server.URL, nil), Waits: board}}
	w := Begin(&Suite{Vocabulary: NewVocabulary([]Theme{{Secrets: map[string]string{"Pass": "the pass"}}})}, l, nil)
	w.Names.Keep("AnaPass", "0123456789-pass")
	if _, err := w.Requests.RoundTrip(t.Context(), server.URL, recorder.Begin("GET /api/x"), nil,
		Request{Method: http.MethodGet, Path: "/api/x/0123456789-pass?code=1"}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(shown, "waiting for the answer to GET /api/x/<the pass of Ana>, ") {
		t.Errorf("it shows %q", shown)
	}
}
