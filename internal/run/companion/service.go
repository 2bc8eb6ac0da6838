package companion

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
)

// Service is a service that a target calls over HTTP, under the name that the design gives it. It answers what a
// scenario has scripted for a method and a path, and otherwise 404. Its address replaces the placeholder of its name.
type Service struct {
	listening
	name    string
	address string // such as 127.0.0.1:10003; "": a free port

	mu     sync.Mutex
	script serviceScript
}

// ServiceAnswer is how a service answers a request.
type ServiceAnswer struct {
	Status int
	Body   string
	HangUp bool          // no answer
	After  time.Duration // how long it takes
}

// serviceScript is what a scenario has scripted, and what the service was sent.
type serviceScript struct {
	answers map[string][]ServiceAnswer // by method and path; the last one stays
	sent    []string                   // each request: method, address, authorization, body
}

// Start listens, and returns the address.
func (s *Service) Start(context.Context) (map[string]string, error) {
	listener, err := net.Listen("tcp", cmp.Or(s.address, "127.0.0.1:0"))
	if err != nil {
		return nil, fmt.Errorf("open the service %s: %w", s.name, err)
	}
	s.Reset()
	s.serve(listener, s.answer)
	return map[string]string{s.name: s.server.URL}, nil
}

// Reset forgets answers and requests.
func (s *Service) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = serviceScript{answers: map[string][]ServiceAnswer{}}
}

// Snapshot saves both.
func (s *Service) Snapshot() (restore func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.script.copied()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.script = kept.copied()
	}
}

func (s serviceScript) copied() serviceScript {
	return serviceScript{maps.Clone(s.answers), slices.Clone(s.sent)}
}

// Answers scripts the answer to a method and a path, which may end with * for all that begin so. With again it is given
// after those that were scripted before, each once.
func (s *Service) Answers(method, path string, answer ServiceAnswer, again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := method + " " + path
	if !again {
		s.script.answers[key] = nil
	}
	s.script.answers[key] = append(slices.Clone(s.script.answers[key]), answer)
}

// Sent returns the requests so far to a method and a path ("" for any), as texts.
func (s *Service) Sent(method, path string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []string
	for _, request := range s.script.sent {
		first, _, _ := strings.Cut(request, "\n")
		m, address, _ := strings.Cut(first, " ")
		at, _, _ := strings.Cut(address, "?")
		if (method == "" || m == method) && (path == "" || matchesPath(path, at)) {
			found = append(found, request)
		}
	}
	return found
}

func matchesPath(pattern, path string) bool {
	prefix, whole := strings.CutSuffix(pattern, "*")
	return path == pattern || whole && strings.HasPrefix(path, prefix)
}

func (s *Service) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxSent)) // what came of a broken request
	answer := s.next(r, string(body))
	select {
	case <-time.After(answer.After):
	case <-r.Context().Done():
	}
	if answer.HangUp {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(answer.Status)
	_, _ = io.WriteString(w, answer.Body) // the target may have gone
}

// next notes a request and returns its answer: of the longest pattern that matches.
func (s *Service) next(r *http.Request, body string) ServiceAnswer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.sent = append(s.script.sent,
		r.Method+" "+r.URL.RequestURI()+"\n"+r.Header.Get("Authorization")+"\n"+body)
	best := ""
	for key := range s.script.answers {
		method, path, _ := strings.Cut(key, " ")
		if method == r.Method && matchesPath(path, r.URL.Path) && len(key) > len(best) {
			best = key
		}
	}
	list := s.script.answers[best]
	if len(list) == 0 {
		return ServiceAnswer{Status: http.StatusNotFound, Body: `{"error":"not_scripted"}`}
	}
	if len(list) > 1 {
		s.script.answers[best] = list[1:]
	}
	return list[0]
}

// ServiceMakers returns constructors for services of these names, each with its place if it has one.
func ServiceMakers(names []string, at map[string]string) (list []func() lane.Companion) {
	for _, name := range names {
		list = append(list, func() lane.Companion { return &Service{name: name, address: at[name]} })
	}
	return list
}

// Name returns the service's name.
func (s *Service) Name() string { return s.name }
