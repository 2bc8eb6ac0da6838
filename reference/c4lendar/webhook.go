package c4lendar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// update is what Telegram delivers, as far as the bot reads it (Bot API, Update and Message).
type update struct {
	ID      *int64 `json:"update_id"`
	Message struct {
		Date int64 `json:"date"` // seconds since 1970
		Chat struct {
			ID json.Number `json:"id"`
		} `json:"chat"`
		From struct {
			ID json.Number `json:"id"`
		} `json:"from"`
		Text string `json:"text"`
	} `json:"message"`
}

// command is a message to the bot.
type command struct {
	update   int64
	sent     time.Time
	chat     string
	user     string // "": unknown
	name     string // #cal
	argument string
}

// maxSent is the last second of the year 9999: a ULID has room for it.
const maxSent = 253402300799

// commandOf reads an update; ok is false for one that is not a message, or that Telegram would not send.
func commandOf(body []byte) (cmd command, ok bool) {
	var u update
	if json.Unmarshal(body, &u) != nil || u.ID == nil || *u.ID < 0 {
		return command{}, false
	}
	m := u.Message
	if m.Date < 0 || m.Date > maxSent || !chatForm.MatchString(m.Chat.ID.String()) {
		return command{}, false
	}
	cmd = command{update: *u.ID, sent: time.Unix(m.Date, 0), chat: m.Chat.ID.String(), user: m.From.ID.String()}
	cmd.name, cmd.argument = splitWord(m.Text)
	return cmd, true
}

// webhook is POST /telegram-webhook. Telegram delivers an update again unless the answer is 2xx: 503 asks for that,
// when KV fails, and when no account took a command for a cause that passes (CB-HOOK-1).
func (s bot) webhook(ctx context.Context, c *call) (web.Reply, error) {
	if !sameText(c.Request.Header.Get("X-Telegram-Bot-Api-Secret-Token"), s.config.WebhookSecret) {
		return nil, unauthorized()
	}
	body, _ := web.ReadBody(c.Request, maxBody) // one that is too large is not a command
	cmd, is := commandOf(body)
	commands := map[string]func(context.Context, command) (reply string, err error){
		"#aut": s.authorize, "#dis": s.disconnect, "#cal": s.create, "#alt": s.alter, "#del": s.erase,
	}
	run := commands[strings.ToLower(cmd.name)]
	if !is || run == nil {
		return understood(), nil
	}
	text := "This is too long for me."
	if len(cmd.argument) <= maxText {
		var err error
		if text, err = run(ctx, cmd); err != nil {
			return nil, later(err)
		}
	}
	s.reply(ctx, c, cmd.chat, text)
	return understood(), nil
}

func understood() web.Reply { return ok(map[string]any{"ok": true}) }

// later asks Telegram to deliver an update again, if that may help.
func later(err error) error {
	if errors.Is(err, errPassing) {
		return &web.Error{Status: 503, Code: "google_unavailable", Message: "Google does not answer; try again",
			RetryAfter: retryAfter, Cause: err}
	}
	return err
}

// authorize is #aut: the reply has the link that connects an account.
func (s bot) authorize(_ context.Context, cmd command) (string, error) {
	if !userForm.MatchString(cmd.user) {
		return "I cannot see who sent this.", nil
	}
	return "Connect your Google account: " + s.config.PublicURL + "/oauth/start?" +
		url.Values{"chatId": {cmd.chat}, "userId": {cmd.user}}.Encode(), nil
}

// disconnect is #dis e-mail: the account is revoked first, then its mappings in this chat are deleted (CB-EVT-6).
// Delivered again, it does what was left undone.
func (s bot) disconnect(ctx context.Context, cmd command) (string, error) {
	email, err := emailOf(cmd.argument)
	if err != nil {
		return "Which account? #dis and its e-mail.", nil //nolint:nilerr // told to the person
	}
	all, err := s.connections.connections(ctx, cmd.chat)
	if err != nil {
		return "", err
	}
	found := ofEmail(all, email)
	for _, one := range found {
		if err := s.connections.revoke(ctx, one, all); err != nil {
			return "", err
		}
		if _, err := s.events.dropAccount(ctx, cmd.chat, one.GoogleSub); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("Disconnected %d accounts.", len(found)), nil
}
