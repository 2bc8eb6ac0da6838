package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

// Run serves the design items until the process is ended. words say how it behaves; getenv names its port and its store
// (PORT, STORAGE_CONNECTION); it logs to log. The error says why it could not serve.
func Run(ctx context.Context, words []string, getenv func(string) string, log io.Writer) error {
	b, err := parse(words)
	if err != nil {
		return err
	}
	s := &server{behavior: b, log: log}
	if err := s.open(ctx, getenv("STORAGE_CONNECTION")); err != nil {
		return err
	}
	if b.polls > 0 {
		go s.poll(ctx)
	}
	if b.chatty {
		go s.chat()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("PUT /items/{name}", s.put)
	mux.HandleFunc("GET /items/{name}", s.get)
	return s.serve(ctx, getenv("PORT"), mux)
}

type server struct {
	behavior
	log                 io.Writer
	items, lines, tasks *aztables.Client
}

// causedBy is the context key of a request's traceparent.
type causedBy struct{}

// passOn sets the traceparent of the request that causes a storage call.
type passOn struct{}

func (passOn) Do(call *policy.Request) (*http.Response, error) {
	if parent, _ := call.Raw().Context().Value(causedBy{}).(string); parent != "" {
		call.Raw().Header.Set("Traceparent", parent)
	}
	return call.Next()
}

func (s *server) open(ctx context.Context, connection string) error {
	options := policy.ClientOptions{PerRetryPolicies: []policy.Policy{passOn{}}}
	if s.untraced {
		options = policy.ClientOptions{}
	}
	service, err := aztables.NewServiceClientFromConnectionString(connection,
		&aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		return err
	}
	s.items, s.lines, s.tasks = service.NewClient("Items"), service.NewClient("Log"), service.NewClient("Jobs")
	if s.refuses {
		return nil
	}
	for _, table := range []*aztables.Client{s.items, s.lines, s.tasks} {
		if _, err := table.CreateTable(ctx, nil); status(err) != http.StatusConflict && err != nil {
			return err
		}
	}
	return nil
}

// cause returns the context of what a request causes, which outlives the request.
func cause(r *http.Request) context.Context {
	return context.WithValue(context.WithoutCancel(r.Context()), causedBy{}, r.Header.Get("Traceparent"))
}

func (s *server) put(w http.ResponseWriter, r *http.Request) {
	var sent struct{ Text string }
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx := cause(r)
	row, _ := json.Marshal(map[string]string{"PartitionKey": r.Header.Get("X-User"), "RowKey": r.PathValue("name"),
		"text": sent.Text}) // texts can always be encoded
	if !s.prepare(ctx, w) {
		return
	}
	_, err := s.items.UpsertEntity(ctx, row, nil)
	if s.late == 0 && err == nil {
		_, err = s.lines.UpsertEntity(ctx, row, nil)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if s.drops {
		panic(http.ErrAbortHandler)
	}
	for _, delay := range []time.Duration{s.late, s.over} {
		if delay > 0 {
			after(delay, func() { _, _ = s.lines.UpsertEntity(ctx, row, nil) }) // nothing waits for it
		}
	}
	s.answered(r)
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	ctx := cause(r)
	if !s.prepare(ctx, w) {
		return
	}
	bare := aztables.MetadataFormatNone // metadata has the address of the store
	found, err := s.items.GetEntity(ctx, r.Header.Get("X-User"), r.PathValue("name"),
		&aztables.GetEntityOptions{Format: &bare})
	switch {
	case s.fails:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = fmt.Fprint(w, `{"error":"internal","detail":"out of cheese"}`)
	case status(err) == http.StatusNotFound:
		http.NotFound(w, r)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(found.Value) // the caller may be gone
	}
	s.answered(r)
}

// prepare does what comes before the work of each request. It reports whether the request goes on.
func (s *server) prepare(ctx context.Context, w http.ResponseWriter) bool {
	if s.refuses { // the words of @azure/core-rest-pipeline
		http.Error(w, "Error: Cannot connect to http://the.store/ while allowInsecureConnection is false.",
			http.StatusInternalServerError)
		return false
	}
	if s.peeks {
		_, _ = s.tasks.GetEntity(ctx, "jobs", "next", nil) // there is none
	}
	return true
}

func (s *server) answered(r *http.Request) {
	if s.printLate > 0 {
		line := fmt.Sprintf("answered %s %s\n", r.Method, strings.Trim(r.URL.Path, "/"))
		after(s.printLate, func() { _, _ = io.WriteString(s.log, line) })
	}
}

// poll looks for a job, again and again.
func (s *server) poll(ctx context.Context) {
	for range time.Tick(s.polls) {
		_, _ = s.tasks.GetEntity(ctx, "jobs", "next", nil) // there is none
	}
}

// chat prints some 200 kB a second.
func (s *server) chat() {
	line := strings.Repeat("all is well. ", 16) + "\n"
	for range time.Tick(time.Millisecond) {
		_, _ = io.WriteString(s.log, line)
	}
}

func after(delay time.Duration, do func()) { time.AfterFunc(delay, do) }

// status returns the status that a call of the store failed with; 0: it did not, or had no answer.
func status(err error) int {
	if failed, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return failed.StatusCode
	}
	return 0
}
