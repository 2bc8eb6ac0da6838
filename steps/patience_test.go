package steps

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/wire"
)

func TestPatienceEndsAfterThreeInARow(t *testing.T) {
	now := time.Now()
	after := func(n time.Duration) time.Time { return now.Add(n * time.Hour) }
	var p patience
	if p.unanswered(after(0)) || p.unanswered(after(1)) {
		t.Error("two were enough")
	}
	p.answered()
	if p.unanswered(after(2)) || p.unanswered(after(3)) {
		t.Error("an answer in between did not count")
	}
	for range 5 {
		if p.unanswered(now.Add(-time.Hour)) {
			t.Error("requests at the same moment count as several")
		}
	}
	if !p.unanswered(after(4)) {
		t.Error("three were not enough")
	}
}

// A server may wait for a store that the scenario has broken: that is what the scenario is about.
func TestWaitingForABrokenStoreIsNotCounted(t *testing.T) {
	for name, down := range map[string]bool{"store down": true, "store up": false} {
		t.Run(name, func(t *testing.T) {
			recorder := wire.NewRecorder()
			gate, err := wire.NewGateway(recorder, map[wire.Service]http.Handler{
				wire.Table: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { gate.Close() })
			gate.SetDown(down)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if answer, err := http.Post(gate.Endpoint(wire.Table)+"/lane1/Tables", "application/json", nil); err == nil {
					answer.Body.Close()
				}
				<-r.Context().Done()
			}))
			t.Cleanup(server.Close)
			lane := &Lane{
				Target: &target.Instance{URL: server.URL}, Recorder: recorder, gate: gate,
				maker: &LaneMaker{Target: target.URL(server.URL, nil)}, client: &http.Client{Timeout: time.Second},
			}
			w := &World{}
			w.Begin(t.Context(), lane, nil)
			if err := w.sends("Nobody", http.MethodGet, "/api/x", ""); err == nil {
				t.Fatal("it was answered")
			}
			if calls := w.Exchanges()[0].Calls; len(calls) != 1 {
				t.Fatalf("calls %v, want one", calls)
			}
			if counted := lane.patience.count == 1; counted == down {
				t.Errorf("counted: %v", counted)
			}
		})
	}
}
