package actions

import (
	"context"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// stats is GET /api/actions/stats: how many records and owners there are, and when they were written. It reads the keys
// and times of all rows, page by page.
func (s *Server) stats(ctx context.Context, _ *web.Exchange) (web.Reply, error) {
	var total, owners int
	var newest, oldest time.Time
	var owner string
	var from position
	for more := true; more; more = !from.none() {
		rows, next, err := s.store.page(ctx, query{keysAndTimes: true}, from)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.partition != owner { // an owner's rows are adjacent
				owners, owner = owners+1, r.partition
			}
			if r.synced.After(newest) {
				newest = r.synced
			}
			if total == 0 || r.synced.Before(oldest) {
				oldest = r.synced
			}
			total++
		}
		from = next
	}
	answer := web.Plain{"total": total, "owners": owners, "newestSyncedUtc": nil, "oldestSyncedUtc": nil}
	if total > 0 {
		answer["newestSyncedUtc"], answer["oldestSyncedUtc"] = timestamp(newest), timestamp(oldest)
	}
	return answer, nil
}
