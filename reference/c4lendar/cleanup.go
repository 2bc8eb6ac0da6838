package c4lendar

import (
	"context"
	"encoding/json"
	"time"
)

// keptRevoked is how long a connection is kept after it was revoked.
const keptRevoked = 30 * 24 * time.Hour

// cleanup is POST /api/admin/cleanup: connections that were revoked more than 30 days ago are deleted, and the chat is
// taken from those of their e-mail (CB-CLN-1).
func (s upkeep) cleanup(ctx context.Context, cursor string, p *progress) (next string, _ error) {
	keys, values, next, err := s.keysAndValues(ctx, prefixConnections, cursor)
	if err != nil {
		return "", err
	}
	return next, inParallel(len(keys), func(i int) error {
		var one connection
		if json.Unmarshal(values[i], &one) != nil || !s.outlived(&one) {
			p.skipped.Add(1)
			return nil //nolint:nilerr // not a connection that the design wrote
		}
		p.deleted.Add(1)
		all, err := s.allConnections(ctx, one.ChatID)
		if err != nil {
			return err
		}
		return s.connections.forget(ctx, &one, all)
	})
}

func (s upkeep) outlived(one *connection) bool {
	at, err := time.Parse(time.RFC3339, one.UpdatedAt)
	return err == nil && one.Revoked == 1 && s.now().Sub(at) > keptRevoked
}
