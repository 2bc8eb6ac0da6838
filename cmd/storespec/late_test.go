package main

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

// lateServer keeps notes, and writes a line into a log some time after its answer to POST /notes. GET /cached lists
// them from a cache, which it writes as long after its answer. Its arguments are that time and any of
//
//	trace   its storage calls carry the trace of the request that caused them
//	once    only the first request of the process is logged
//	never   no request is logged
type lateServer struct {
	delay      time.Duration
	trace      bool
	most       int64 // how many requests are logged
	logged     atomic.Int64
	notes, log *aztables.Client
	cache      *aztables.Client
}

// The lines of docs/run/verify-your-server.md.

// causedBy is the context key of a request's traceparent:
// ctx := context.WithValue(r.Context(), causedBy{}, r.Header.Get("Traceparent"))
type causedBy struct{}

// passOn is for policy.ClientOptions{PerRetryPolicies: []policy.Policy{passOn{}}}.
type passOn struct{}

func (passOn) Do(call *policy.Request) (*http.Response, error) {
	if parent, _ := call.Raw().Context().Value(causedBy{}).(string); parent != "" {
		call.Raw().Header.Set("Traceparent", parent)
	}
	return call.Next()
}

// TestDocumentedLinesForGo holds the guide to the lines that late-server is run with.
func TestDocumentedLinesForGo(t *testing.T) {
	source, err := os.ReadFile("late_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(string(source), "// The lines of docs/run/verify-your-server.md.\n\n")
	lines, _, _ = strings.Cut(lines, "\n// TestDocumentedLinesForGo")
	for line := range strings.Lines(lines) {
		if line = strings.TrimRight(line, "\n"); !strings.Contains(documents(t)["verify-your-server"].text, line) {
			t.Errorf("the guide does not have the line %q", line)
		}
	}
}

func serveLate(args []string) int {
	s := &lateServer{trace: slices.Contains(args, "trace"), most: math.MaxInt64}
	if slices.Contains(args, "once") {
		s.most = 1
	}
	if slices.Contains(args, "never") {
		s.most = 0
	}
	var err error
	if s.delay, err = time.ParseDuration(args[0]); err == nil {
		err = s.open(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /notes", s.add)
	mux.HandleFunc("GET /notes", s.list)
	mux.HandleFunc("GET /cached", s.cached)
	return listen(mux)
}

func (s *lateServer) open(ctx context.Context) error {
	service, err := aztables.NewServiceClientFromConnectionString(os.Getenv("STORAGE_CONNECTION"),
		&aztables.ClientOptions{ClientOptions: s.options()})
	if err != nil {
		return err
	}
	s.notes, s.log, s.cache = service.NewClient("Notes"), service.NewClient("Log"), service.NewClient("Cache")
	for _, table := range []*aztables.Client{s.notes, s.log, s.cache} {
		_, _ = table.CreateTable(ctx, nil) // it may be there
	}
	return nil
}

func (s *lateServer) options() policy.ClientOptions {
	if !s.trace {
		return policy.ClientOptions{}
	}
	return policy.ClientOptions{PerRetryPolicies: []policy.Policy{passOn{}}}
}

func (s *lateServer) add(w http.ResponseWriter, r *http.Request) {
	ctx := context.WithValue(context.WithoutCancel(r.Context()), causedBy{}, r.Header.Get("Traceparent"))
	row := fmt.Appendf(nil, `{"PartitionKey":%q,"RowKey":"note-%d"}`, r.Header.Get("X-User"), time.Now().UnixNano())
	if _, err := s.notes.AddEntity(ctx, row, nil); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusCreated)
	if s.logged.Add(1) > s.most {
		return
	}
	go func() {
		time.Sleep(s.delay)
		_, _ = s.log.UpsertEntity(ctx, row, nil) // nothing waits for it
	}()
}

func (s *lateServer) list(w http.ResponseWriter, r *http.Request) {
	ctx := context.WithValue(r.Context(), causedBy{}, r.Header.Get("Traceparent"))
	if err := list(ctx, s.notes, "PartitionKey eq '"+r.Header.Get("X-User")+"'"); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

// cached lists a person's notes with one point read, or else with a query whose result it caches in the background.
func (s *lateServer) cached(w http.ResponseWriter, r *http.Request) {
	user := r.Header.Get("X-User")
	if _, err := s.cache.GetEntity(r.Context(), user, "notes", nil); err == nil {
		return
	}
	s.list(w, r)
	ctx := context.WithoutCancel(r.Context())
	go func() {
		time.Sleep(s.delay)
		row := fmt.Appendf(nil, `{"PartitionKey":%q,"RowKey":"notes"}`, user)
		_, _ = s.cache.UpsertEntity(ctx, row, nil) // nothing waits for it
	}()
}
