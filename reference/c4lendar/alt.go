package c4lendar

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// alter is #alt REF and what changes: Google first, then the mappings of the accounts that took it, then the recent
// events. Without a reference the event is the one that the person had selected before this design (CB-MIG-2).
func (s bot) alter(ctx context.Context, cmd command) (string, error) {
	ref, rest := splitWord(cmd.argument)
	start, referred := refOf(ref)
	if !referred {
		rest = cmd.argument
	}
	d, understood := detailsOf(rest)
	if !understood || d == (details{}) {
		return howAlt, nil
	}
	if !referred {
		return s.alterSelected(ctx, cmd, d)
	}
	uid, ambiguous, err := s.referred(ctx, cmd.chat, start)
	if err != nil {
		return "", err
	}
	if uid == "" {
		return "I do not know this event.", nil
	}
	all, err := s.events.mappings(ctx, cmd.chat, uid)
	if err != nil {
		return "", err
	}
	accounts, err := s.connections.accounts(ctx, all)
	if err != nil {
		return "", err
	}
	results := atEach(len(all), func(i int) error {
		return s.connections.withAccess(ctx, accounts[i], func(access string) error {
			return s.google.patch(ctx, access, all[i].GoogleEventID, d.event())
		})
	})
	if err := results.failed(); err != nil {
		return "", err
	}
	if results.done() == 0 {
		return "No account took the change.", nil
	}
	if err := s.events.updateMappings(ctx, changed(all, results, d)); err != nil {
		return "", err
	}
	return fmt.Sprintf("Changed at %d of %d accounts.%s", results.done(), len(all), newest(ambiguous)), nil
}

// changed returns the mappings of the accounts that took a change, with it.
func changed(all []*mapping, results outcomes, d details) (done []*mapping) {
	for i, m := range all {
		if results[i] != nil {
			continue
		}
		if d.Title != "" {
			m.EventTitle = &d.Title
		}
		if d.Start != "" {
			m.EventStart = &d.Start
		}
		done = append(done, m)
	}
	return done
}

func newest(ambiguous bool) string {
	if ambiguous {
		return " Several events match; this was the newest."
	}
	return ""
}

// referred returns the uid that a reference means; "" if there is none.
func (s bot) referred(ctx context.Context, chat, start string) (uid string, ambiguous bool, _ error) {
	events, err := s.recents.read(ctx, chat)
	if err != nil {
		return "", false, err
	}
	found := startingWith(events, start)
	if len(found) == 0 {
		return "", false, nil
	}
	return found[0].BotEventUID, len(found) > 1, nil
}

// splitWord cuts a text after its first word.
func splitWord(text string) (word, rest string) {
	word, rest, _ = strings.Cut(text, " ")
	return word, strings.TrimSpace(rest)
}

// alterSelected changes the event that the person had selected before this design.
func (s bot) alterSelected(ctx context.Context, cmd command, d details) (string, error) {
	return s.onSelected(ctx, cmd, howAlt, func(access, id string) error {
		return s.google.patch(ctx, access, id, d.event())
	})
}

// onSelected does something to the event that the person had selected before this design, at each account of the chat
// that has it. otherwise is the reply if there is none.
func (s bot) onSelected(ctx context.Context, cmd command, otherwise string,
	do func(access, id string) error) (string, error) {
	value, err := s.store.get(ctx, oldSelectionKey(cmd.chat, cmd.user))
	if err != nil {
		return "", err
	}
	var selected oldSelection
	if _ = json.Unmarshal(value, &selected); selected.EventID == "" {
		return otherwise, nil
	}
	all, err := s.connections.connections(ctx, cmd.chat)
	if err != nil {
		return "", err
	}
	active := activeOf(all)
	results := atEach(len(active), func(i int) error {
		return s.connections.withAccess(ctx, active[i], func(access string) error {
			return do(access, selected.EventID)
		})
	})
	if err := results.failed(); err != nil {
		return "", err
	}
	return fmt.Sprintf("Done at %d of %d accounts.", results.done(), len(active)), nil
}
