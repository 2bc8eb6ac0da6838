package actions

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/reference/account"
)

// PurgeOptions says which rows Purge deletes. LastSyncedUtc does not move for records that are loaded again unchanged,
// so age alone does not make a row stale: something else has to say that a record is gone.
type PurgeOptions struct {
	OlderThan time.Duration // rows last written longer ago than this are considered; above 0
	Live      *Live         // rows whose keys are not in it are deleted; nil: see Unchanged
	Unchanged bool          // all old rows are deleted, even those that are still loaded; not together with Live
	DryRun    bool          // nothing is archived and nothing deleted
	Container string        // where archives go; it is created
}

// PurgeReport is what Purge found and did. Without Live and Unchanged, and in a dry run, nothing was archived or
// deleted.
type PurgeReport struct {
	Old      int // rows last written longer ago than OlderThan
	Stale    int // of these, those to be deleted according to Live and Unchanged
	Archived int // of these, the archived ones
	Deleted  int // of these, the deleted ones
	Changed  int // archived but kept: they were written meanwhile
	// Archives are the names of the blobs, each in NDJSON: records in the form of GET /api/actions/{owner}/{name},
	// which `storespec actions load` accepts as is.
	Archives []string
}

const (
	// purgeDeadline bounds what one page of a purge may take.
	purgeDeadline = 5 * time.Minute
	// purgeID is long enough for two purges that start at the same instant to have separate archives.
	purgeID = 8
)

// Purge archives old rows to blobs and then deletes them, each under If-Match (GA-PUR-1). An archive is complete before
// the first of its rows is deleted, so a crash in between loses nothing: the next purge archives these rows once more.
// The report is valid even when there is an error. now and newID are as for New. Errors: contradictory options;
// ErrNoTable; storage errors.
func Purge(ctx context.Context, config Config, options PurgeOptions, now func() time.Time, newID func() string,
	log *slog.Logger) (PurgeReport, error) {
	var report PurgeReport
	switch {
	case options.OlderThan <= 0:
		return report, errors.New("a purge needs an age above 0")
	case options.Live != nil && options.Unchanged:
		return report, errors.New("a purge takes what is not live or all that is unchanged, not both")
	case !isContainerName(options.Container):
		return report, errors.New("a purge needs the name of a container for its archives")
	}
	config.HistoryContainer = options.Container
	storage, err := openStore(config)
	if err != nil {
		return report, err
	}
	defer storage.close()
	storage.existing = true // a missing table holds nothing to purge, and its name may be misspelled
	cached, err := openCache(config, now, newID, log)
	if err != nil {
		return report, err
	}
	defer func() { _ = cached.close() }()
	p := purge{store: storage, cache: cached, options: options, report: &report, began: now(), id: newID()[:purgeID]}
	old := query{filter: syncedBefore(p.began.Add(-options.OlderThan))}
	var from position
	for more := true; more; more = !from.none() {
		if from, err = p.page(ctx, old, from); err != nil {
			return report, err
		}
	}
	return report, nil
}

// purge is one in progress.
type purge struct {
	store   *store
	cache   *cache
	options PurgeOptions
	report  *PurgeReport
	began   time.Time
	id      string
}

// page purges one page of old rows.
func (p *purge) page(ctx context.Context, old query, from position) (position, error) {
	ctx, cancel := context.WithTimeout(ctx, purgeDeadline)
	defer cancel()
	rows, next, err := p.store.page(ctx, old, from)
	if err != nil {
		return next, err
	}
	var stale []*row
	for _, r := range rows {
		if p.options.Unchanged || p.options.Live != nil && !p.options.Live.has(r.key) {
			stale = append(stale, r)
		}
	}
	p.report.Old += len(rows)
	p.report.Stale += len(stale)
	if p.options.DryRun || len(stale) == 0 {
		return next, nil
	}
	if err := p.archive(ctx, stale); err != nil {
		return next, err
	}
	return next, p.remove(ctx, stale)
}

func (p *purge) archive(ctx context.Context, stale []*row) error {
	var lines bytes.Buffer
	for _, r := range stale {
		record, err := r.record()
		if err != nil {
			return err
		}
		lines.Write(record)
		lines.WriteByte('\n')
	}
	name := purgedBlob(p.began, p.id, len(p.report.Archives)+1)
	if err := p.store.archive(ctx, name, lines.Bytes()); err != nil {
		return err
	}
	p.report.Archives = append(p.report.Archives, name)
	p.report.Archived += len(stale)
	return nil
}

func (p *purge) remove(ctx context.Context, stale []*row) error {
	var deleted, changed atomic.Int64
	err := account.InParallel(len(stale), func(i int) error {
		err := p.store.remove(ctx, stale[i])
		p.cache.forget(ctx, stale[i].key)
		switch {
		case errors.Is(err, account.ErrChanged):
			changed.Add(1)
			return nil
		case err == nil:
			deleted.Add(1)
		}
		return err
	})
	p.report.Deleted += int(deleted.Load())
	p.report.Changed += int(changed.Load())
	return err
}
