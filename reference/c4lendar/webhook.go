package c4lendar

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// update is what Telegram delivers, as far as the bot reads it (Bot API, Update and Message).
type update struct {
	ID      *int64 `json:"update_id"`
	Message *struct {
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

// command is a message that the bot understands.
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

// commandOf reads an update; ok is false for one that is not for the bot.
func commandOf(body []byte) (cmd command, ok bool) {
	var u update
	if json.Unmarshal(body, &u) != nil || u.ID == nil || u.Message == nil {
		return command{}, false
	}
	m := u.Message
	cmd = command{update: *u.ID, sent: time.Unix(m.Date, 0), chat: m.Chat.ID.String()}
	if userForm.MatchString(m.From.ID.String()) {
		cmd.user = m.From.ID.String()
	}
	text := strings.TrimSpace(m.Text)
	end := strings.IndexFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' })
	if end < 0 {
		end = len(text)
	}
	cmd.name, cmd.argument = strings.ToLower(text[:end]), strings.TrimSpace(text[end:])
	return cmd, strings.HasPrefix(text, "#") && *u.ID >= 0 && m.Date > 0 && m.Date <= maxSent &&
		chatForm.MatchString(cmd.chat)
}

// webhook is POST /telegram-webhook. Telegram delivers an update again unless the answer is 2xx: 503 asks for that,
// when KV fails, and when no account took a command for a cause that passes (CB-HOOK-1).
func (s *Server) webhook(ctx context.Context, c *call) (web.Reply, error) {
	if !sameText(c.Request.Header.Get("X-Telegram-Bot-Api-Secret-Token"), s.config.WebhookSecret) {
		return nil, unauthorized()
	}
	body, err := web.ReadBody(c.Request, maxBody)
	if err != nil {
		return understood(), nil //nolint:nilerr // it would be the same the next time
	}
	cmd, is := commandOf(body)
	commands := map[string]func(context.Context, command) (reply string, err error){
		"#aut": s.authorize, "#dis": s.disconnect, "#cal": s.create, "#alt": s.alter, "#del": s.erase,
	}
	run := commands[cmd.name]
	if !is || run == nil {
		return understood(), nil
	}
	text := "This is too long for me."
	if messageLength(cmd.name+" "+cmd.argument) <= maxMessage {
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
func (s *Server) authorize(_ context.Context, cmd command) (string, error) {
	if cmd.user == "" {
		return "I cannot see who sent this.", nil
	}
	return "Connect your Google account: " + strings.TrimSuffix(s.config.PublicURL, "/") + "/oauth/start?" +
		url.Values{"chatId": {cmd.chat}, "userId": {cmd.user}}.Encode(), nil
}

// disconnect is #dis e-mail: the token is emptied first, then the account's mappings in this chat are deleted
// (CB-EVT-6). Delivered again, it does what was left undone.
func (s *Server) disconnect(ctx context.Context, cmd command) (string, error) {
	email, err := emailOf(cmd.argument)
	if err != nil {
		return "Which account? #dis and its e-mail.", nil //nolint:nilerr // told to the person
	}
	all, err := s.connections(ctx, cmd.chat)
	if err != nil {
		return "", err
	}
	found := ofEmail(all, email)
	if len(found) == 0 {
		return "This account is not connected here.", nil
	}
	deleted := 0
	for _, one := range found {
		if err := s.revoke(ctx, one, all); err != nil {
			return "", err
		}
		n, err := s.dropAccount(ctx, cmd.chat, one.GoogleSub)
		if err != nil {
			return "", err
		}
		deleted += n
	}
	return "Disconnected. I forgot " + strconv.Itoa(deleted) + " of its events.", nil
}
