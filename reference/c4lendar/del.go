package c4lendar

import (
	"context"
	"errors"
	"fmt"
)

// erase is #del: by a reference, by a part of the title, or the most recent event. Google first, then the mappings,
// then the recent events. What the command means is kept for a day, since the same words mean another event once this
// one is gone, and Telegram may deliver them again.
func (s bot) erase(ctx context.Context, cmd command) (string, error) {
	uid, ambiguous, err := s.meant(ctx, cmd)
	if err != nil {
		return "", err
	}
	if uid == "" {
		if cmd.argument != "" {
			return "I do not know this event.", nil
		}
		return s.onSelected(ctx, cmd, "There is no event to delete.", func(access, id string) error {
			return s.google.remove(ctx, access, id)
		})
	}
	all, err := s.events.mappings(ctx, cmd.chat, uid)
	if err != nil {
		return "", err
	}
	accounts, err := s.connections.accounts(ctx, all)
	if err != nil {
		return "", err
	}
	results := atEach(len(all), func(i int) error { return s.eraseAt(ctx, accounts[i], all[i]) })
	if err := results.failed(); err != nil {
		return "", err
	}
	var gone []string
	for i, m := range all {
		if results[i] == nil {
			gone = append(gone, mappingKey(m.ChatID, m.BotEventUID, m.GoogleSub))
		}
	}
	if len(gone) < len(all) {
		err = s.store.removeAll(ctx, gone)
	} else {
		err = s.events.dropEvent(ctx, cmd.chat, uid, gone)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Deleted at %d of %d accounts.%s", len(gone), len(all), newest(ambiguous)), nil
}

// eraseAt deletes an account's copy of an event. That of an account which is not connected any more is only forgotten.
func (s bot) eraseAt(ctx context.Context, one *connection, m *mapping) error {
	if one == nil || !one.active() {
		return nil
	}
	err := s.connections.withAccess(ctx, one, func(access string) error {
		return s.google.remove(ctx, access, m.GoogleEventID)
	})
	if errors.Is(err, errRevoked) {
		return nil
	}
	return err
}

// meant returns the uid of the event that #del means; "" if there is none.
func (s bot) meant(ctx context.Context, cmd command) (uid string, ambiguous bool, _ error) {
	done := doneKey(cmd.chat, fmt.Sprint(cmd.update))
	before, err := s.store.get(ctx, done)
	if err != nil || before != nil {
		return string(before), false, err
	}
	events, err := s.recents.read(ctx, cmd.chat)
	if err != nil {
		return "", false, err
	}
	var found []recent
	if start, referred := refOf(cmd.argument); referred {
		found = startingWith(events, start)
	}
	if len(found) == 0 { // a title may look like a reference
		found = byTitle(events, cmd.argument)
	}
	if len(found) == 0 {
		return "", false, nil
	}
	uid, ambiguous = found[0].BotEventUID, cmd.argument != "" && len(found) > 1
	return uid, ambiguous, s.store.put(ctx, done, []byte(uid), doneTTL)
}
