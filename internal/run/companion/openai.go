package companion

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// OpenAI is the OpenAI-compatible server that a lane's target calls. It answers with the reply and the token counts
// that a scenario scripted. {openai} is its address.
type OpenAI struct {
	listening
	address string // such as 127.0.0.1:10003; "": a free port

	mu sync.Mutex
	script
}

// maxSent limits how much of a request is read: far more than any prompt.
const maxSent = 1 << 20

// script says how the server answers, and how often it was called.
type script struct {
	reply  string
	in     int
	out    int
	status int // if not 200: fail with this status
	spoilt spoilt
	body   string        // if not "": the whole body of an answer
	slow   time.Duration // delay before an answer
	asked  int
	sent   string // every body it was sent, and before it with what authorization
}

// spoilt is what is wrong with an answer, if its status does not say so.
type spoilt int

// The ways in which an answer can be wrong.
const (
	whole      spoilt = iota
	Incomplete        // 200 with something that is not a completion
	HangsUp           // no answer
)

// Start listens on its address, or on a free port, and returns its base URL as {openai}.
func (o *OpenAI) Start(context.Context) (map[string]string, error) {
	listener, err := net.Listen("tcp", cmp.Or(o.address, "127.0.0.1:0"))
	if err != nil {
		return nil, fmt.Errorf("open an OpenAI-compatible server: %w", err)
	}
	o.Reset()
	o.serve(listener, o.complete)
	return map[string]string{"openai": o.server.URL + "/v1"}, nil
}

// Reset restores its default answers and forgets its calls.
func (o *OpenAI) Reset() {
	o.change(func(s *script) { *s = script{reply: "Nothing is planned.", in: 12, out: 5, status: http.StatusOK} })
}

// Snapshot saves how it answers.
func (o *OpenAI) Snapshot() (restore func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	kept := o.script
	return func() { o.change(func(s *script) { *s = kept }) }
}

func (o *OpenAI) change(to func(*script)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	to(&o.script)
}

// Replies sets the reply and its token counts, or a failure if status is not 200.
func (o *OpenAI) Replies(status int, reply string, in, out int) {
	o.change(func(s *script) {
		s.status, s.reply, s.in, s.out, s.body, s.spoilt = status, reply, in, out, "", whole
	})
}

// RepliesWith sets the whole body of its answers, which need not be a completion, until Replies or Reset.
func (o *OpenAI) RepliesWith(body string) { o.change(func(s *script) { s.body = body }) }

// Spoil makes its answers Incomplete, or makes it hang up (HangsUp), until Replies or Reset.
func (o *OpenAI) Spoil(how spoilt) {
	o.change(func(s *script) { s.spoilt = how })
}

// SlowDown makes it wait before each answer, until Reset.
func (o *OpenAI) SlowDown(by time.Duration) {
	o.change(func(s *script) { s.slow = by })
}

// pause waits for the scripted delay, or until the target gives up.
func (o *OpenAI) pause(r *http.Request) {
	o.mu.Lock()
	slow := o.slow
	o.mu.Unlock()
	select {
	case <-time.After(slow):
	case <-r.Context().Done():
	}
}

// Calls returns how often it was called since Reset.
func (o *OpenAI) Calls() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.asked
}

// Sent returns everything it was sent since Reset: of each call what its Authorization says, and its JSON.
func (o *OpenAI) Sent() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sent
}

// complete answers POST /v1/chat/completions (OpenAI API reference, "Create chat completion").
func (o *OpenAI) complete(w http.ResponseWriter, r *http.Request) {
	o.pause(r)
	body, err := io.ReadAll(io.LimitReader(r.Body, maxSent))
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked++
	o.sent += r.Header.Get("Authorization") + "\n" + string(body) + "\n"
	w.Header().Set("Content-Type", "application/json")
	var request struct {
		Model    string            `json:"model"`
		Messages []json.RawMessage `json:"messages"`
	}
	switch {
	case r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions":
		w.WriteHeader(http.StatusNotFound)
	case err != nil || json.Unmarshal(body, &request) != nil || request.Model == "" || len(request.Messages) == 0 ||
		r.Header.Get("Authorization") == "" || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"):
		w.WriteHeader(http.StatusBadRequest)
	case o.status != http.StatusOK:
		w.WriteHeader(o.status)
	case o.spoilt == Incomplete:
		_, _ = io.WriteString(w, `{"choices":`)
	case o.body != "":
		_, _ = io.WriteString(w, o.body)
	case o.spoilt == HangsUp:
		panic(http.ErrAbortHandler)
	default: // The answer goes to the target under test; if the target has hung up, that is not an error here.
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "chatcmpl-1", "object": "chat.completion", "model": request.Model,
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop",
				"message": map[string]any{"role": "assistant", "content": o.reply}}},
			"usage": map[string]any{"prompt_tokens": o.in, "completion_tokens": o.out, "total_tokens": o.in + o.out},
		})
	}
}
