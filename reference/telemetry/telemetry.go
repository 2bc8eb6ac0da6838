package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

const scope = "github.com/storespec/storespec/reference/telemetry"

// closeWithin bounds how long the last spans may take to reach the collector when the server ends.
const closeWithin = 3 * time.Second

// Telemetry is the connection to a collector; nil means there is none.
type Telemetry struct {
	tracer   trace.Tracer
	duration metric.Float64Histogram
	traces   *sdktrace.TracerProvider // nil: no spans are sent
	metrics  *sdkmetric.MeterProvider // nil: no measurements are sent
}

// Start prepares the connection to the collector that the environment names (OpenTelemetry specification,
// "OpenTelemetry Protocol Exporter": OTEL_EXPORTER_OTLP_ENDPOINT, _TRACES_ENDPOINT, _METRICS_ENDPOINT;
// OTEL_SDK_DISABLED), over HTTP; nil when it names none. A collector that does not answer is not an error, now or
// later. getenv returns "" for unset variables; the SDK reads the specification's other variables, such as headers,
// from the process's environment.
func Start(ctx context.Context, getenv func(string) string, service, version string) (*Telemetry, error) {
	traces, metrics := endpoint(getenv, "TRACES"), endpoint(getenv, "METRICS")
	if traces == "" && metrics == "" || strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		return nil, nil
	}
	// The service attributes in the environment (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES) take precedence.
	about, err := resource.Merge(
		resource.NewSchemaless(attribute.String("service.name", service), attribute.String("service.version", version)),
		resource.Environment(),
	)
	if err != nil {
		return nil, fmt.Errorf("describing the service to the collector: %w", err)
	}
	t := &Telemetry{}
	if traces != "" {
		exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(traces))
		if err != nil {
			return nil, fmt.Errorf("preparing to send traces: %w", err)
		}
		every := sdktrace.WithBatchTimeout(milliseconds(getenv("OTEL_BSP_SCHEDULE_DELAY"), 5*time.Second))
		t.traces = sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter, every), sdktrace.WithResource(about))
		t.tracer = t.traces.Tracer(scope)
	}
	if metrics != "" {
		if err := t.measure(ctx, metrics, getenv, about); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	return t, nil
}

func (t *Telemetry) measure(ctx context.Context, endpoint string, getenv func(string) string,
	about *resource.Resource) error {
	exporter, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(endpoint))
	if err != nil {
		return fmt.Errorf("preparing to send metrics: %w", err)
	}
	every := sdkmetric.WithInterval(milliseconds(getenv("OTEL_METRIC_EXPORT_INTERVAL"), time.Minute))
	t.metrics = sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter, every)),
		sdkmetric.WithResource(about))
	t.duration, err = t.metrics.Meter(scope).Float64Histogram("http.server.request.duration", metric.WithUnit("s"),
		metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10))
	if err != nil {
		return fmt.Errorf("preparing to measure requests: %w", err)
	}
	return nil
}

// endpoint returns the address for one signal; "" if it is not sent.
func endpoint(getenv func(string) string, signal string) string {
	if strings.EqualFold(getenv("OTEL_"+signal+"_EXPORTER"), "none") {
		return ""
	}
	if own := getenv("OTEL_EXPORTER_OTLP_" + signal + "_ENDPOINT"); own != "" {
		return own
	}
	if base := getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); base != "" {
		return strings.TrimRight(base, "/") + "/v1/" + strings.ToLower(signal)
	}
	return ""
}

func milliseconds(text string, otherwise time.Duration) time.Duration {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return time.Duration(n) * time.Millisecond
	}
	return otherwise
}

// Handler wraps next with a span around each request that continues the caller's trace. The request passed to next has
// that span as its traceparent, so that its own calls belong to it.
func (t *Telemetry) Handler(next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	var wire propagation.TraceContext
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		ctx := wire.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		span := trace.SpanFromContext(ctx)
		if t.tracer != nil {
			ctx, span = t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
			defer span.End()
			r = r.Clone(ctx)
			wire.Inject(ctx, propagation.HeaderCarrier(r.Header))
		}
		answer := &watched{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(answer, r)
		about := []attribute.KeyValue{
			attribute.String("http.request.method", method(r.Method)),
			attribute.String("http.route", route(r)),
			attribute.Int("http.response.status_code", answer.status),
		}
		span.SetName(method(r.Method) + " " + route(r))
		span.SetAttributes(about...)
		if answer.status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		if t.duration != nil {
			t.duration.Record(ctx, time.Since(began).Seconds(), metric.WithAttributes(about...))
		}
	})
}

// route returns the pattern that the server's table matched, which is one of few and contains nothing of the request.
func route(r *http.Request) string {
	switch r.Pattern {
	case "", "/":
		return "unknown"
	case "/{$}":
		return "/"
	}
	return r.Pattern
}

// method returns one of few names, whatever was sent (semantic conventions for HTTP, "http.request.method").
func method(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return name
	}
	return "_OTHER"
}

// watched records the status of an answer.
type watched struct {
	http.ResponseWriter
	status int
}

func (w *watched) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// LogErrors makes the SDK report its errors to a log, such as a collector that does not answer. It affects the whole
// process, so only a program's main calls it; without it they are written to standard error as plain text.
func LogErrors(log *slog.Logger) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("telemetry", "error", err) }))
}

// Close sends what is still pending; it is an error if the collector does not accept it within three seconds.
func (t *Telemetry) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	var errs []error
	if t.traces != nil {
		errs = append(errs, t.traces.Shutdown(ctx))
	}
	if t.metrics != nil {
		errs = append(errs, t.metrics.Shutdown(ctx))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("sending the last spans and measurements: %w", err)
	}
	return nil
}
