package c4lendar

import (
	"context"
	"net/http"
)

// reply sends a message to a chat. One that is not sent changes nothing: what was asked for is done.
func (s bot) reply(ctx context.Context, c *call, chat string, text string) {
	err := s.google.call(ctx, request{method: http.MethodPost,
		url:  s.config.TelegramURL + "/bot" + s.config.BotToken + "/sendMessage",
		body: marshalled(map[string]string{"chat_id": chat, "text": text})}, nil)
	if err != nil {
		c.Log.Warn("no reply", "cause", err)
	}
}
