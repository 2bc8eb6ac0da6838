package c4lendar

import (
	"context"
	"net/http"
	"strings"

	"github.com/storespec/storespec/reference/web"
)

// getChats is GET /api/emails/:email/chats: 1 list page per 1,000 chats.
func (s connections) getChats(ctx context.Context, c *call) (web.Reply, error) {
	email, err := emailOf(c.Request.PathValue("email"))
	if err != nil {
		return nil, err
	}
	chats, err := s.chatsOf(ctx, email)
	if err != nil {
		return nil, err
	}
	return web.JSON{Status: http.StatusOK, Value: map[string]any{"chats": append([]string{}, chats...)}}, nil
}

// chatsOf returns the chats of an e-mail from their own keys.
func (s connections) chatsOf(ctx context.Context, email string) (chats []string, _ error) {
	keys, err := s.store.list(ctx, chatsOf(email))
	for _, key := range keys {
		_, chat := cutLast(key)
		chats = append(chats, chat)
	}
	return chats, err
}

// enter adds a chat to those of an e-mail: 1 put, 1 get and at most 1 put. It comes before the connection, so that no
// connection is without it (CB-CONN-2).
func (s connections) enter(ctx context.Context, email, chat string) error {
	if err := s.store.putJSON(ctx, chatKey(email, chat), entered{chat, s.timestamp()}, 0); err != nil {
		return err
	}
	return s.emails.add(ctx, email, chat)
}

// leave removes a chat from those of an e-mail: 1 delete, 1 get and at most 1 put or delete.
func (s connections) leave(ctx context.Context, email, chat string) error {
	if err := s.store.remove(ctx, chatKey(email, chat)); err != nil {
		return err
	}
	return s.emails.drop(ctx, email, chat)
}

// emailOf checks an e-mail and returns it in lower case.
func emailOf(text string) (string, error) {
	email := strings.ToLower(text)
	longest := "-" + strings.Repeat("9", 19)
	if !emailForm.MatchString(email) || len(chatKey(email, longest)) > maxKey {
		return "", web.BadRequest("an e-mail is malformed or too long")
	}
	return email, nil
}
