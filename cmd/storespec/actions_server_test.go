package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// actionsServer keeps what the batch route is sent in memory.
type actionsServer struct {
	slow chan struct{} // each request waits until it can take one

	mu   sync.Mutex
	rows map[string]string
	sent map[string]int
}

func (s *actionsServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/health" {
		return
	}
	var request struct{ Records []json.RawMessage }
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	select {
	case <-s.slow:
	case <-r.Context().Done():
		return
	}
	var results []map[string]any
	for _, text := range request.Records {
		results = append(results, s.upsert(string(text)))
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
}

func (s *actionsServer) upsert(text string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows == nil {
		s.rows, s.sent = map[string]string{}, map[string]int{}
	}
	var key struct{ Owner, Name string }
	if err := json.Unmarshal([]byte(text), &key); err != nil {
		return map[string]any{"status": 400, "errorCode": "VALIDATION_FAILED"}
	}
	id := strings.ToLower(key.Owner + "/" + key.Name)
	before, there := s.rows[id]
	s.rows[id] = text
	s.sent[id]++
	return map[string]any{"status": map[bool]int{true: 200, false: 201}[there], "updated": before != text,
		"created": !there}
}

func (s *actionsServer) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rows)
}
