package c4lendar

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// migrate is POST /api/admin/migrate: the only account that a chat had before this design becomes a connection. The old
// key is kept. A connection that is there is left as it is, so that a second run changes nothing, and no one who was
// disconnected since is connected again (CB-MIG-1).
func (s upkeep) migrate(ctx context.Context, cursor string, p *progress) (next string, _ error) {
	keys, values, next, err := s.keysAndValues(ctx, prefixOld, cursor)
	if err != nil {
		return "", err
	}
	return next, inParallel(len(keys), func(i int) error {
		chat := strings.TrimPrefix(keys[i], prefixOld)
		var old oldTokens
		if !chatForm.MatchString(chat) || json.Unmarshal(values[i], &old) != nil || old.RefreshToken == "" {
			p.skipped.Add(1)
			return nil //nolint:nilerr // it is not what the design wrote
		}
		moved, err := s.migrateChat(ctx, chat, &old)
		switch {
		case err != nil: // the others go on; this one is tried again by the next run
			p.failed.Add(1)
		case moved:
			p.migrated.Add(1)
		default:
			p.skipped.Add(1)
		}
		return nil
	})
}

// migrateChat takes 2 gets and 3 puts at most. It reports whether it stored a connection.
func (s upkeep) migrateChat(ctx context.Context, chat string, old *oldTokens) (moved bool, _ error) {
	who, err := s.google.person(ctx, old.AccessToken)
	if errors.Is(err, errRefused) { // an access token lives for an hour
		given, failed := s.google.refresh(ctx, old.RefreshToken)
		if failed != nil {
			return false, failed
		}
		who, err = s.google.person(ctx, given.Access)
	}
	if err != nil {
		return false, err
	}
	email, err := emailOf(who.Email)
	if err != nil {
		return false, err
	}
	there, err := s.store.get(ctx, connectionKey(chat, who.ID))
	if err != nil || there != nil {
		return false, err
	}
	made := &connection{ChatID: chat, GoogleSub: who.ID, GoogleEmail: email, Scopes: old.Scope,
		ConnectedBy: old.LinkedBy, CreatedAt: old.LinkedAt}
	return true, s.connections.connect(ctx, made, old.RefreshToken)
}
