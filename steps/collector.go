package steps

import (
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/cucumber/godog"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	// defaultCollector is where an exporter sends to that was told nothing (OTLP specification, "OTLP/HTTP Default Port").
	defaultCollector = "127.0.0.1:4318"
	// spansWithin bounds the wait for the last span: exporters send in batches, every five seconds if they are not told.
	spansWithin = 15 * time.Second
	// defaultWithin is how long another run on this machine may have the default address.
	defaultWithin = 5 * time.Second
)

// collector is an OpenTelemetry collector that keeps the spans it is sent, by OTLP over HTTP with protobuf.
type collector struct {
	server *httptest.Server

	mu      sync.Mutex
	spans   []*tracepb.Span
	posts   int
	arrived chan struct{} // closed and renewed with each post
}

// startCollector starts a collector at an address, or on a free port.
func startCollector(address string) (*collector, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("open a collector: %w", err)
	}
	c := &collector{arrived: make(chan struct{})}
	c.server = &httptest.Server{Listener: listener, Config: &http.Server{Handler: c, ReadHeaderTimeout: answerWithin}}
	c.server.Start()
	return c, nil
}

// environment is what tells a target of the collector, and to be quick about it.
func (c *collector) environment() map[string]string {
	return map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": c.server.URL,
		"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
		"OTEL_BSP_SCHEDULE_DELAY":     "20",
	}
}

// untold takes away what storespec's own environment may say of a collector.
func untold() map[string]string {
	return map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": ""}
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := read(r)
	// ExportTraceServiceRequest and TracesData are one message on the wire (opentelemetry-proto, trace.proto).
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
	body := io.LimitReader(r.Body, maxAnswer)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, fmt.Errorf("unpack spans: %w", err)
		}
		body = io.LimitReader(unpacked, maxAnswer)
	}
	return io.ReadAll(body)
}

// serverSpans is how many spans of a server belong to a trace, and what becomes true when more arrive.
func (c *collector) serverSpans(trace string) (found []*tracepb.Span, more <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, span := range c.spans {
		if hex.EncodeToString(span.GetTraceId()) == trace && span.GetKind() == tracepb.Span_SPAN_KIND_SERVER {
			found = append(found, span)
		}
	}
	return found, c.arrived
}

func (c *collector) received() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.posts
}

func collectorSteps() []Step {
	return []Step{
		{`a fresh target that is told of a collector`, `Given a fresh target that is told of a collector`,
			func(w *World) any { return func() error { return w.startWithCollector("127.0.0.1:0") } }},
		{`a fresh target that is told of no collector, though one is there`, `Given a fresh target that is told of no collector, though one is there`,
			func(w *World) any { return func() error { return w.startWithCollector(defaultCollector) } }},
		{`the collector gets one span for each request`, `Then the collector gets one span for each request`,
			func(w *World) any { return w.oneSpanEach }},
		{`the collector gets nothing, also when the target ends`, `Then the collector gets nothing, also when the target ends`,
			func(w *World) any { return w.nothingCollected }},
		{`the log holds no e-mail, session id, token or key`, `Then the log holds no e-mail, session id, token or key`,
			func(w *World) any { return w.logHoldsNoSecret }},
	}
}

// startWithCollector starts a target that is told of the collector unless that listens at the default address.
func (w *World) startWithCollector(address string) error {
	if !w.lane.maker.Target.Restartable() {
		return fmt.Errorf("%w: storespec did not start this target and cannot start it anew", godog.ErrSkip)
	}
	c, err := startCollector(address)
	for end := time.Now().Add(defaultWithin); err != nil && address == defaultCollector && time.Now().Before(end) && w.ctx.Err() == nil; {
		time.Sleep(defaultWithin / 100)
		c, err = startCollector(address)
	}
	if err != nil && address == defaultCollector {
		return fmt.Errorf("%w: something else listens at %s", godog.ErrSkip, address)
	}
	if err != nil {
		return err
	}
	environment := c.environment()
	if address == defaultCollector {
		environment = untold()
	}
	if err := w.startCold(1, environment); err != nil {
		c.server.Close()
		return err
	}
	w.cold.collector = c
	return nil
}

func (w *World) oneSpanEach() error {
	c := w.active().collector
	if c == nil {
		return errors.New("the scenario has no collector")
	}
	ctx, cancel := context.WithTimeout(w.ctx, spansWithin)
	defer cancel()
	secrets := w.secrets()
	for _, e := range w.exchanges {
		spans, more := c.serverSpans(e.request.Trace())
		for len(spans) == 0 && ctx.Err() == nil {
			select {
			case <-more:
			case <-ctx.Done():
			}
			spans, more = c.serverSpans(e.request.Trace())
		}
		if len(spans) != 1 {
			return fmt.Errorf("%d spans of kind SERVER continue the trace of %s, not one", len(spans), e)
		}
		if what := leaked(spans[0].String(), secrets); what != "" {
			return fmt.Errorf("the span of %s holds %s", e, what)
		}
	}
	return nil
}

func (w *World) nothingCollected() error {
	lane := w.active()
	if lane.collector == nil {
		return errors.New("the scenario has no collector")
	}
	if err := lane.Target.Stop(w.ctx); err != nil {
		return err
	}
	if n := lane.collector.received(); n > 0 {
		return fmt.Errorf("the collector got %d requests from a target that was not told of it", n)
	}
	return nil
}
