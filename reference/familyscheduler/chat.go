package familyscheduler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/storespec/storespec/reference/web"
)

const (
	openAITimeout   = 30 * time.Second
	maxOpenAIAnswer = 1 << 20
	// maxPrompted bounds the number of a group's appointments that are sent to the model.
	maxPrompted = 100
)

// chat is POST /api/chat {groupId, message}: one call of the model, which is given the group's appointments and nothing
// about people. The call is counted whatever its outcome, even if the client has disconnected meanwhile.
func (s assistant) chat(ctx context.Context, c *call, in *access) (web.Reply, error) {
	message, ok := c.body.String("message")
	if length := utf8.RuneCountInString(message); !ok || length < 1 || length > maxMessage {
		return nil, web.BadRequest("message must be a text of 1 to 4,000 characters")
	}
	rows, err := s.store.appointmentsOf(ctx, in.groupID)
	if err != nil {
		return nil, err
	}
	// The model has its own time (newOpenAIClient), not what is left of the time for storage.
	text, used, err := s.complete(c.Request.Context(), prompt(rows), message)
	notCounted := s.countAnyway(c, used)
	if err != nil {
		return nil, &web.Error{
			Status: http.StatusBadGateway, Code: "OPENAI_CALL_FAILED", Message: "the assistant did not answer",
			Cause: errors.Join(err, notCounted),
		}
	}
	if notCounted != nil {
		return nil, notCounted
	}
	return web.OK{"kind": "reply", "assistantText": text, "snapshot": snapshotOf(rows)}, nil
}

// countAnyway counts a call even if the client has disconnected meanwhile, in a time of its own.
func (s assistant) countAnyway(c *call, used spent) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(c.Request.Context()), storageDeadline)
	defer stop()
	return s.countUsage(ctx, c, used)
}

func prompt(rows []*appointmentRow) string {
	var text strings.Builder
	text.WriteString("You help a group of people to plan. Their appointments (start, status, id):\n")
	told := 0
	for _, row := range rows {
		if row.IsDeleted || told == maxPrompted {
			continue
		}
		told++
		fmt.Fprintf(&text, "%s %s %s\n", row.StartTime, row.Status, row.AppointmentID)
	}
	return text.String()
}

// newOpenAIClient follows no redirects: they would send the key elsewhere.
func newOpenAIClient() *http.Client {
	return &http.Client{
		Timeout:       openAITimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// complete asks the model; it also returns what that used.
func (s assistant) complete(ctx context.Context, system, user string) (text string, used spent, err error) {
	answer, err := s.askModel(ctx, system, user)
	if err != nil {
		return "", spent{errors: 1}, err
	}
	used = spent{tokensIn: answer.Usage.In, tokensOut: answer.Usage.Out}
	return *answer.Choices[0].Message.Content, used, nil
}

// completion is what is read of the model's answer.
type completion struct {
	Choices []struct {
		Message struct {
			Content *string `json:"content"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		In  int `json:"prompt_tokens"`
		Out int `json:"completion_tokens"`
	} `json:"usage"`
}

// askModel is one POST {OPENAI_BASE_URL}/chat/completions. What it returns has a first choice with a text. Its errors
// contain no part of the request or the answer.
func (s assistant) askModel(ctx context.Context, system, user string) (*completion, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	body, _ := json.Marshal(map[string]any{ // texts can always be encoded
		"model":    s.config.OpenAIModel,
		"messages": []message{{"system", system}, {"user", user}},
	})
	url := strings.TrimRight(s.config.OpenAIBaseURL, "/") + "/chat/completions"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("OPENAI_BASE_URL is not a URL")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+s.config.OpenAIKey)
	answer, err := s.openAI.Do(request)
	if err != nil {
		return nil, fmt.Errorf("calling the model: %s", web.WithoutURL(err))
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("calling the model: status %d", answer.StatusCode)
	}
	data := &completion{}
	err = json.NewDecoder(io.LimitReader(answer.Body, maxOpenAIAnswer)).Decode(data)
	if err != nil || len(data.Choices) == 0 || data.Choices[0].Message.Content == nil {
		return nil, errors.New("the model's answer is not a completion")
	}
	return data, nil
}
