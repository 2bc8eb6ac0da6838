package blobs_test

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// benchBody is the size of the blobs of the benchmarks.
const benchBody = 1 << 10

// fixed answers every put and get with the same headers and bytes: the limit of what a server in Go
// can do for this client.
func fixed() http.Handler {
	data := bytes.Repeat([]byte("x"), benchBody)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		h := w.Header()
		h["Etag"] = []string{`"0x8DEE8512A58ED30"`}
		h["Last-Modified"] = []string{"Fri, 20 Nov 2026 16:53:12 GMT"}
		h["X-Ms-Version"] = []string{"2025-11-05"}
		h["X-Ms-Request-Id"] = []string{"5d0c1796-dce8-44a9-a8cc-d531185ac35b"}
		if r.Method == http.MethodPut {
			h["Content-Length"] = []string{"0"}
			w.WriteHeader(http.StatusCreated)
			return
		}
		h["Content-Type"] = []string{"application/octet-stream"}
		h["Content-Length"] = []string{strconv.Itoa(len(data))}
		_, _ = w.Write(data)
	})
}

// alike answers every put and get with what the emulator has answered once: all of the headers that a client of Azure
// reads, by a server that does nothing for them.
func alike(b *testing.B, m *emulator) http.Handler {
	b.Helper()
	m.raw(b, "PUT", "/alike?restype=container", "").want(b, 201, "")
	data := bytes.Repeat([]byte("x"), benchBody)
	put := m.raw(b, "PUT", "/alike/b", string(data), "x-ms-blob-type: BlockBlob").want(b, 201, "").header
	get := m.raw(b, "GET", "/alike/b", "").want(b, 200, "").header
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Method == http.MethodPut {
			maps.Copy(w.Header(), put)
			w.WriteHeader(http.StatusCreated)
			return
		}
		maps.Copy(w.Header(), get)
		_, _ = w.Write(data)
	})
}

// BenchmarkLoopback compares put and get of 1 KiB with the fixed answer, and with one of as many headers, through the
// official SDK over a socket, by 1 and 16 goroutines.
func BenchmarkLoopback(b *testing.B) {
	m := start(b, engine.Options{}, false)
	limit, same := httptest.NewServer(fixed()), httptest.NewServer(alike(b, start(b, engine.Options{}, true)))
	b.Cleanup(limit.Close)
	b.Cleanup(same.Close)
	for _, server := range []struct{ name, url string }{
		{"fixed", limit.URL + "/" + azure.DevelopmentAccount}, {"alike", same.URL + "/" + azure.DevelopmentAccount},
		{"embedded", m.url()},
	} {
		c := benchClient(b, server.url)
		_, _ = c.Create(context.Background(), nil) // the fixed answer is not a container's
		data := bytes.Repeat([]byte("x"), benchBody)
		put := func(n uint64) error {
			_, err := c.NewBlockBlobClient("b"+strconv.FormatUint(n%1000, 10)).Upload(context.Background(),
				bodyOf(data), nil)
			return err
		}
		for n := range uint64(1000) { // for the gets
			if err := put(n); err != nil {
				b.Fatal(err)
			}
		}
		for _, goroutines := range []int{1, 16} {
			b.Run(server.name+"/put/"+strconv.Itoa(goroutines), func(b *testing.B) {
				benchParallel(b, goroutines, put)
			})
			b.Run(server.name+"/get/"+strconv.Itoa(goroutines), func(b *testing.B) {
				benchParallel(b, goroutines, func(n uint64) error {
					res, err := c.NewBlockBlobClient("b"+
						strconv.FormatUint(n%1000, 10)).DownloadStream(context.Background(), nil)
					if err != nil {
						return err
					}
					_, err = io.Copy(io.Discard, res.Body)
					return err
				})
			})
		}
	}
}

func benchClient(b *testing.B, url string) *container.Client {
	cred, err := container.NewSharedKeyCredential(azure.DevelopmentAccount, azure.DevelopmentKey)
	if err != nil {
		b.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	b.Cleanup(transport.CloseIdleConnections)
	c, err := container.NewClientWithSharedKeyCredential(url+"/bench", cred, &container.ClientOptions{
		ClientOptions: policy.ClientOptions{Transport: &http.Client{Transport: transport}},
	})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func benchParallel(b *testing.B, goroutines int, do func(n uint64) error) {
	for n := range uint64(1000) {
		if err := do(n); err != nil { // for warm connections
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	before := cpuTime()
	var count atomic.Uint64
	errs := make(chan error, goroutines)
	for range goroutines {
		go func() {
			for {
				n := count.Add(1)
				if n > uint64(b.N) {
					errs <- nil
					return
				}
				if err := do(n); err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	for range goroutines {
		if err := <-errs; err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
	b.ReportMetric(float64((cpuTime()-before).Microseconds())/float64(b.N), "cpu-µs/op")
}

// discard is a ResponseWriter that keeps nothing.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(int)             {}

// BenchmarkHandler is what the service and its front cost by themselves, without signatures.
func BenchmarkHandler(b *testing.B) {
	m := start(b, engine.Options{}, true)
	m.raw(b, "PUT", "/bench?restype=container", "").want(b, 201, "")
	data := bytes.Repeat([]byte("x"), benchBody)
	m.raw(b, "PUT", "/bench/b", string(data), "x-ms-blob-type: BlockBlob").want(b, 201, "")
	handler := m.server.Config.Handler
	target := "/" + azure.DevelopmentAccount + "/bench/b"
	serve := func(method string, body []byte) {
		r := httptest.NewRequest(method, target, bytes.NewReader(body))
		r.Header.Set("X-Ms-Blob-Type", "BlockBlob")
		handler.ServeHTTP(&discard{http.Header{}}, r)
	}
	b.Run("put", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			serve("PUT", data)
		}
	})
	b.Run("get", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			serve("GET", nil)
		}
	})
}
