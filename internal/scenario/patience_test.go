package scenario

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/azure"
	"github.com/storespec/storespec/internal/lane"
	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/wire"
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
				Maker: &lane.Maker{Target: target.URL(server.URL, nil)}, Client: &http.Client{Timeout: time.Second},
			}
			w := &World{}
			w.Begin(&Suite{Vocabulary: &Vocabulary{}}, lane, nil)
			if err := w.Sends(t.Context(), "Nobody", http.MethodGet, "/api/x", ""); err == nil {
				t.Fatal("it was answered")
			}
			if calls := w.Exchanges()[0].Calls; len(calls) != 1 {
				t.Fatalf("calls %v, want one", calls)
			}
			if counted := lane.Patience.Count == 1; counted == down {
				t.Errorf("counted: %v", counted)
			}
		})
	}
}
