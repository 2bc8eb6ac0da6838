package faults

import (
	"context"
	"errors"
	"net/http"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

var errNoBatches = errors.New("the store has no batches that it could perform in part")

// leavesUnprocessed lets the store leave the last n operations of each batch, at most all but one, until the scenario
// ends.
func leavesUnprocessed(_ context.Context, stage *scenario.Stage, n int) error {
	lane, any := stage.Lane(), false
	for protocol := range lane.Lease.Upstream() {
		partial, ok := protocol.(wire.Partial)
		if !ok {
			continue
		}
		any = true
		lane.Gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
			if call.Service != protocol.Service() {
				return next
			}
			return partial.Leave(n, next)
		})
	}
	if !any {
		return scenario.SkipFor(errNoBatches, errNoBatches)
	}
	return nil
}
