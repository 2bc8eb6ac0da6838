package c4lendar

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/storespec/storespec/reference/web"
)

// putMapping is PUT /api/chats/:chat/events/:uid/mappings/:sub: 1 put, 1 get and at most 1 put.
func (s events) putMapping(ctx context.Context, c *call) (web.Reply, error) {
	chat, uid, err := c.chatAndEvent()
	if err != nil {
		return nil, err
	}
	sub, err := c.sub()
	if err != nil {
		return nil, err
	}
	f := fields{body: c.body}
	m := &mapping{ChatID: chat, BotEventUID: uid, GoogleSub: sub, GoogleEventID: f.text("google_event_id"),
		EventTitle: f.nullable("event_title"), EventStart: f.nullable("event_start"),
		CreatedAt: f.instant("created_at")}
	if f.wrong != nil {
		return nil, f.wrong
	}
	if err := s.storeMappings(ctx, []*mapping{m}); err != nil {
		return nil, err
	}
	return ok(m), nil
}

// storeMappings stores an event's mappings, and the event among the recent ones of the chat unless it is there.
func (s events) storeMappings(ctx context.Context, all []*mapping) error {
	if err := s.writeMappings(ctx, all); err != nil {
		return err
	}
	return s.recents.add(ctx, all[0].ChatID, all[0].summary())
}

// writeMappings writes an event's mappings for another 90 days (CB-EVT-1).
func (s events) writeMappings(ctx context.Context, all []*mapping) error {
	return inParallel(len(all), func(i int) error {
		m := all[i]
		m.UpdatedAt = s.timestamp()
		m.CreatedAt = cmp.Or(m.CreatedAt, m.UpdatedAt)
		return s.store.putJSON(ctx, mappingKey(m.ChatID, m.BotEventUID, m.GoogleSub), m, mappingTTL)
	})
}

// getMappings is GET /api/chats/:chat/events/:uid/mappings: 1 list and one get for each mapping.
func (s events) getMappings(ctx context.Context, c *call) (web.Reply, error) {
	chat, uid, err := c.chatAndEvent()
	if err != nil {
		return nil, err
	}
	all, err := s.mappings(ctx, chat, uid)
	if err != nil {
		return nil, err
	}
	return ok(map[string]any{"mappings": append([]*mapping{}, all...)}), nil
}

func (s events) mappings(ctx context.Context, chat, uid string) ([]*mapping, error) {
	keys, err := s.store.list(ctx, mappingsOf(chat, uid))
	if err != nil {
		return nil, err
	}
	values, err := s.store.all(ctx, keys)
	return decoded[mapping](values), err
}

// getRecent is GET /api/chats/:chat/events/recent: 1 get.
func (s events) getRecent(ctx context.Context, c *call) (web.Reply, error) {
	chat, err := c.chat()
	if err != nil {
		return nil, err
	}
	events, err := s.recents.read(ctx, chat)
	if err != nil {
		return nil, err
	}
	return ok(map[string]any{"events": append([]recent{}, events...)}), nil
}

// patchEvent is PATCH /api/chats/:chat/events/:uid: 1 list, a get and a put for each mapping, 1 get and at most 1 put.
func (s events) patchEvent(ctx context.Context, c *call) (web.Reply, error) {
	chat, uid, err := c.chatAndEvent()
	if err != nil {
		return nil, err
	}
	f := fields{body: c.body}
	title, start := f.nullable("event_title"), f.nullable("event_start")
	_, named := c.body["event_title"]
	_, dated := c.body["event_start"]
	if !named && !dated {
		f.refuse("event_title or event_start", "is missing")
	}
	if f.wrong != nil {
		return nil, f.wrong
	}
	all, err := s.mappings(ctx, chat, uid)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, notFound("there is no such event")
	}
	for _, m := range all {
		if named {
			m.EventTitle = title
		}
		if dated {
			m.EventStart = start
		}
	}
	if err := s.updateMappings(ctx, all); err != nil {
		return nil, err
	}
	return ok(map[string]any{"mappings": all}), nil
}

// updateMappings writes an event's mappings, and the event in its place among the recent ones.
func (s events) updateMappings(ctx context.Context, all []*mapping) error {
	if err := s.writeMappings(ctx, all); err != nil {
		return err
	}
	return s.recents.replace(ctx, all[0].ChatID, all[0].summary())
}

// deleteEvent is DELETE /api/chats/:chat/events/:uid: the pages of a list, a delete for each mapping, 1 get and at most
// 1 put. An event that is not there is fine.
func (s events) deleteEvent(ctx context.Context, c *call) (web.Reply, error) {
	chat, uid, err := c.chatAndEvent()
	if err != nil {
		return nil, err
	}
	keys, err := s.store.list(ctx, mappingsOf(chat, uid))
	if err != nil {
		return nil, err
	}
	if err := s.dropEvent(ctx, chat, uid, keys); err != nil {
		return nil, err
	}
	return web.NoContent{}, nil
}

// dropEvent deletes an event's mappings, then takes it from the recent ones: until then, the same command refers to it
// again.
func (s events) dropEvent(ctx context.Context, chat, uid string, keys []string) error {
	if err := s.store.removeAll(ctx, keys); err != nil {
		return err
	}
	return s.recents.drop(ctx, chat, uid)
}

// deleteOfAccount is DELETE /api/chats/:chat/events?google_sub=.
func (s events) deleteOfAccount(ctx context.Context, c *call) (web.Reply, error) {
	chat, err := c.chat()
	if err != nil {
		return nil, err
	}
	sub, err := subOf(c.Request.URL.Query().Get("google_sub"))
	if err != nil {
		return nil, err
	}
	deleted, err := s.dropAccount(ctx, chat, sub)
	if err != nil {
		return nil, err
	}
	return ok(map[string]any{"deleted": deleted}), nil
}

// dropAccount deletes an account's mappings of a chat, and takes the events that have no other from the recent ones:
// the pages of a list, 1 get, at most 1 put, and a delete for each mapping. The mappings go last, since they say which
// events these are, should a call before fail.
func (s events) dropAccount(ctx context.Context, chat, sub string) (deleted int, _ error) {
	keys, err := s.store.list(ctx, eventsOf(chat))
	if err != nil {
		return 0, err
	}
	var going, events []string
	kept := map[string]bool{}
	for _, key := range keys {
		event, of := cutLast(key)
		if of != sub {
			kept[event] = true
			continue
		}
		going, events = append(going, key), append(events, event)
	}
	events = slices.DeleteFunc(events, func(event string) bool { return kept[event] })
	for i, event := range events {
		_, events[i] = cutLast(event)
	}
	if err := s.recents.drop(ctx, chat, events...); err != nil {
		return 0, err
	}
	return len(going), s.store.removeAll(ctx, going)
}

// resolve is GET /api/chats/:chat/events/resolve: 1 get.
func (s events) getResolved(ctx context.Context, c *call) (web.Reply, error) {
	chat, err := c.chat()
	if err != nil {
		return nil, err
	}
	query := c.Request.URL.Query()
	start, referred := refOf(query.Get("ref"))
	switch {
	case query.Has("ref") && query.Has("q"):
		return nil, web.BadRequest("ref and q exclude one another")
	case query.Has("ref") && !referred:
		return nil, web.BadRequest("a reference is EVT- and the first 8 characters of an event's uid")
	case query.Has("q") && query.Get("q") == "":
		return nil, web.BadRequest("q is empty")
	}
	events, err := s.recents.read(ctx, chat)
	if err != nil {
		return nil, err
	}
	found := byTitle(events, query.Get("q")) // all, without one
	if referred {
		found = startingWith(events, start)
	}
	if len(found) == 0 {
		return nil, notFound("there is no such event")
	}
	return ok(map[string]any{"bot_event_uid": found[0].BotEventUID,
		"ambiguous": (referred || query.Has("q")) && len(found) > 1}), nil
}

// marshalled is for values that can always be encoded.
func marshalled(value any) []byte {
	data, _ := json.Marshal(value)
	return data
}
