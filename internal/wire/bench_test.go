package wire_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// The benchmarks compare calls of a real client straight to a server that always gives the same
// answer, the worst case, with the same calls through gateway, recorder and proxy. Client, gateway
// and server share the machine's cores; both ways are measured in turns within one run:
//
//	go test -run '^$' -bench . -benchtime 20000x ./internal/wire
//	go test -run '^$' -bench Throughput -benchtime 20x ./internal/wire

type operation struct {
	name string
	do   func(context.Context, *aztables.Client) error
}

func operations() []operation {
	body := []byte(`{"PartitionKey":"p","RowKey":"r","Title":"Alternate weekends","Count":12}`)
	return []operation{
		{"get", func(ctx context.Context, c *aztables.Client) error {
			_, err := c.GetEntity(ctx, "p", "r", nil)
			return err
		}},
		{"upsert", func(ctx context.Context, c *aztables.Client) error {
			_, err := c.UpsertEntity(ctx, body, nil)
			return err
		}},
		{"query", func(ctx context.Context, c *aztables.Client) error {
			filter := "PartitionKey eq 'p' and RowKey ge 'a' and RowKey lt 'b'"
			_, err := c.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter}).NextPage(ctx)
			return err
		}},
	}
}

// fixed answers every request at once, a query with 20 entities.
func fixed() http.Handler {
	entity := `{"odata.etag":"W/\"x\"","PartitionKey":"p","RowKey":"r","Title":"Alternate weekends","Count":12}`
	list := `{"value":[` + entity
	for range 19 {
		list += "," + entity
	}
	list += "]}"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "application/json;odata=minimalmetadata")
		if r.URL.RawQuery == "" || !r.URL.Query().Has("$filter") {
			_, _ = io.WriteString(w, entity)
			return
		}
		_, _ = io.WriteString(w, list)
	})
}

// ways opens the direct way and the one through a gateway, and gives the recorder of the latter.
func ways(b *testing.B) (direct, through *aztables.Client, rec *wire.Recorder) {
	b.Helper()
	server := httptest.NewServer(fixed())
	b.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		b.Fatal(err)
	}
	transport := wire.NewTransport()
	b.Cleanup(transport.CloseIdleConnections)
	rec = wire.NewRecorder()
	gate, err := wire.NewGateway(rec,
		map[wire.Protocol]http.Handler{azure.Tables{}: wire.NewProxy(address, transport, nil)}, wire.GatewayOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := gate.Close(); err != nil {
			b.Error(err)
		}
	})
	return tableClient(b, server.URL).NewClient("Groups"),
		tableClient(b, gate.Endpoint(azure.Table)).NewClient("Groups"), rec
}

// BenchmarkLatency reports the medians of one goroutine's calls and what the gateway adds. An
// iteration is one call on each way.
func BenchmarkLatency(b *testing.B) {
	for _, op := range operations() {
		b.Run(op.name, func(b *testing.B) {
			direct, through, rec := ways(b)
			var times [2][]time.Duration
			for i := 0; b.Loop(); i++ {
				for w, client := range []*aztables.Client{direct, through} {
					start := time.Now()
					if err := op.do(b.Context(), client); err != nil {
						b.Fatal(err)
					}
					times[w] = append(times[w], time.Since(start))
				}
				if i%1000 == 0 {
					rec.Reset() // a scenario has some dozens of calls
				}
			}
			d, g := median(times[0]), median(times[1])
			b.ReportMetric(d, "direct-µs")
			b.ReportMetric(g, "gateway-µs")
			b.ReportMetric(g-d, "added-µs")
		})
	}
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Nanoseconds()) / 1000
}

// BenchmarkThroughput reports how many calls of 16 goroutines pass in a second on each way, and the
// ratio. An iteration is 2,000 calls on each way.
func BenchmarkThroughput(b *testing.B) {
	const goroutines, calls = 16, 2000
	for _, op := range operations() {
		b.Run(op.name, func(b *testing.B) {
			direct, through, rec := ways(b)
			var spent [2]time.Duration
			rounds := 0
			for b.Loop() {
				rounds++
				for w, client := range []*aztables.Client{direct, through} {
					start := time.Now()
					var group sync.WaitGroup
					for range goroutines {
						group.Go(func() {
							for range calls / goroutines {
								if err := op.do(b.Context(), client); err != nil {
									b.Error(err)
									return
								}
							}
						})
					}
					group.Wait()
					spent[w] += time.Since(start)
				}
				rec.Reset()
			}
			rate := func(w int) float64 { return float64(rounds*calls) / spent[w].Seconds() }
			b.ReportMetric(rate(0), "direct-calls/s")
			b.ReportMetric(rate(1), "gateway-calls/s")
			b.ReportMetric(rate(1)/rate(0), "ratio")
		})
	}
}
