package c4lendar

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
)

// create is #cal: Google first, then the mappings, then the recent events. Everything follows from the update, so that
// one that is delivered again fills in what is missing.
func (s bot) create(ctx context.Context, cmd command) (string, error) {
	d, understood := detailsOf(cmd.argument)
	if !understood || d.Title == "" || d.Start == "" {
		return howCal, nil
	}
	all, err := s.connections.connections(ctx, cmd.chat)
	if err != nil {
		return "", err
	}
	active := activeOf(all)
	results := atEach(len(active), func(i int) error { return s.insert(ctx, cmd, active[i], d) })
	if err := results.failed(); err != nil {
		return "", err
	}
	if results.done() == 0 {
		return "No account took the event. #aut connects one.", nil
	}
	uid, stored := eventUID(cmd.sent, cmd.chat, cmd.update), []*mapping{}
	for i, one := range active {
		if results[i] == nil {
			stored = append(stored, &mapping{ChatID: cmd.chat, BotEventUID: uid, GoogleSub: one.GoogleSub,
				GoogleEventID: googleID(cmd, one.GoogleSub), EventTitle: &d.Title, EventStart: &d.Start,
				CreatedAt: stamp(cmd.sent)})
		}
	}
	if err := s.events.storeMappings(ctx, stored); err != nil {
		return "", err
	}
	return fmt.Sprintf("Event created at %d of %d accounts.\n\nRef: EVT-%s", len(stored), len(active),
		uid[:refLength]), nil
}

// insert creates an account's copy of an event. One that is there was created by the same update.
func (s bot) insert(ctx context.Context, cmd command, one *connection, d details) error {
	return s.connections.withAccess(ctx, one, func(access string) error {
		event := d.event()
		event["id"] = googleID(cmd, one.GoogleSub)
		err := s.google.insert(ctx, access, event)
		if errors.Is(err, errThere) {
			return nil
		}
		return err
	})
}

// base32hex is the alphabet of Google's event ids, in small letters.
var base32hex = base32.HexEncoding.WithPadding(base32.NoPadding)

// googleID is the id of an account's copy of the event that an update creates.
func googleID(cmd command, sub string) string {
	sum := sha256.Sum256(fmt.Append(nil, cmd.chat, ":", cmd.update, ":", sub))
	return strings.ToLower(base32hex.EncodeToString(sum[:]))
}
