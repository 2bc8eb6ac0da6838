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
func (s *Server) cleanup(ctx context.Context, cursor string, p *progress) (next string, _ error) {
	keys, values, next, err := s.keysAndValues(ctx, prefixConnections, cursor)
	if err != nil {
		return "", err
	}
	old := map[string][]*connection{} // by chat
	for i := range keys {
		one := &connection{}
		if json.Unmarshal(values[i], one) != nil || !s.outlived(one) ||
			connectionKey(one.ChatID, one.GoogleSub) != keys[i] {
			p.skipped++
			continue
		}
		old[one.ChatID] = append(old[one.ChatID], one)
	}
	for chat, gone := range old {
		all, err := s.allConnections(ctx, chat)
		for _, one := range gone {
			if err == nil {
				err = s.forget(ctx, one, all)
			}
			if err != nil {
				p.failed++
				continue
			}
			p.deleted++
		}
	}
	return next, nil
}

func (s *Server) outlived(one *connection) bool {
	at, err := time.Parse(time.RFC3339, one.UpdatedAt)
	return err == nil && one.Revoked == 1 && s.now().Sub(at) > keptRevoked
}

// forget deletes a connection, after the index that it names.
func (s *Server) forget(ctx context.Context, one *connection, all []*connection) error {
	if err := s.leaveUnlessActive(ctx, one, all); err != nil {
		return err
	}
	return s.store.remove(ctx, connectionKey(one.ChatID, one.GoogleSub))
}
