package companion

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	// DefaultCollector is where an exporter sends to if it is not configured (OTLP specification, "OTLP/HTTP Default
	// Port").
	DefaultCollector = "127.0.0.1:4318"
	// defaultWithin is how long another run on this machine may occupy the default address.
	defaultWithin = 5 * time.Second
	// maxPost limits one batch of spans, in bytes.
	maxPost = 16 << 20
)

// Collector is an OpenTelemetry collector that keeps the spans it receives, by OTLP over HTTP with protobuf. They can
// still be read after Close.
type Collector struct {
	unscripted
	listening
	Address string // "": a free port

	mu      sync.Mutex
	spans   []*tracepb.Span
	posts   int
	arrived chan struct{} // closed and replaced on each post
}

// ErrTaken is returned by Start if something else listens on the collector's address.
var ErrTaken = errors.New("something else listens at " + DefaultCollector)

// Start starts the collector on its address, or on a free port. If the default address is in use, it waits a while for
// it. Errors: ErrTaken.
func (c *Collector) Start(ctx context.Context) (map[string]string, error) {
	listener, err := net.Listen("tcp", cmp.Or(c.Address, "127.0.0.1:0"))
	for end := time.Now().Add(defaultWithin); err != nil && c.untold() && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(defaultWithin / 100)
		listener, err = net.Listen("tcp", c.Address)
	}
	if err != nil && c.untold() {
		return nil, ErrTaken
	}
	if err != nil {
		return nil, fmt.Errorf("open a collector: %w", err)
	}
	c.arrived = make(chan struct{})
	c.serve(listener, c.receive)
	return nil, nil
}

// untold reports whether its address is the default of an exporter that is not configured.
func (c *Collector) untold() bool { return c.Address == DefaultCollector }

// Environment returns the variables that configure a target's exporter to use the collector and to send without delay;
// if the exporter is to be left unconfigured, the variables that clear what storespec's own environment may contain.
func (c *Collector) Environment() map[string]string {
	if c.untold() {
		return map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "",
			"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": ""}
	}
	return map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.server.URL,
		"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "OTEL_BSP_SCHEDULE_DELAY": "20"}
}

// receive accepts a batch of spans, gzipped or not.
func (c *Collector) receive(w http.ResponseWriter, r *http.Request) {
	body, err := read(r)
	// ExportTraceServiceRequest and TracesData have the same wire format (opentelemetry-proto, trace.proto).
	var data tracepb.TracesData
	if err == nil && r.URL.Path == "/v1/traces" {
		err = proto.Unmarshal(body, &data)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.posts++
	for _, resource := range data.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			c.spans = append(c.spans, scope.GetSpans()...)
		}
	}
	close(c.arrived)
	c.arrived = make(chan struct{})
	w.Header().Set("Content-Type", "application/x-protobuf")
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
}

func read(r *http.Request) ([]byte, error) {
	body := io.LimitReader(r.Body, maxPost)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, fmt.Errorf("unpack spans: %w", err)
		}
		body = io.LimitReader(unpacked, maxPost)
	}
	return io.ReadAll(body)
}

// ServerSpans returns how many server spans belong to a trace, and a channel that is closed when more arrive.
func (c *Collector) ServerSpans(trace string) (found []*tracepb.Span, more <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, span := range c.spans {
		if hex.EncodeToString(span.GetTraceId()) == trace && span.GetKind() == tracepb.Span_SPAN_KIND_SERVER {
			found = append(found, span)
		}
	}
	return found, c.arrived
}

// Received returns how many batches have arrived, of any kind.
func (c *Collector) Received() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.posts
}
