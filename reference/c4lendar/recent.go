package c4lendar

import (
	"context"
	"slices"
	"strings"
)

// maxRecent is how many events of a chat can be referred to.
const maxRecent = 50

// mappedEvents returns the newest events that have a mapping: the pages of a list and one get of
// 50 keys at most. A uid sorts by
// its time.
func (s *Server) mappedEvents(ctx context.Context, chat string) ([]recent, error) {
	keys, err := s.store.list(ctx, eventsOf(chat))
	if err != nil {
		return nil, err
	}
	var firsts []string // the first mapping of each event
	for _, key := range keys {
		event, _ := cutLast(key)
		if len(firsts) == 0 || !strings.HasPrefix(firsts[len(firsts)-1], event+":") {
			firsts = append(firsts, key)
		}
	}
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
