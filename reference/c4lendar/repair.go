package c4lendar

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// The stages of repair; each cursor begins with the letter of one.
const (
	stageConnections = "c" // every active connection is in the index of its e-mail
	stageEmails      = "i" // that index lists no other chat, and neither does the array
	stageEvents      = "e" // the recent events are those with a mapping
)

// shownWithin is how long KV may take to show a write everywhere (Cloudflare, "How KV works"), and a little more.
const shownWithin = 75 * time.Second

// repair is POST /api/admin/repair: it makes the indexes agree with connections and mappings, also those of data that
// the design's own functions wrote. Tokens under the previous key are encrypted anew (CB-ENC-4).
func (s *Server) repair(ctx context.Context, cursor string, p *progress) (next string, err error) {
	stage, at := stageConnections, ""
	if cursor != "" {
		stage, at = cursor[:1], cursor[1:]
	}
	after := ""
	switch stage {
	case stageConnections:
		next, err = s.repairConnections(ctx, at, p)
		after = stageEmails
	case stageEmails:
		next, err = s.repairEmails(ctx, at, p)
		after = stageEvents
	case stageEvents:
		next, err = s.repairEvents(ctx, at, p)
	default:
		return "", wrongCursor()
	}
	if err != nil {
		return "", err
	}
	if next != "" {
		return stage + next, nil
	}
	return after, nil
}

// repairConnections costs 3 calls and at most 3 for each connection.
func (s *Server) repairConnections(ctx context.Context, cursor string, p *progress) (next string, _ error) {
	_, values, next, err := s.keysAndValues(ctx, prefixConnections, cursor)
	if err != nil {
		return "", err
	}
	active := activeOf(decoded[connection](values))
	keys := make([]string, len(active))
	for i, one := range active {
		keys[i] = chatKey(one.GoogleEmail, one.ChatID)
	}
	there, err := s.store.together(ctx, keys)
	if err != nil {
		return "", err
	}
	return next, inParallel(len(active), func(i int) error {
		if there[i] == nil {
			if err := s.store.putJSON(ctx, keys[i], entered{active[i].ChatID, s.timestamp()}, 0); err != nil {
				return err
			}
		}
		anew, err := s.encryptAnew(ctx, active[i])
		if err != nil {
			return err
		}
		if there[i] == nil || anew {
			p.count(&p.migrated)
		} else {
			p.count(&p.skipped)
		}
		return nil
	})
}

// encryptAnew writes a connection whose token only the previous key opens, unless it has changed meanwhile.
func (s *Server) encryptAnew(ctx context.Context, one *connection) (bool, error) {
	token, old, err := s.vault.decrypt(one.RefreshToken)
	if err != nil || !old {
		return false, nil //nolint:nilerr // one that neither key opens is left as it is
	}
	now, err := s.connection(ctx, one.ChatID, one.GoogleSub)
	if err != nil || now == nil || now.RefreshToken != one.RefreshToken {
		return false, err
	}
	if now.RefreshToken, err = s.vault.encrypt(token); err != nil {
		return false, err
	}
	return true, s.write(ctx, now)
}

// repairEmails costs 2 calls and at most 6 for each chat of an e-mail.
func (s *Server) repairEmails(ctx context.Context, cursor string, p *progress) (next string, _ error) {
	keys, values, next, err := s.keysAndValues(ctx, prefixEmails, cursor)
	if err != nil {
		return "", err
	}
	seen := map[string]bool{}
	var emails []string
	for i, key := range keys {
		email, chat, element := strings.Cut(strings.TrimPrefix(key, prefixEmails), ":")
		if !seen[email] {
			seen[email], emails = true, append(emails, email)
		}
		if !element || s.young(values[i]) {
			continue
		}
		if err := s.repairChat(ctx, email, chat, p); err != nil {
			return "", err
		}
	}
	return next, inParallel(len(emails), func(i int) error {
		changed, err := s.emails.rebuild(ctx, emails[i], s.chatsOf)
		if changed {
			p.count(&p.migrated)
		}
		return err
	})
}

// young reports whether a chat was added so recently that its connection may not be seen yet.
func (s *Server) young(value []byte) bool {
	var e entered
	if json.Unmarshal(value, &e) != nil {
		return false
	}
	at, err := time.Parse(time.RFC3339, e.At)
	return err == nil && s.now().Sub(at) < shownWithin
}

// repairChat removes a chat from those of an e-mail unless it has an active connection of it: 3 calls.
func (s *Server) repairChat(ctx context.Context, email, chat string, p *progress) error {
	all, err := s.allConnections(ctx, chat)
	if err != nil {
		return err
	}
	if found := ofEmail(all, email); len(found) > 0 && found[0].active() {
		return nil
	}
	if err := s.store.remove(ctx, chatKey(email, chat)); err != nil {
		return err
	}
	p.count(&p.deleted)
	return nil
}

// repairEvents costs 1 call and at most 4 for each chat.
func (s *Server) repairEvents(ctx context.Context, cursor string, p *progress) (next string, _ error) {
	keys, next, err := s.store.page(ctx, prefixEvents, cursor, toolPage)
	if err != nil {
		return "", err
	}
	seen := map[string]bool{}
	var chats []string
	for _, key := range keys {
		chat, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(key, prefixRecent), prefixEvents), ":")
		if !seen[chat] && chatForm.MatchString(chat) {
			seen[chat], chats = true, append(chats, chat)
		}
	}
	return next, inParallel(len(chats), func(i int) error {
		changed, err := s.recents.rebuild(ctx, chats[i], s.mappedEvents)
		if changed {
			p.count(&p.migrated)
		}
		return err
	})
}
