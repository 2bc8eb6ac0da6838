package c4lendar

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/storespec/storespec/reference/web"
)

// startOAuth is GET /oauth/start: 1 put. What comes back from Google is for this chat and this person.
func (s consents) startOAuth(ctx context.Context, c *call) (web.Reply, error) {
	query := c.Request.URL.Query()
	chat, user := query.Get("chatId"), query.Get("userId")
	if !chatForm.MatchString(chat) || !userForm.MatchString(user) {
		return nil, web.BadRequest("chatId and userId are numbers")
	}
	state := s.newID()
	kept := oauthState{ChatID: chat, UserID: user}
	if err := s.store.putJSON(ctx, oauthKey(state), kept, oauthTTL); err != nil {
		return nil, err
	}
	c.Header.Set("Location", s.google.consent(state))
	return web.Page{Status: http.StatusFound, HTML: page("Go on to Google.")}, nil
}

func page(text string) []byte {
	return []byte("<!doctype html>\n<meta charset=\"utf-8\">\n<title>c4lendar</title>\n<p>" + text + "</p>\n")
}

// endOAuth is GET /oauth/callback. A state is deleted once its connection is stored: a request that failed before can
// be repeated, and Google takes a code only once.
func (s consents) endOAuth(ctx context.Context, c *call) (web.Reply, error) {
	code, state := c.Request.URL.Query().Get("code"), c.Request.URL.Query().Get("state")
	kept, err := s.stateOf(ctx, state)
	if err != nil {
		return nil, err
	}
	if kept == nil || code == "" {
		return nil, web.BadRequest("this link was used already, or is too old: ask the bot for another")
	}
	made, token, err := s.consented(ctx, code, kept)
	if errors.Is(err, errRefused) {
		return nil, web.BadRequest("Google refused: ask the bot for another link")
	}
	if err == nil {
		err = s.connections.connect(ctx, made, token)
	}
	if err == nil {
		err = s.store.remove(ctx, oauthKey(state))
	}
	if err != nil {
		return nil, err
	}
	return web.Page{Status: http.StatusOK, HTML: page("Your calendar is connected. You can close this page.")}, nil
}

// stateOf returns what a state was given for; nil if it is unknown, used or too old.
func (s consents) stateOf(ctx context.Context, state string) (*oauthState, error) {
	if !subForm.MatchString(state) {
		return nil, nil // no such state
	}
	value, err := s.store.get(ctx, oauthKey(state))
	if err != nil {
		return nil, err
	}
	kept := &oauthState{}
	if json.Unmarshal(value, kept) != nil {
		return nil, nil //nolint:nilerr // no such state
	}
	return kept, nil
}

// consented asks Google what a code stands for.
func (s consents) consented(ctx context.Context, code string, kept *oauthState) (*connection, string, error) {
	given, err := s.google.exchange(ctx, code)
	if err != nil {
		return nil, "", err
	}
	if given.Refresh == "" {
		return nil, "", errRefused
	}
	who, err := s.google.person(ctx, given.Access)
	if err != nil {
		return nil, "", err
	}
	email, err := emailOf(who.Email)
	if err != nil {
		return nil, "", errRefused
	}
	user, err := strconv.ParseInt(kept.UserID, 10, 64)
	return &connection{ChatID: kept.ChatID, GoogleSub: who.ID, GoogleEmail: email, Scopes: given.Scope,
		ConnectedBy: &user}, given.Refresh, err
}
