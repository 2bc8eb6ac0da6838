package c4lendar

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf16"
)

// maxMessage is how long a message of Telegram can be, in UTF-16 code units (Bot API, sendMessage).
const maxMessage = 4096

func messageLength(text string) int { return len(utf16.Encode([]rune(text))) }

// reply sends a message to a chat. One that is not sent changes nothing: what was asked for is done.
func (s *Server) reply(ctx context.Context, c *call, chat string, text string) {
	for messageLength(text) > maxMessage {
		runes := []rune(text)
		text = string(runes[:len(runes)*maxMessage/messageLength(text)-1])
	}
	err := s.google.call(ctx, request{what: "sending a message", method: http.MethodPost,
		url:  strings.TrimSuffix(s.config.TelegramURL, "/") + "/bot" + s.config.BotToken + "/sendMessage",
		body: marshalled(map[string]string{"chat_id": chat, "text": text}), kind: "application/json"}, nil)
	if err != nil {
		c.Log.Warn("no reply", "cause", err)
	}
}
