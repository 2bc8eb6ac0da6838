package stores

import (
	"context"
	"time"

	"github.com/storespec/storespec/internal/store"
)

// closeWithin bounds the shutdown of a store after a run, so that a hanging daemon does not keep a user waiting who
// pressed Ctrl-C.
const closeWithin = 15 * time.Second

// Close closes a store, even after ctx has ended.
func Close(ctx context.Context, opened store.Store) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer cancel()
	return opened.Close(ctx)
}
