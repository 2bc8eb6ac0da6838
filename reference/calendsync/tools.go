package calendsync

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"
)

// Tools works on the table past the servers, while they serve. Each tool can be ended at any storage call, and finishes
// its work when it is run again.
//
//	storage_table.go  creates the table, and deletes it
//	seed.go           writes entries to try a calendar with
//	migrate.go        writes what an older storage had
//	repair.go         removes what interrupted requests left
type Tools struct {
	server *Server
	// Report is called with how many of how many items have been dealt with. nil: it is not.
	Report func(done, total int)
}

// NewTools returns tools for the table of a configuration; it makes no call. Close them.
func NewTools(config Config, now func() time.Time) *Tools {
	return &Tools{server: New(config, now, func() string { return "" }, slog.New(slog.DiscardHandler))}
}

// Close closes idle connections.
func (t *Tools) Close() { t.server.store.close() }

func (t *Tools) report(done, total int) {
	if t.Report != nil {
		t.Report(done, total)
	}
}

// ErrNoTable is the error of every tool but Deploy and Destroy if there is no table.
var ErrNoTable = errors.New("the table does not exist: deploy it first")

// writeMissing writes the items that do not exist yet, by their keys; the others stay as they are. written counts what
// was written; done is how many of total were dealt with before, for Report.
func (t *Tools) writeMissing(ctx context.Context, items []item, done, total int) (written int, _ error) {
	for some := range slices.Chunk(items, maxBatchGet) {
		there, err := t.server.store.batchGet(ctx, keysOf(some))
		if err != nil {
			return written, err
		}
		missing := slices.DeleteFunc(slices.Clone(some), func(i item) bool { return there[i.key()] != nil })
		if err := t.server.store.putAll(ctx, missing); err != nil {
			return written, err
		}
		written += len(missing)
		done += len(some)
		t.report(done, total)
	}
	return written, nil
}

// hasTable returns an error unless the table exists, and is the design's.
func (t *Tools) hasTable(ctx context.Context) error {
	exists, err := t.Plan(ctx)
	if err == nil && !exists {
		err = fmt.Errorf("%s: %w", t.server.store.table, ErrNoTable)
	}
	return err
}
