package c4lendar

import (
	"context"
	"slices"
)

// maxRecent is how many events of a chat can be referred to.
const maxRecent = 50

// mappedEvents returns the newest events that have a mapping: the pages of a list and one bulk get. A uid sorts by its
// time.
func (s events) mappedEvents(ctx context.Context, chat string) ([]recent, error) {
	keys, err := s.store.list(ctx, eventsOf(chat))
	if err != nil {
		return nil, err
	}
	firsts := slices.CompactFunc(keys, func(a, b string) bool { // one mapping of each event
		event, _ := cutLast(a)
		other, _ := cutLast(b)
		return event == other
	})
	slices.Reverse(firsts)
	firsts = firsts[:min(len(firsts), maxRecent)]
	values, err := s.store.together(ctx, firsts)
	if err != nil {
		return nil, err
	}
	var found []recent
	for _, m := range decoded[mapping](values) {
		found = append(found, m.summary())
	}
	return found, nil
}
