package bulk

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"testing"

	"github.com/storespec/storespec/fixtures/actions"
)

// within is what a load may hold here, whatever the size of its input: half of what MemoryLimit promises.
const within = 32 << 20

// inUse is the memory the runtime holds and has not given back.
func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}

// cheapServer answers batches without keeping anything, and notes the most memory that was in use.
func cheapServer(t testing.TB) (url string, most func() uint64) {
	var (
		mu   sync.Mutex
		peak uint64
	)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		peak = max(peak, inUse())
		mu.Unlock()
		n := bytes.Count(body, []byte(`{"owner":`)) // records begin so; texts do not hold it
		_ = json.NewEncoder(w).Encode(map[string]any{"results": make200(n)})
	}))
	t.Cleanup(server.Close)
	return server.URL, func() uint64 { mu.Lock(); defer mu.Unlock(); return peak }
}

func make200(n int) []verdict {
	verdicts := make([]verdict, n)
	for i := range verdicts {
		verdicts[i].Status = http.StatusOK
	}
	return verdicts
}

// TestALargeStreamNeedsLittleMemory loads twice as much as it may hold. STORESPEC_TEST_RECORDS=1500000 makes the
// stream 2 GB.
func TestALargeStreamNeedsLittleMemory(t *testing.T) {
	n := 50_000 // about 69 MB
	if text := os.Getenv("STORESPEC_TEST_RECORDS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	url, most := cheapServer(t)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(MemoryLimit))
	debug.FreeOSMemory() // what other tests left
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(actions.Write(writer, 1, n)) }()
	got, err := Load(t.Context(),
		Options{Input: reader, URL: url, Parallel: 8, Retries: 1, Failed: filepath.Join(t.TempDir(), "failed")})
	if err != nil || got.Unchanged != int64(n) {
		t.Fatalf("%+v, %v", got, err)
	}
	t.Logf("%d MB in %v, %d MiB in use at most", got.Done>>20, got.Elapsed, most()>>20)
	if got.Done < 2*within || most() > within {
		t.Errorf("%d MiB in use at most, for %d MiB of input", most()>>20, got.Done>>20)
	}
}

// BenchmarkLoad is the loader alone, on a server that keeps nothing: 10,000 records an iteration.
func BenchmarkLoad(b *testing.B) {
	url, _ := cheapServer(b)
	var text bytes.Buffer
	if err := actions.Write(&text, 1, 10_000); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		got, err := Load(b.Context(), Options{Input: bytes.NewReader(text.Bytes()), URL: url, Parallel: 8,
			Failed: filepath.Join(b.TempDir(), "failed")})
		if err != nil || got.Unchanged != 10_000 {
			b.Fatal(got, err)
		}
	}
	b.ReportMetric(10_000*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
