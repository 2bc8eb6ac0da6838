package lovehunt

import (
	"context"
	"slices"
	"strings"

	"github.com/storespec/storespec/reference/account"
)

// Repair mends what Compare finds wrong, as far as the phase says which store is right: HuntIndex follows Hunts, and in
// dual-write, or with toBlob, blobs follow the rows. toBlob comes before a step back from a phase that writes no blobs.
// It returns what it has mended. What was never migrated, and what nobody can read, stays.
func (t *Tools) Repair(ctx context.Context, toBlob bool) (mended []Disagreement, err error) {
	s := t.server
	found, err := t.as(s.phase(), toBlob).Compare(ctx)
	if err != nil {
		return nil, err
	}
	done := make([]bool, len(found.Wrong))
	err = account.InParallel(len(found.Wrong), func(i int) error {
		var err error
		done[i], err = t.mend(ctx, found.Wrong[i], toBlob)
		return err
	})
	for i, one := range found.Wrong {
		if done[i] {
			mended = append(mended, one)
		}
	}
	if err != nil {
		return mended, err
	}
	return mended, t.unfinished(ctx)
}

// as returns tools that judge as dual-write does if blobs are to be equal to the rows.
func (t *Tools) as(now phase, toBlob bool) *Tools {
	if !toBlob || now == blobOnly {
		return t
	}
	config := t.server.config
	config.Phase = dualWrite
	return &Tools{server: &Server{config: config, store: t.server.store, now: t.server.now, metrics: t.server.metrics},
		Report: t.Report}
}

func (t *Tools) mend(ctx context.Context, wrong Disagreement, toBlob bool) (bool, error) {
	s := t.server
	switch wrong.What {
	case indexLacks, indexDiffers, indexExtra:
		return true, t.reindex(ctx, wrong.at, wrong.row)
	case lags, blobHas, blobLacks:
		if !toBlob && !s.phase().writesBoth() {
			return false, nil
		}
		return true, s.mirror(ctx, wrong.at, nil, nil)
	}
	return false, nil
}

// reindex makes the index of one hunt follow its row, as it is now. wrong is a row of HuntIndex.
func (t *Tools) reindex(ctx context.Context, p place, wrong *row) error {
	s := t.server
	slug, id, _ := strings.Cut(wrong.key, ":")
	if p.slug != slug || p.huntID != id { // the key is what reads go by
		p = huntPlace(slug, id)
	}
	hunt, err := s.store.row(ctx, tableHunts, p.slug, p.huntID)
	if err != nil {
		return err
	}
	if hunt != nil && !isMark(hunt) {
		if _, err := s.index(ctx, p, nil, hunt); err != nil {
			return err
		}
		if slices.Contains(span(hunt), wrong.partition) {
			return nil
		}
	}
	return s.store.remove(ctx, &row{table: tableIndex, partition: wrong.partition, key: wrong.key})
}

// unfinished ends deletions that somebody has begun and not finished.
func (t *Tools) unfinished(ctx context.Context) error {
	if !t.server.phase().readsTables() {
		return nil
	}
	rows, err := t.server.store.query(ctx, tableHunts, columnDeleted+" gt ''")
	if err != nil {
		return err
	}
	return account.InParallel(len(rows), func(i int) error {
		r := rows[i]
		if migrated, err := t.server.migrated(ctx, r.partition); err != nil ||
			!migrated && t.server.phase().fallsBack() && r.columns[columnDates] == "" {
			return err
		}
		return t.server.finishRemoval(ctx, huntPlace(r.partition, r.key), r)
	})
}
