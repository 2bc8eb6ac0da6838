package tables

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// benchEntity is a row of 250 bytes, as a client sends it.
func benchEntity(partition, row string) []byte {
	return fmt.Appendf(nil,
		`{"PartitionKey":"%s","RowKey":"%s","Name":"Ada Lovelace","Role":"admin","Count":42,"Active":true,`+
			`"Ratio":0.75,"Joined":"2024-01-02T03:04:05Z","Joined@odata.type":"Edm.DateTime","Note":"%s"}`, partition,
		row, strings.Repeat("n", 90))
}

// benchServer is a service to measure: an http.Handler behind a socket, and the SDK before it.
func benchClient(b *testing.B, handler http.Handler) *aztables.Client {
	b.Helper()
	server := httptest.NewServer(handler)
	b.Cleanup(server.Close)
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	b.Cleanup(transport.CloseIdleConnections)
	service, err := aztables.NewServiceClientFromConnectionString("DefaultEndpointsProtocol=http;AccountName="+
		testAccount+
		";AccountKey="+azure.DevelopmentKey+";TableEndpoint="+server.URL+"/"+testAccount+";",
		&aztables.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: &http.Client{Transport: transport}}})
	if err != nil {
		b.Fatal(err)
	}
	return service.NewClient("Bench")
}

// benchEmulator checks signatures, as users' emulators do.
func benchEmulator(b *testing.B) *emulator {
	b.Helper()
	e := openEmulator(b, engine.Options{})
	accounts := azure.NewAccounts(e.engine)
	if _, err := accounts.Add(testAccount, azure.DevelopmentKey); err != nil {
		b.Fatal(err)
	}
	e.createTable("Bench")
	e.handler = azure.NewFront(azure.Options{Service: azure.Table, Accounts: accounts}, e.service.Serve)
	return e
}

// fixedAnswer is the limit: a server that reads the request and always gives the same answer.
func fixedAnswer(status int, header http.Header, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		_, _ = w.Write(body)
	})
}

// recorded makes a fixed answer of what the emulator answers to a request.
func recorded(b *testing.B, e *emulator, method, path, body string, headers ...string) http.Handler {
	b.Helper()
	front := e.handler
	accounts := azure.NewAccounts(e.engine)
	if _, err := accounts.Add(testAccount, azure.DevelopmentKey); err != nil {
		b.Fatal(err)
	}
	e.handler = azure.NewFront(azure.Options{Service: azure.Table, Accounts: accounts, NoAuth: true}, e.service.Serve)
	a := e.do(method, path, body, headers...)
	e.handler = front
	if a.status >= 300 {
		b.Fatalf("%d %s", a.status, a.body)
	}
	return fixedAnswer(a.status, a.header, []byte(a.body))
}

// atConcurrency runs one operation from 1 and from 16 goroutines against both servers.
func atConcurrency(b *testing.B, servers map[string]http.Handler,
	operation func(context.Context, *aztables.Client, int) error) {
	for _, name := range []string{"fixed", "embedded"} {
		for _, goroutines := range []int{1, 16} {
			b.Run(fmt.Sprintf("%s/%d", name, goroutines), func(b *testing.B) {
				client := benchClient(b, servers[name])
				var next atomic.Int64
				if goroutines == 1 {
					for b.Loop() {
						if err := operation(b.Context(), client, int(next.Add(1))); err != nil {
							b.Fatal(err)
						}
					}
				} else {
					b.SetParallelism((goroutines + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
					b.RunParallel(func(pb *testing.PB) {
						for pb.Next() {
							if err := operation(b.Context(), client, int(next.Add(1))); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "op/s")
			})
		}
	}
}

func BenchmarkUpsert(b *testing.B) {
	e := benchEmulator(b)
	servers := map[string]http.Handler{"embedded": e.handler}
	servers["fixed"] = recorded(b, e, "PUT", entityPath("Bench", "p", "r"), string(benchEntity("p", "r")))
	atConcurrency(b, servers, func(ctx context.Context, c *aztables.Client, n int) error {
		_, err := c.UpsertEntity(ctx, benchEntity("p"+strconv.Itoa(n%100), strconv.Itoa(n)),
			&aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace})
		return err
	})
}

func BenchmarkGet(b *testing.B) {
	e := benchEmulator(b)
	const rows = 50_000
	fill(b, e, "p", rows)
	servers := map[string]http.Handler{"embedded": e.handler}
	servers["fixed"] = recorded(b, e, "GET", entityPath("Bench", "p", "00000001"), "")
	atConcurrency(b, servers, func(ctx context.Context, c *aztables.Client, n int) error {
		_, err := c.GetEntity(ctx, "p", fmt.Sprintf("%08d", n*7919%rows), nil)
		return err
	})
}

func BenchmarkQuery100(b *testing.B) {
	e := benchEmulator(b)
	for p := range 100 {
		fill(b, e, fmt.Sprintf("p%02d", p), 100)
	}
	servers := map[string]http.Handler{"embedded": e.handler}
	servers["fixed"] = recorded(b, e, "GET", "Bench()?"+filter("PartitionKey eq 'p00'"), "")
	atConcurrency(b, servers, func(ctx context.Context, c *aztables.Client, n int) error {
		partition := fmt.Sprintf("PartitionKey eq 'p%02d'", n%100)
		page, err := c.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &partition}).NextPage(ctx)
		if err == nil && len(page.Entities) != 100 {
			err = fmt.Errorf("a page of %d", len(page.Entities))
		}
		return err
	})
}

func BenchmarkTransaction100(b *testing.B) {
	e := benchEmulator(b)
	var operations []operationText
	for i := range 100 {
		operations = append(operations, operationText{"PUT", entityPath("Bench", "p", strconv.Itoa(i)), "{}", ""})
	}
	servers := map[string]http.Handler{"embedded": e.handler}
	servers["fixed"] = recorded(b, e, "POST", "$batch", batchBody(operations...),
		"Content-Type: multipart/mixed; boundary=batch_1")
	atConcurrency(b, servers, func(ctx context.Context, c *aztables.Client, n int) error {
		actions := make([]aztables.TransactionAction, 100)
		for i := range actions {
			actions[i] = aztables.TransactionAction{ActionType: aztables.TransactionTypeInsertReplace,
				Entity: benchEntity("p"+strconv.Itoa(n), strconv.Itoa(i))}
		}
		_, err := c.SubmitTransaction(ctx, actions, nil)
		return err
	})
}

// fill puts rows into a partition of the table Bench, past the service's front.
func fill(b *testing.B, e *emulator, partition string, rows int) {
	b.Helper()
	account := e.engine.Account(testAccount)
	c := e.service.catalogue(&azure.Account{Name: testAccount, Data: account})
	t, err := c.lookup("Bench")
	if err != nil || t == nil {
		b.Fatalf("no table: %v", err)
	}
	var r reader
	for i := range rows {
		row := fmt.Sprintf("%08d", i)
		if problem := r.parse(benchEntity(partition, row)); problem != nil {
			b.Fatal(problem)
		}
		stored, _, _, problem := r.encode(nil)
		if problem != nil {
			b.Fatal(problem)
		}
		setTimestamp(stored, e.service.clock.Next(ticksOf(time.Now())))
		if err := e.engine.Set(account.Data().Key(nil, t.id, partition, row), stored); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPartition measures point operations in one partition of growing size, with signatures
// checked but without a socket.
func BenchmarkPartition(b *testing.B) {
	for _, rows := range []int{1_000, 10_000, 100_000, 1_000_000} {
		e := benchEmulator(b)
		accounts := azure.NewAccounts(e.engine)
		if _, err := accounts.Add(testAccount, azure.DevelopmentKey); err != nil {
			b.Fatal(err)
		}
		e.handler = azure.NewFront(azure.Options{Service: azure.Table, Accounts: accounts, NoAuth: true},
			e.service.Serve)
		fill(b, e, "p", rows)
		row := func() string { return fmt.Sprintf("%08d", rand.IntN(rows)) }
		next := rows
		for name, operation := range map[string]func() reply{
			"upsert": func() reply {
				r := row()
				return e.do("PUT", entityPath("Bench", "p", r), string(benchEntity("p", r)))
			},
			"get": func() reply { return e.do("GET", entityPath("Bench", "p", row()), "") },
			"insert": func() reply {
				next++
				return e.do("POST", "Bench", string(benchEntity("p", fmt.Sprintf("x%08d", next))),
					"Prefer: return-no-content")
			},
		} {
			b.Run(fmt.Sprintf("%s/%d", name, rows), func(b *testing.B) {
				for b.Loop() {
					if a := operation(); a.status >= 300 {
						b.Fatalf("%d %s", a.status, a.body)
					}
				}
			})
		}
	}
}
