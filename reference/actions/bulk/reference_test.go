package bulk_test

import (
	"bytes"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	fixture "github.com/storespec/storespec/fixtures/actions"
	"github.com/storespec/storespec/internal/store/storetest"
	"github.com/storespec/storespec/reference/actions"
	"github.com/storespec/storespec/reference/actions/bulk"
)

// counter passes storage calls on and counts those that write.
type counter struct {
	http.RoundTripper
	writes atomic.Int64
}

func (c *counter) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet {
		c.writes.Add(1)
	}
	return c.RoundTripper.RoundTrip(request)
}

// reference is the reference server over HTTP, on a store in memory that it reaches through calls.
func reference(tb testing.TB) (url string, calls *counter) {
	tb.Helper()
	lease := storetest.Lease(tb)
	config, err := actions.FromEnv(func(name string) string {
		return map[string]string{"ACTIONS_TABLE_CONNECTION": lease.Direct()["connection"]}[name]
	})
	if err != nil {
		tb.Fatal(err)
	}
	calls = &counter{RoundTripper: lease.Transport()}
	config.Storage = calls
	server, err := actions.New(config, time.Now, rand.Text, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	listening := httptest.NewServer(server)
	tb.Cleanup(func() {
		listening.Close()
		server.Close()
	})
	return listening.URL, calls
}

// load loads records from a file, as the command does.
func load(tb testing.TB, url, path string, parallel int) bulk.Snapshot {
	tb.Helper()
	got, err := bulk.Load(tb.Context(), bulk.Options{
		Path: path, URL: url, Parallel: parallel, Retries: 7, State: path + ".state", Failed: path + ".failed",
		Problem: func(p bulk.Problem) { tb.Errorf("line %d: %s", p.Line, p.Reason) },
	})
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

func generated(tb testing.TB, n int) string {
	tb.Helper()
	var text bytes.Buffer
	if err := fixture.Write(&text, 1, n); err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "in.ndjson")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func TestLoadIntoTheReference(t *testing.T) {
	url, calls := reference(t)
	path := generated(t, 1_000)
	if got := load(t, url, path, 4); got.Counts != (bulk.Counts{Created: 1_000}) {
		t.Errorf("first %+v", got.Counts)
	}
	if calls.writes.Swap(0) == 0 {
		t.Error("no call of the first load was seen to write")
	}
	if got := load(t, url, path, 4); got.Counts != (bulk.Counts{Unchanged: 1_000}) {
		t.Errorf("then %+v", got.Counts)
	}
	if writes := calls.writes.Load(); writes != 0 {
		t.Errorf("the second load wrote %d times", writes)
	}
}

// BenchmarkReference loads 10,000 records into an empty reference server, and once more: an iteration is both.
func BenchmarkReference(b *testing.B) {
	path := generated(b, 10_000)
	var first, again time.Duration
	n := 0
	for b.Loop() {
		url, _ := reference(b)
		one, two := load(b, url, path, 8), load(b, url, path, 8)
		if one.Created != 10_000 || two.Unchanged != 10_000 {
			b.Fatalf("%+v, then %+v", one.Counts, two.Counts)
		}
		first, again, n = first+one.Elapsed, again+two.Elapsed, n+1
	}
	b.ReportMetric(float64(10_000*n)/first.Seconds(), "new/s")
	b.ReportMetric(float64(10_000*n)/again.Seconds(), "same/s")
	b.ReportMetric(first.Seconds()/again.Seconds(), "ratio")
}
