package c4lendar

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"
)

// arrays are the keys of one kind that hold an array: caches of keys that are one per element. An element's own key is
// always written too. Two requests that change an array at once, and one that read it before the last write was to be
// seen, lose a change of the array, but never an element; repair writes the array again from the elements' keys.
type arrays[T any] struct {
	store *store
	key   func(owner string) string
	id    func(T) string
	most  int  // elements
	keeps bool // an array without elements is stored, rather than deleted
}

// add puts an element at the front, unless one of its id is there.
func (a *arrays[T]) add(ctx context.Context, owner string, element T) error {
	return a.change(ctx, owner, func(found []T) []T {
		if a.at(found, a.id(element)) >= 0 {
			return found
		}
		found = slices.Insert(found, 0, element)
		return found[:min(len(found), a.most)]
	})
}

// replace puts an element in the place of the one with its id, if it is there.
func (a *arrays[T]) replace(ctx context.Context, owner string, element T) error {
	return a.change(ctx, owner, func(found []T) []T {
		if i := a.at(found, a.id(element)); i >= 0 {
			found[i] = element
		}
		return found
	})
}

// drop removes elements.
func (a *arrays[T]) drop(ctx context.Context, owner string, ids ...string) error {
	return a.change(ctx, owner, func(found []T) []T {
		return slices.DeleteFunc(found, func(one T) bool { return slices.Contains(ids, a.id(one)) })
	})
}

func (a *arrays[T]) at(found []T, id string) int {
	return slices.IndexFunc(found, func(one T) bool { return a.id(one) == id })
}

// writePeriod is a little more than the second for which a key that was written takes no other write.
const writePeriod = 1100 * time.Millisecond

// change reads an array and writes it as edit returns it, if it differs: 1 get and at most 1 put or delete. When KV
// refuses the write because the key has just been written, both are made once more after a second, on what is stored by
// then (CB-LIM-3). Errors: the store's; the element's own key is written by then, and the same request again makes the
// change.
func (a *arrays[T]) change(ctx context.Context, owner string, edit func(found []T) []T) error {
	err := a.changeNow(ctx, owner, edit)
	if !errors.Is(err, errThrottled) {
		return err
	}
	select {
	case <-time.After(writePeriod):
		return a.changeNow(ctx, owner, edit)
	case <-ctx.Done():
		return err
	}
}

func (a *arrays[T]) changeNow(ctx context.Context, owner string, edit func(found []T) []T) error {
	found, err := a.read(ctx, owner)
	if err != nil {
		return err
	}
	edited := edit(slices.Clone(found))
	if same(found, edited) {
		return nil
	}
	return a.write(ctx, owner, edited)
}

func same[T any](a, b []T) bool {
	return slices.EqualFunc(a, b, func(x, y T) bool { return string(marshalled(x)) == string(marshalled(y)) })
}

// read returns an array: 1 get. What is not an array counts as one without elements.
func (a *arrays[T]) read(ctx context.Context, owner string) (found []T, _ error) {
	data, err := a.store.get(ctx, a.key(owner))
	if json.Unmarshal(data, &found) != nil {
		return nil, err // a store that does not answer gives no data either
	}
	return found, nil
}

// write stores an array; the key of one without elements is deleted, unless it is kept.
func (a *arrays[T]) write(ctx context.Context, owner string, elements []T) error {
	if len(elements) == 0 && !a.keeps {
		return a.store.remove(ctx, a.key(owner))
	}
	return a.store.putJSON(ctx, a.key(owner), append([]T{}, elements...), 0)
}

// rebuild makes arrays again from their elements' own keys, which elements reads, where they are others.
func (a *arrays[T]) rebuild(ctx context.Context, owners map[string]bool,
	elements func(ctx context.Context, owner string) ([]T, error), p *progress) error {
	all := slices.Collect(maps.Keys(owners))
	return inParallel(len(all), func(i int) error {
		before, err := a.read(ctx, all[i])
		if err != nil {
			return err
		}
		after, err := elements(ctx, all[i])
		if err != nil || same(before, after) {
			return err
		}
		p.migrated.Add(1)
		return a.write(ctx, all[i], after)
	})
}
