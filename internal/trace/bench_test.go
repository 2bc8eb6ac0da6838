package trace

import (
	"context"
	"crypto/rand"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/internal/store/account"
	"github.com/storespec/storespec/internal/store/storetest"
	"github.com/storespec/storespec/internal/wire"
)

// BenchmarkTrace measures what tracing adds to a call of one goroutine at the median: a real client straight to the
// emulator, the same calls traced, shown included, and traced and signed again, as for a real account; in turns within
// one run. Client, gateway and emulator share the machine:
//
//	go test -run '^$' -bench Trace -benchtime 10000x ./internal/trace
func BenchmarkTrace(b *testing.B) {
	body := []byte(`{"PartitionKey":"p","RowKey":"r","Title":"Alternate weekends","Count":12}`)
	for _, operation := range []struct {
		name string
		do   func(context.Context, *aztables.Client) error
	}{
		{"get", func(ctx context.Context, c *aztables.Client) error {
			_, err := c.GetEntity(ctx, "p", "r", nil)
			return err
		}},
		{"upsert", func(ctx context.Context, c *aztables.Client) error {
			_, err := c.UpsertEntity(ctx, body, nil)
			return err
		}},
	} {
		b.Run(operation.name, func(b *testing.B) {
			ways := []*aztables.Client{client(b, storetest.Lease(b).Direct()["connection"]), client(b, traced(b, nil)),
				client(b, traced(b, rand.Reader))}
			var times [3][]time.Duration
			for _, way := range ways {
				if _, err := way.UpsertEntity(b.Context(), body, nil); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				for i, way := range ways {
					start := time.Now()
					if err := operation.do(b.Context(), way); err != nil {
						b.Fatal(err)
					}
					times[i] = append(times[i], time.Since(start))
				}
			}
			direct, through, signed := median(times[0]), median(times[1]), median(times[2])
			b.ReportMetric(direct, "direct-µs")
			b.ReportMetric(through-direct, "added-µs")
			b.ReportMetric(signed-direct, "added-signed-µs")
		})
	}
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Nanoseconds()) / 1000
}

// ready takes the connection string that a run shows.
type ready struct {
	*Text
	connection chan string
}

func (r ready) Ready(values map[string]string) error {
	r.connection <- values["connection"]
	return nil
}

// traced is a connection string that leads to an emulator through a run, with a socket before and behind the gateway.
func traced(b *testing.B, entropy io.Reader) string {
	b.Helper()
	account, err := account.Attach(storetest.Lease(b).Direct()["connection"], entropy)
	if err != nil {
		b.Fatal(err)
	}
	shown := ready{NewText(io.Discard, io.Discard, time.Now()), make(chan string, 1)}
	ctx, cancel := context.WithCancel(context.WithoutCancel(b.Context()))
	ended := make(chan error, 1)
	go func() {
		_, err := Run(ctx, Options{Account: account, Rules: Rules{Threshold: 5}, Show: shown})
		ended <- err
	}()
	b.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			b.Error(err)
		}
		account.Release()
	})
	return <-shown.connection
}

func client(b *testing.B, connection string) *aztables.Client {
	b.Helper()
	options := account.DirectOptions(wire.NewTransport())
	service, err := aztables.NewServiceClientFromConnectionString(connection,
		&aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		b.Fatal(err)
	}
	table := service.NewClient("Bench")
	if _, err := table.CreateTable(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	return table
}
