package steps

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// openAI is the OpenAI-compatible server a lane's target calls: it gives the reply a scenario
// scripted, with the token counts it scripted.
type openAI struct {
	server *httptest.Server

	mu sync.Mutex
	script
}

// script says how the server answers, and how often it was asked.
type script struct {
	reply  string
	in     int
	out    int
	status int // other than 200: fail with it
	spoilt spoilt
	slow   time.Duration // passes before an answer
	asked  int
}

// spoilt is what is wrong with answers that have no status to tell it.
type spoilt int

const (
	whole      spoilt = iota
	incomplete        // 200 with what is no completion
	hangsUp           // no answer
)

// startOpenAI starts the server at an address such as 127.0.0.1:10003, or on a free port.
func startOpenAI(address string) (*openAI, error) {
	listener, err := net.Listen("tcp", cmp.Or(address, "127.0.0.1:0"))
	if err != nil {
		return nil, fmt.Errorf("open an OpenAI-compatible server: %w", err)
	}
	o := &openAI{}
	o.reset()
	o.server = &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(o.complete), ReadHeaderTimeout: answerWithin}}
	o.server.Start()
	return o, nil
}

func (o *openAI) reset() {
	o.follow(script{reply: "Nothing is planned.", in: 12, out: 5, status: http.StatusOK})
}

// scripted is how it answers from now on; follow brings that back.
func (o *openAI) scripted() script {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.script
}

func (o *openAI) follow(s script) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.script = s
}

// replies sets the reply and its token counts, or a failure when status is not 200.
func (o *openAI) replies(status int, reply string, in, out int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.status, o.reply, o.in, o.out, o.spoilt = status, reply, in, out, whole
}

func (o *openAI) spoil(how spoilt) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.spoilt = how
}

func (o *openAI) slowDown(by time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.slow = by
}

// pause lets the scripted time pass, or ends with the target's patience.
func (o *openAI) pause(r *http.Request) {
	o.mu.Lock()
	slow := o.slow
	o.mu.Unlock()
	select {
	case <-time.After(slow):
	case <-r.Context().Done():
	}
}

func (o *openAI) calls() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.asked
}

// complete answers POST /v1/chat/completions (OpenAI API reference, "Create chat completion").
func (o *openAI) complete(w http.ResponseWriter, r *http.Request) {
	o.pause(r)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked++
	w.Header().Set("Content-Type", "application/json")
	var request struct {
		Model    string            `json:"model"`
		Messages []json.RawMessage `json:"messages"`
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if json.NewDecoder(r.Body).Decode(&request) != nil || request.Model == "" || len(request.Messages) == 0 || r.Header.Get("Authorization") == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if o.status != http.StatusOK {
		w.WriteHeader(o.status)
		return
	}
	switch o.spoilt {
	case incomplete:
		_, _ = io.WriteString(w, `{"choices":`)
		return
	case hangsUp:
		panic(http.ErrAbortHandler)
	}
	// The answer goes to the target under test; a target that hung up is its own affair.
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "model": request.Model,
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": o.reply}}},
		"usage":   map[string]any{"prompt_tokens": o.in, "completion_tokens": o.out, "total_tokens": o.in + o.out},
	})
}
