package c4lendar

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/storespec/storespec/reference/web"
)

// shown is a connection without its token.
func shown(c *connection) map[string]any {
	return map[string]any{"chat_id": c.ChatID, "google_sub": c.GoogleSub, "google_email": c.GoogleEmail,
		"scopes": c.Scopes, "revoked": c.Revoked, "connected_by_telegram_user_id": c.ConnectedBy,
		"created_at": c.CreatedAt, "updated_at": c.UpdatedAt}
}

func ok(value any) web.Reply { return web.JSON{Status: http.StatusOK, Value: value} }

// defaultScopes is what the bot asks Google for.
const defaultScopes = "https://www.googleapis.com/auth/calendar.events"

// putConnection is PUT /api/chats/:chat/connections/:sub: 1 get and 3 puts.
func (s connections) putConnection(ctx context.Context, c *call) (web.Reply, error) {
	chat, sub, err := c.chatAndSub()
	if err != nil {
		return nil, err
	}
	f := fields{body: c.body}
	made := &connection{ChatID: chat, GoogleSub: sub, GoogleEmail: f.text("google_email"),
		Scopes: f.optional("scopes"), ConnectedBy: f.number("connected_by_telegram_user_id"),
		CreatedAt: f.instant("created_at")}
	token := f.text("refresh_token")
	if f.wrong != nil {
		return nil, f.wrong
	}
	if made.GoogleEmail, err = emailOf(made.GoogleEmail); err != nil {
		return nil, err
	}
	if err := s.connect(ctx, made, token); err != nil {
		return nil, err
	}
	return ok(shown(made)), nil
}

// connect stores a connection with its token encrypted: last, so that none is without its index. What failed before is
// written again, whatever is there.
func (s connections) connect(ctx context.Context, made *connection, token string) error {
	made.UpdatedAt = s.timestamp()
	made.CreatedAt = cmp.Or(made.CreatedAt, made.UpdatedAt)
	made.Scopes = cmp.Or(made.Scopes, defaultScopes)
	made.RefreshToken = s.vault.encrypt(token)
	if err := s.enter(ctx, made.GoogleEmail, made.ChatID); err != nil {
		return err
	}
	return s.write(ctx, made)
}

func (s connections) write(ctx context.Context, c *connection) error {
	return s.store.putJSON(ctx, connectionKey(c.ChatID, c.GoogleSub), c, 0)
}

// getConnections is GET /api/chats/:chat/connections: the active ones; with email those of that e-mail, revoked ones
// too (CB-CONN-3, CB-CONN-4).
func (s connections) getConnections(ctx context.Context, c *call) (web.Reply, error) {
	chat, err := c.chat()
	if err != nil {
		return nil, err
	}
	query := c.Request.URL.Query()
	email, malformed := emailOf(query.Get("email"))
	if query.Has("email") && malformed != nil {
		return nil, malformed
	}
	all, err := s.connections(ctx, chat)
	if err != nil {
		return nil, err
	}
	chosen := activeOf(all)
	if query.Has("email") {
		chosen = ofEmail(all, email)
	}
	list := []any{}
	for _, one := range chosen {
		list = append(list, shown(one))
	}
	return ok(map[string]any{"connections": list}), nil
}

// connections returns all connections of a chat: the pages of a list, and one get for each key.
func (s connections) connections(ctx context.Context, chat string) ([]*connection, error) {
	keys, err := s.store.list(ctx, connectionsOf(chat))
	if err != nil {
		return nil, err
	}
	values, err := s.store.all(ctx, keys)
	return decoded[connection](values), err
}

// decoded returns the values that are there, and can be read.
func decoded[T any](values [][]byte) (list []*T) {
	for _, value := range values {
		one := new(T)
		if json.Unmarshal(value, one) == nil {
			list = append(list, one)
		}
	}
	return list
}

func activeOf(all []*connection) (list []*connection) {
	for _, one := range all {
		if one.active() {
			list = append(list, one)
		}
	}
	return list
}

// ofEmail returns the connections of an e-mail, the active ones first.
func ofEmail(all []*connection, email string) (list []*connection) {
	for _, active := range []bool{true, false} {
		for _, one := range all {
			if one.GoogleEmail == email && one.active() == active {
				list = append(list, one)
			}
		}
	}
	return list
}

// getConnection is GET /api/chats/:chat/connections/:sub: 1 get.
func (s connections) getConnection(ctx context.Context, c *call) (web.Reply, error) {
	chat, sub, err := c.chatAndSub()
	if err != nil {
		return nil, err
	}
	found, err := s.connection(ctx, chat, sub)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, notFound("there is no such connection")
	}
	return ok(shown(found)), nil
}

// connection returns one; nil: there is none.
func (s connections) connection(ctx context.Context, chat, sub string) (*connection, error) {
	value, err := s.store.get(ctx, connectionKey(chat, sub))
	if found := decoded[connection]([][]byte{value}); len(found) > 0 {
		return found[0], nil
	}
	return nil, err
}

// named returns the connection that an address names, nil if there is none, and all those of its chat.
func (s connections) named(ctx context.Context, c *call) (one *connection, all []*connection, _ error) {
	chat, sub, err := c.chatAndSub()
	if err != nil {
		return nil, nil, err
	}
	all, err = s.connections(ctx, chat)
	if i := slices.IndexFunc(all, func(one *connection) bool { return one.GoogleSub == sub }); i >= 0 {
		one = all[i]
	}
	return one, all, err
}

// revokeConnection is POST /api/chats/:chat/connections/:sub/revoke.
func (s connections) revokeConnection(ctx context.Context, c *call) (web.Reply, error) {
	one, all, err := s.named(ctx, c)
	if err != nil {
		return nil, err
	}
	if one == nil {
		return nil, notFound("there is no such connection")
	}
	err = s.revoke(ctx, one, all)
	return ok(shown(one)), err
}

// revoke takes the chat of one of its connections from the e-mail, unless another active connection has it, and empties
// the token. The connection goes last: once it is revoked, #cal does not look at it again, should a call before fail.
// One that is revoked already is left as it is.
func (s connections) revoke(ctx context.Context, one *connection, all []*connection) error {
	if err := s.leaveUnlessActive(ctx, one, all); err != nil {
		return err
	}
	if !one.active() && one.RefreshToken == "" {
		return nil
	}
	one.Revoked, one.RefreshToken, one.UpdatedAt = 1, "", s.timestamp()
	return s.write(ctx, one)
}

func (s connections) leaveUnlessActive(ctx context.Context, gone *connection, all []*connection) error {
	for _, one := range activeOf(all) {
		if one.GoogleEmail == gone.GoogleEmail && one.GoogleSub != gone.GoogleSub {
			return nil
		}
	}
	return s.leave(ctx, gone.GoogleEmail, gone.ChatID)
}

// deleteConnection is DELETE /api/chats/:chat/connections/:sub.
func (s connections) deleteConnection(ctx context.Context, c *call) (web.Reply, error) {
	one, all, err := s.named(ctx, c)
	if err != nil || one == nil {
		return web.NoContent{}, err
	}
	return web.NoContent{}, s.forget(ctx, one, all)
}

// forget deletes one of a chat's connections. It goes last: it says which e-mail the chat has to be taken from, should
// a call before fail.
func (s connections) forget(ctx context.Context, one *connection, all []*connection) error {
	if err := s.leaveUnlessActive(ctx, one, all); err != nil {
		return err
	}
	return s.store.remove(ctx, connectionKey(one.ChatID, one.GoogleSub))
}
