package telemetry

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collected is what a collector was sent, by path.
type collected struct {
	mu     sync.Mutex
	bodies map[string][][]byte
}

func (c *collected) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bodies[r.URL.Path] = append(c.bodies[r.URL.Path], body)
}

func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestWithoutACollectorThereIsNothing(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"nothing is set": {},
		"it is disabled": {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"},
		"no exporters": {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "none",
			"OTEL_METRICS_EXPORTER": "none"},
	} {
		reports, err := Start(t.Context(), environment(env), "s", "v")
		if reports != nil || err != nil {
			t.Errorf("%s: %v, %v", name, reports, err)
		}
		next := http.NewServeMux()
		if reports.Handler(next) != http.Handler(next) || reports.Close() != nil {
			t.Errorf("%s: the handler is wrapped, or closing fails", name)
		}
	}
}

func TestEachRequestIsASpanAndAMeasurement(t *testing.T) {
	sink := &collected{bodies: map[string][][]byte{}}
	server := httptest.NewServer(sink)
	defer server.Close()
	reports, err := Start(t.Context(), environment(map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL + "/"}),
		"family", "abc")
	if err != nil {
		t.Fatal(err)
	}
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	var passedOn string
	mux := http.NewServeMux()
	mux.HandleFunc("/api/x", func(w http.ResponseWriter, r *http.Request) {
		passedOn = r.Header.Get("traceparent")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	mux.HandleFunc("/{$}", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	handler := reports.Handler(mux)
	for _, path := range []string{"/api/x?email=ana@example.com", "/?token=secret", "/ana@example.com"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("traceparent", parent)
		r.Header.Set("x-session-id", "somebodys-session")
		handler.ServeHTTP(httptest.NewRecorder(), r)
		if r.Header.Get("traceparent") != parent {
			t.Error("the caller's request was changed")
		}
	}
	if err := reports.Close(); err != nil {
		t.Fatal(err)
	}

	if !strings.HasPrefix(passedOn, parent[:36]) || passedOn == parent {
		t.Errorf("the handler got the traceparent %q, not a span of the caller's trace", passedOn)
	}
	var spans tracepb.TracesData
	decode(t, sink.bodies["/v1/traces"], &spans)
	names := map[string]string{}
	for _, span := range spans.GetResourceSpans()[0].GetScopeSpans()[0].GetSpans() {
		names[span.GetName()] = span.GetStatus().GetCode().String()
	}
	if len(names) != 3 || names["GET /api/x"] != "STATUS_CODE_ERROR" || names["GET /"] != "STATUS_CODE_UNSET" ||
		names["GET unknown"] == "" {
		t.Errorf("spans: %v", names)
	}
	var metrics metricspb.MetricsData
	decode(t, sink.bodies["/v1/metrics"], &metrics)
	measured := metrics.GetResourceMetrics()[0].GetScopeMetrics()[0].GetMetrics()[0]
	if measured.GetName() != "http.server.request.duration" || requests(measured) != 3 {
		t.Errorf("%s measured %d requests", measured.GetName(), requests(measured))
	}
	namesTheServiceAlone(t, spans.String())
	namesTheServiceAlone(t, metrics.String())
}

func requests(measured *metricspb.Metric) (count uint64) {
	for _, point := range measured.GetHistogram().GetDataPoints() {
		count += point.GetCount()
	}
	return count
}

// namesTheServiceAlone: what is sent says which service it is about, and nothing of a request's query, path or header.
func namesTheServiceAlone(t *testing.T, sent string) {
	t.Helper()
	for _, secret := range []string{"ana@example.com", "secret", "somebodys-session"} {
		if strings.Contains(sent, secret) {
			t.Errorf("the collector was sent %q", secret)
		}
	}
	if !strings.Contains(sent, "family") || !strings.Contains(sent, "abc") {
		t.Error("the collector was not sent the service's name and version")
	}
}

func decode(t *testing.T, bodies [][]byte, into proto.Message) {
	t.Helper()
	if len(bodies) != 1 {
		t.Fatalf("the collector got %d requests, not one", len(bodies))
	}
	// An export request and the stored form of its signal are one message on the wire.
	if err := proto.Unmarshal(bodies[0], into); err != nil {
		t.Fatal(err)
	}
}

func TestACollectorThatIsAwayDisturbsNobody(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.URL
	server.Close()
	reports, err := Start(t.Context(), environment(map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": address}),
		"s", "v")
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	reports.Handler(http.NotFoundHandler()).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	if answer.Code != http.StatusNotFound {
		t.Errorf("the answer is %d", answer.Code)
	}
	var logged bytes.Buffer
	LogErrors(slog.New(slog.NewJSONHandler(&logged, nil)))
	if err := reports.Close(); err != nil {
		t.Errorf("closing says %v", err)
	}
	if !strings.Contains(logged.String(), `"msg":"telemetry"`) {
		t.Errorf("the log says %q", logged.String())
	}
}
