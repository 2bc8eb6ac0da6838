package steps

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/wire"
)

// A run that has ended does not wait for the storage calls of a target.
func TestFinishAfterTheEndWaitsForNoCall(t *testing.T) {
	recorder, arrived := wire.NewRecorder(), make(chan struct{})
	gate, err := wire.NewGateway(recorder, map[wire.Service]http.Handler{
		wire.Table: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(arrived)
			<-r.Context().Done()
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gate.Close() })
	go func() {
		if answer, err := http.Get(gate.Endpoint(wire.Table) + "/lane1/Tables"); err == nil {
			answer.Body.Close()
		}
	}()
	<-arrived
	ctx, cancel := context.WithCancel(t.Context())
	w := &World{}
	w.Begin(ctx, &Lane{Target: &target.Instance{}, Recorder: recorder, gate: gate, paging: &wire.Paging{}, maker: &LaneMaker{}}, nil)
	w.sent(&exchange{method: http.MethodGet, path: "/api/x", request: recorder.Begin("GET /api/x")})
	cancel()
	finished := make(chan error, 1)
	go func() { finished <- w.Finish(t.Context()) }()
	select {
	case err := <-finished:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for a call that does not end")
	}
}
