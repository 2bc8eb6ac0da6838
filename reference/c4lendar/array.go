package c4lendar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"
)

// arrays are the keys of one kind that hold an array: caches of keys that are one per element. An element's own key is
// always written too. Two requests that change an array at once, and one that read it before the last write was to be
// seen, lose a change of the array, but never an element; repair writes the array anew from the elements' keys.
type arrays[T any] struct {
	store *store
	key   func(owner string) string
	id    func(T) string
	most  int  // elements; 0: any number
	keeps bool // an array without elements is stored, rather than deleted
	turns turns
}

func newArrays[T any](s *store, key func(owner string) string, id func(T) string) *arrays[T] {
	return &arrays[T]{store: s, key: key, id: id, turns: newTurns()}
}

// add puts an element at the front, unless one of its id is there.
func (a *arrays[T]) add(ctx context.Context, owner string, element T) error {
	return a.change(ctx, owner, func(found []T) []T {
		if a.at(found, a.id(element)) >= 0 {
			return found
		}
		found = slices.Insert(found, 0, element)
		if a.most > 0 && len(found) > a.most {
			found = found[:a.most]
		}
		return found
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
// then (CB-LIM-3). Requests of this process take turns. Errors: the store's; the element's own key is written by then,
// and the same request again makes the change.
func (a *arrays[T]) change(ctx context.Context, owner string, edit func(found []T) []T) error {
	done, err := a.turns.take(ctx, owner)
	if err != nil {
		return err
	}
	defer done()
	for again := true; ; again = false {
		found, present, err := a.stored(ctx, owner)
		if err != nil {
			return err
		}
		edited := edit(slices.Clone(found))
		if same(found, edited) {
			return nil
		}
		err = a.write(ctx, owner, edited, present)
		if !again || !errors.Is(err, errThrottled) {
			return err
		}
		select {
		case <-time.After(writePeriod):
		case <-ctx.Done():
			return err
		}
	}
}

// read returns an array: 1 get.
func (a *arrays[T]) read(ctx context.Context, owner string) ([]T, error) {
	found, _, err := a.stored(ctx, owner)
	return found, err
}

// stored reads an array. What is not an array counts as one without elements.
func (a *arrays[T]) stored(ctx context.Context, owner string) (found []T, present bool, _ error) {
	data, err := a.store.get(ctx, a.key(owner))
	if err != nil || data == nil {
		return nil, false, err
	}
	if json.Unmarshal(data, &found) != nil {
		found = nil
	}
	return found, true, nil
}

// write stores an array; the key of one without elements is deleted, unless it is kept.
func (a *arrays[T]) write(ctx context.Context, owner string, elements []T, present bool) error {
	switch {
	case len(elements) > 0 || a.keeps:
		return a.store.putJSON(ctx, a.key(owner), append([]T{}, elements...), 0)
	case present:
		return a.store.remove(ctx, a.key(owner))
	}
	return nil
}

// rebuild writes an array anew, if its elements are others, and reports whether it did. elements returns them from
// their own keys.
func (a *arrays[T]) rebuild(ctx context.Context, owner string,
	elements func(ctx context.Context, owner string) ([]T, error)) (changed bool, _ error) {
	done, err := a.turns.take(ctx, owner)
	if err != nil {
		return false, err
	}
	defer done()
	before, present, err := a.stored(ctx, owner)
	if err != nil {
		return false, err
	}
	after, err := elements(ctx, owner)
	if err != nil {
		return false, err
	}
	if same(a.sorted(before), a.sorted(after)) && (len(after) > 0 || a.keeps || !present) {
		return false, nil
	}
	return true, a.write(ctx, owner, after, present)
}

// sorted returns elements by their ids: their own keys do not always have the order of the array.
func (a *arrays[T]) sorted(list []T) []T {
	return slices.SortedFunc(slices.Values(list), func(x, y T) int { return strings.Compare(a.id(x), a.id(y)) })
}

func same[T any](a, b []T) bool {
	return len(a) == 0 && len(b) == 0 || string(marshalled(a)) == string(marshalled(b))
}

// turns makes the requests of this process for one array run one after the other, which spares it the changes that
// would be lost. No rule depends on it: other processes write too. Each turn is shared by many arrays, and its channel
// holds one token while nobody has the turn.
type turns [64]chan struct{}

func newTurns() (t turns) {
	for i := range t {
		t[i] = make(chan struct{}, 1)
		t[i] <- struct{}{}
	}
	return t
}

// take waits for the turn of an array; done passes it on. Errors: errUnavailable when ctx ends first.
func (t *turns) take(ctx context.Context, owner string) (done func(), err error) {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(owner)) // never fails
	turn := t[sum.Sum32()%uint32(len(t))]
	select {
	case <-turn:
		return func() { turn <- struct{}{} }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: waiting for other requests took too long", errUnavailable)
	}
}
