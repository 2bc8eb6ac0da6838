package faults

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

var errNoEventual = errors.New("every read of the store is strongly consistent")

// readsLag lets the store answer reads that may lag from before the last write to the table, until the scenario ends.
func readsLag(_ context.Context, stage *scenario.Stage) error {
	lane, any := stage.Lane(), false
	for protocol := range lane.Lease.Upstream() {
		eventual, ok := protocol.(wire.Eventual)
		if !ok {
			continue
		}
		any = true
		var mu sync.Mutex
		lagging := map[string]http.Handler{} // by table
		sign := func(req *http.Request) { lane.Lease.Sign(protocol.Service(), req) }
		lane.Gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
			if call.Service != protocol.Service() || !call.Writes() && !eventual.MayLag(call) {
				return next
			}
			mu.Lock()
			defer mu.Unlock()
			if lagging[call.Resource] == nil {
				lagging[call.Resource] = eventual.Lagging(call.Resource, sign, next)
			}
			return lagging[call.Resource]
		})
	}
	if !any {
		return scenario.SkipFor(errNoEventual, errNoEventual)
	}
	return nil
}
