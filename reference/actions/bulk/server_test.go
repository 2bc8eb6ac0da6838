package bulk

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// table is a server of the contract in memory. It fails the test when two requests for one owner meet.
type table struct {
	t      *testing.T
	url    string
	before func(w http.ResponseWriter, r *http.Request, owners []string) bool // true: it answered
	// 0: as the contract says; times: how often it was seen
	judge func(owner, name string, times int) int

	mu       sync.Mutex
	inFlight map[string]bool
	rows     map[string]string
	seen     map[string]int
	requests int
	largest  int // records of one request
	together int // most requests at once
	now      int
}

func newTable(t *testing.T) *table {
	s := &table{t: t, inFlight: map[string]bool{}, rows: map[string]string{}, seen: map[string]int{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// refuseBatches answers the batch route with a status, whatever is sent.
func (s *table) refuseBatches(status int) {
	s.before = func(w http.ResponseWriter, r *http.Request, _ []string) bool {
		if strings.HasSuffix(r.URL.Path, "/batch") {
			w.WriteHeader(status)
			return true
		}
		return false
	}
}

type keys struct{ Owner, Name string }

func (s *table) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/health" {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	records := []json.RawMessage{body}
	batch := strings.HasSuffix(r.URL.Path, "/batch")
	if batch {
		var request struct{ Records []json.RawMessage }
		if err := json.Unmarshal(body, &request); err != nil {
			s.t.Errorf("a body is not JSON: %v", err)
		}
		records = request.Records
	}
	var read []keys
	for _, text := range records {
		var k keys
		if err := json.Unmarshal(text, &k); err != nil {
			s.t.Error(err)
		}
		read = append(read, keys{strings.ToLower(strings.TrimSpace(k.Owner)),
			strings.ToLower(strings.TrimSpace(k.Name))})
	}
	owners := s.enter(read)
	defer s.leave(owners)
	if s.before != nil && s.before(w, r, owners) {
		return
	}
	var verdicts []verdict
	for i, k := range read {
		verdicts = append(verdicts, s.upsert(k, string(records[i])))
	}
	if batch {
		_ = json.NewEncoder(w).Encode(map[string]any{"results": verdicts})
		return
	}
	w.WriteHeader(verdicts[0].Status)
	_ = json.NewEncoder(w).Encode(verdicts[0])
}

// enter notes a request for owners under way.
func (s *table) enter(read []keys) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	s.now++
	s.largest, s.together = max(s.largest, len(read)), max(s.together, s.now)
	var owners []string
	own, twice := map[string]bool{}, map[keys]bool{}
	for _, k := range read {
		if twice[k] {
			s.t.Errorf("the key %v is twice in one request", k)
		}
		twice[k] = true
		if !own[k.Owner] && s.inFlight[k.Owner] {
			s.t.Errorf("two requests are in flight for the owner %q", k.Owner)
		}
		if !own[k.Owner] {
			owners = append(owners, k.Owner)
		}
		own[k.Owner], s.inFlight[k.Owner] = true, true
	}
	return owners
}

func (s *table) leave(owners []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now--
	for _, owner := range owners {
		delete(s.inFlight, owner)
	}
}

func (s *table) upsert(k keys, text string) verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := k.Owner + "/" + k.Name
	s.seen[id]++
	if s.judge != nil {
		if status := s.judge(k.Owner, k.Name, s.seen[id]); status != 0 {
			return verdict{Status: status, Code: "TOLD_TO"}
		}
	}
	before, there := s.rows[id]
	s.rows[id] = text
	switch {
	case !there:
		return verdict{Status: http.StatusCreated, Updated: true, Created: true}
	case before != text:
		return verdict{Status: http.StatusOK, Updated: true}
	}
	return verdict{Status: http.StatusOK}
}

func (s *table) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rows)
}

// lines is records of some owners, in turn.
func records(n, owners int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `{"owner":"Owner-%d","name":"action-%d","n":%d}`+"\n", i%owners, i, i)
	}
	return text.String()
}
