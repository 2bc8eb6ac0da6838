package lovehunt

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/storespec/storespec/reference/account"
)

// Repair corrects what Compare finds, as far as the phase says which store is right: rows follow their JSON,
// HuntIndex follows Hunts, and in dual-write, or with toBlob, blobs follow the rows.
// toBlob comes before a step back from a phase that writes no blobs. It returns what it has mended. What was never
// migrated, and what cannot be read, stays.
func (t *Tools) Repair(ctx context.Context, toBlob bool) (mended []Disagreement, err error) {
	found, err := t.compare(ctx, toBlob || t.server.phase().writesBoth())
	if err != nil {
		return nil, err
	}
	done := make([]bool, len(found.Wrong))
	groups := together(found.Wrong)
	err = account.InParallel(len(groups), func(i int) (err error) {
		for _, n := range groups[i] {
			if done[n], err = t.mend(ctx, found.Wrong[n]); err != nil {
				return err
			}
		}
		return nil
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

// together groups the positions of what is mended in the same blob, or in the index of the same hunt. A group is mended
// in its order: so the tool loses no round to itself, and the hunts that come into a blob are in the same order each
// time.
func together(wrong []Disagreement) (groups [][]int) {
	known := map[string]int{}
	for i, one := range wrong {
		what := one.at.blob()
		if one.row != nil {
			what = one.row.key
		}
		n, ok := known[what]
		if !ok {
			n = len(groups)
			known[what], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], i)
	}
	return groups
}

// mend corrects one disagreement; false if it stays.
func (t *Tools) mend(ctx context.Context, wrong Disagreement) (bool, error) {
	switch wrong.What {
	case indexLacks, indexDiffers, indexExtra:
		return true, t.reindex(ctx, wrong.row)
	case lags, blobHas, blobLacks:
		return true, t.server.mirror(ctx, wrong.at, nil, nil)
	case rowDiffers:
		return true, t.rewrite(ctx, wrong)
	}
	return false, nil
}

// rewrite writes a row whose columns differ from its JSON as the JSON has it. One that has changed meanwhile is right.
func (t *Tools) rewrite(ctx context.Context, wrong Disagreement) error {
	now, err := t.server.rowAt(ctx, wrong.at)
	if now == nil {
		return err
	}
	if err := t.server.store.write(ctx, wrong.at.whole(now)); err != nil && !errors.Is(err, account.ErrChanged) {
		return err
	}
	if !wrong.same {
		return nil
	}
	return t.server.mirror(ctx, wrong.at, nil, nil)
}

// reindex makes the index of one hunt follow its row, as it is now. wrong is a row of HuntIndex, whose key says which
// hunt it is about.
func (t *Tools) reindex(ctx context.Context, wrong *row) error {
	slug, id, _ := strings.Cut(wrong.key, ":")
	p := huntPlace(slug, id)
	hunt, err := t.server.huntAt(ctx, p)
	if err != nil {
		return err
	}
	if hunt != nil {
		if err := t.server.index(ctx, p, nil, hunt); err != nil {
			return err
		}
	}
	if slices.Contains(span(hunt), wrong.partition) {
		return nil
	}
	return t.server.store.remove(ctx, wrong)
}

// unfinished finishes deletions that were begun.
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
		migrated, err := t.server.migrated(ctx, r.partition)
		if err != nil {
			return err
		}
		if !migrated && r.columns[columnDates] == "" { // the mark has to stay
			return nil
		}
		return t.server.finishRemoval(ctx, huntPlace(r.partition, r.key), r)
	})
}
