package c4lendar

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// shownWithin is how long KV may take to show a write everywhere (Cloudflare, "How KV works"), and a little more.
const shownWithin = 75 * time.Second

// repair is POST /api/admin/repair: it makes the indexes agree with connections and mappings, also those of data that
// the design's own functions wrote, in three stages, the last of which is that of the recent events. Tokens under the
// previous key are encrypted again (CB-ENC-4). A cursor begins with the number of its stage.
func (s upkeep) repair(ctx context.Context, cursor string, p *progress) (next string, err error) {
	stages := []func(context.Context, string, *progress) (string, error){
		s.repairConnections, s.repairEmails, s.repairEvents}
	stage := 0
	if cursor != "" {
		if stage = int(cursor[0] - '0'); stage >= len(stages) {
			return "", badCursor()
		}
		cursor = cursor[1:]
	}
	if next, err = stages[stage](ctx, cursor, p); err != nil {
		return "", err
	}
	if next == "" {
		stage++
	}
	if stage == len(stages) {
		return "", nil
	}
	return strconv.Itoa(stage) + next, nil
}

// repairConnections costs 3 calls and at most 3 for each connection.
func (s upkeep) repairConnections(ctx context.Context, cursor string, p *progress) (next string, _ error) {
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
			p.migrated.Add(1)
			if err := s.store.putJSON(ctx, keys[i], entered{active[i].ChatID, s.timestamp()}, 0); err != nil {
				return err
			}
		}
		return s.encryptAnew(ctx, active[i], p)
	})
}

// encryptAnew writes a connection whose token only the previous key opens, unless it has changed meanwhile.
func (s upkeep) encryptAnew(ctx context.Context, one *connection, p *progress) error {
	token, old, err := s.vault.decrypt(one.RefreshToken)
	if err != nil || !old {
		return nil //nolint:nilerr // one that neither key opens is left as it is
	}
	now, err := s.connections.connection(ctx, one.ChatID, one.GoogleSub)
	if err != nil || now == nil || now.RefreshToken != one.RefreshToken {
		return err
	}
	p.migrated.Add(1)
	now.RefreshToken = s.vault.encrypt(token)
	return s.connections.write(ctx, now)
}

// repairEmails costs 2 calls and at most 6 for each chat of an e-mail.
func (s upkeep) repairEmails(ctx context.Context, cursor string, p *progress) (next string, _ error) {
	keys, values, next, err := s.keysAndValues(ctx, prefixEmails, cursor)
	if err != nil {
		return "", err
	}
	if err := inParallel(len(keys), func(i int) error {
		email, chat, element := cutEmail(keys[i])
		if !element || s.young(values[i]) {
			return nil
		}
		return s.repairChat(ctx, email, chat, p)
	}); err != nil {
		return "", err
	}
	emails := map[string]bool{}
	for _, key := range keys {
		email, _, _ := cutEmail(key)
		emails[email] = true
	}
	return next, s.emails.rebuild(ctx, emails, s.connections.chatsOf, p)
}

func cutEmail(key string) (email, chat string, element bool) {
	return strings.Cut(strings.TrimPrefix(key, prefixEmails), ":")
}

// young reports whether a chat was added so recently that its connection may not be seen yet.
func (s upkeep) young(value []byte) bool {
	var e entered
	_ = json.Unmarshal(value, &e)
	at, err := time.Parse(time.RFC3339, e.At)
	return err == nil && s.now().Sub(at) < shownWithin
}

// repairChat removes a chat from those of an e-mail unless it has an active connection of it: 3 calls.
func (s upkeep) repairChat(ctx context.Context, email, chat string, p *progress) error {
	all, err := s.allConnections(ctx, chat)
	if err != nil || len(ofEmail(activeOf(all), email)) > 0 {
		return err
	}
	p.deleted.Add(1)
	return s.store.remove(ctx, chatKey(email, chat))
}

// repairEvents costs 1 call and at most 4 for each chat.
func (s upkeep) repairEvents(ctx context.Context, cursor string, p *progress) (next string, _ error) {
	keys, next, err := s.page(ctx, prefixEvents, cursor)
	if err != nil {
		return "", err
	}
	chats := map[string]bool{}
	for _, key := range keys {
		chat, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(key, prefixRecent), prefixEvents), ":")
		chats[chat] = true
	}
	return next, s.recents.rebuild(ctx, chats, s.events.mappedEvents, p)
}
