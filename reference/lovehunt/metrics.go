package lovehunt

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// bounds are the upper bounds of the histogram, in seconds.
var bounds = []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5}

// thresholds are the design's expected latencies, which a p95 may not exceed.
func thresholds() map[string]time.Duration {
	return map[string]time.Duration{
		"hunts.get": 10 * time.Millisecond, "organizations.get": 10 * time.Millisecond,
		"events.today": 20 * time.Millisecond, "hunts.list": 50 * time.Millisecond,
		"organizations.list": 200 * time.Millisecond, "events.all": 500 * time.Millisecond,
	}
}

// measures counts what the server did since it started (LH-MON-1).
type measures struct {
	mu         sync.Mutex
	operations map[string]*operation

	upgraded           atomic.Int64 // records migrated on read
	fromBlob           atomic.Int64 // records served from a blob because tables lack them
	compared, agreeing atomic.Int64 // sampled reads
}

type operation struct {
	buckets []int // by bounds, and one for the rest
	count   int
	errors  int
	seconds float64
}

func newMeasures() *measures { return &measures{operations: map[string]*operation{}} }

// observe counts one request.
func (m *measures) observe(name string, took time.Duration, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.operations[name]
	if o == nil {
		o = &operation{buckets: make([]int, len(bounds)+1)}
		m.operations[name] = o
	}
	at, _ := slices.BinarySearch(bounds, took.Seconds())
	o.buckets[at]++
	o.count++
	o.seconds += took.Seconds()
	if failed {
		o.errors++
	}
}

// p95 returns the bound below which 95 of 100 requests lie, in seconds.
func (o *operation) p95() float64 {
	seen := 0
	for i, n := range o.buckets {
		if seen += n; seen*100 >= o.count*95 {
			return bounds[min(i, len(bounds)-1)]
		}
	}
	return 0
}

// slow names the operations whose p95 exceeds the design's threshold, and failing those with errors in 0.1 % of their
// requests or more.
func (m *measures) slow() (slow, failing []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slow, failing = []string{}, []string{}
	for _, name := range slices.Sorted(maps.Keys(m.operations)) {
		o := m.operations[name]
		if most, ok := thresholds()[name]; ok && o.p95() > most.Seconds() {
			slow = append(slow, name)
		}
		if o.errors*1000 >= o.count {
			failing = append(failing, name)
		}
	}
	return slow, failing
}

// showMetrics is GET /metrics, in the text format of Prometheus.
func (s *Server) showMetrics(*web.Exchange) (web.Reply, error) {
	return web.File{ContentType: "text/plain; version=0.0.4; charset=utf-8", Data: s.metrics.text()}, nil
}

func (m *measures) text() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out bytes.Buffer
	names := slices.Sorted(maps.Keys(m.operations))
	fmt.Fprintln(&out, "# TYPE lovehunt_request_seconds histogram")
	for _, name := range names {
		o, sum := m.operations[name], 0
		for i, n := range o.buckets {
			sum += n
			bound := "+Inf"
			if i < len(bounds) {
				bound = fmt.Sprint(bounds[i])
			}
			fmt.Fprintf(&out, "lovehunt_request_seconds_bucket{operation=%q,le=%q} %d\n", name, bound, sum)
		}
		fmt.Fprintf(&out, "lovehunt_request_seconds_sum{operation=%q} %g\n", name, o.seconds)
		fmt.Fprintf(&out, "lovehunt_request_seconds_count{operation=%q} %d\n", name, o.count)
	}
	fmt.Fprintln(&out, "# TYPE lovehunt_request_errors_total counter")
	for _, name := range names {
		fmt.Fprintf(&out, "lovehunt_request_errors_total{operation=%q} %d\n", name, m.operations[name].errors)
	}
	for _, each := range []struct {
		name  string
		value int64
	}{
		{"lovehunt_migrated_on_read_total", m.upgraded.Load()},
		{"lovehunt_served_from_blob_total", m.fromBlob.Load()},
		{"lovehunt_dual_write_compared_total", m.compared.Load()},
		{"lovehunt_dual_write_agreeing_total", m.agreeing.Load()},
	} {
		fmt.Fprintf(&out, "# TYPE %s counter\n%s %d\n", each.name, each.name, each.value)
	}
	return out.Bytes()
}

// health is GET /api/v2/health. It does not use storage, so it answers while storage is down.
func (s *Server) health(*web.Exchange) (web.Reply, error) {
	slow, failing := s.metrics.slow()
	stores := []string{"tables", "blobs"}
	switch s.phase() {
	case blobOnly:
		stores = stores[1:]
	case tablesOnly:
		stores = stores[:1]
	}
	return s.success(200, map[string]any{
		"phase": s.phase(), "stores": stores, "breaker": s.store.breaker.state(), "slow": slow, "failing": failing,
		"version": s.config.Version,
	}), nil
}
