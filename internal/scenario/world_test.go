package scenario

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// A run that has ended does not wait for the storage calls of a target.
func TestFinishAfterTheEndWaitsForNoCall(t *testing.T) {
	recorder, arrived := wire.NewRecorder(), make(chan struct{})
	gate, err := wire.NewGateway(recorder, map[wire.Protocol]http.Handler{
		azure.Tables{}: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(arrived)
			<-r.Context().Done()
		}),
	}, wire.GatewayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gate.Close() })
	go func() {
		if answer, err := http.Get(gate.Endpoint(azure.Table) + "/lane1/Tables"); err == nil {
			answer.Body.Close()
		}
	}()
	<-arrived
	ctx, cancel := context.WithCancel(t.Context())
	w := Begin(&Suite{}, &lane.Lane{Target: &target.Instance{}, Recorder: recorder, Gate: gate, Paging: &wire.Paging{},
		Maker: &lane.Maker{}}, nil)
	w.Requests.Sent(&RoundTrip{method: http.MethodGet, Path: "/api/x", Request: recorder.Begin("GET /api/x")})
	cancel()
	finished := make(chan error, 1)
	go func() { finished <- w.Finish(ctx) }()
	select {
	case err := <-finished:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for a call that does not end")
	}
}
