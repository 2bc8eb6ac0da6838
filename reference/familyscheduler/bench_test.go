//go:build unix

package familyscheduler_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// myGroups asks once for somebody's dashboard. Its error is for benchmarks that ask from many goroutines.
func (h *host) myGroups(session string, groups int) error {
	request, err := http.NewRequest(http.MethodGet, h.url+"/api/me/groups", nil)
	if err != nil {
		return err
	}
	request.Header.Set("x-session-id", session)
	answer, err := h.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if listed := strings.Count(string(body), `"groupId"`); answer.StatusCode != http.StatusOK || listed != groups {
		return fmt.Errorf("%d with %d groups, not 200 with %d", answer.StatusCode, listed, groups)
	}
	return nil
}

// memberOf is the session of somebody in that many groups.
func (h *host) memberOf(tb testing.TB, groups int) string {
	tb.Helper()
	session := h.signIn(tb, "ana@example.com")
	for i := range groups {
		h.createGroup(tb, session, fmt.Sprintf("Group %d", i))
	}
	return session
}

// ways are how the server reaches the store in memory.
func ways() map[string]func(testing.TB) *host {
	return map[string]func(testing.TB) *host{
		"store in process":     startHost,
		"store behind sockets": startHostOverSockets,
	}
}

// collectAsTheProgramDoes collects garbage as cmd/storespec-reference does.
func collectAsTheProgramDoes(b *testing.B) {
	b.Helper()
	before := debug.SetGCPercent(400)
	b.Cleanup(func() { debug.SetGCPercent(before) })
}

// processorTime is what this process, client, server and store, has used of all processors.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkMyGroupsThroughput asks over loopback from 16 connections, for somebody with 5 groups. What is aimed at is
// 3,000 requests a second on two cores, the client's share included.
func BenchmarkMyGroupsThroughput(b *testing.B) {
	for way, start := range ways() {
		b.Run(way, func(b *testing.B) {
			h := start(b)
			session := h.memberOf(b, 5)
			if err := h.ask(session, 5, 500, 16); err != nil { // connections, caches
				b.Fatal(err)
			}
			collectAsTheProgramDoes(b)
			before := processorTime(b)
			b.ResetTimer()
			err := h.ask(session, 5, b.N, 16)
			b.StopTimer()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
			// On a machine that others use too, this says what the requests a second cannot.
			b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

// ask asks n times from some goroutines at once.
func (h *host) ask(session string, groups, n, clients int) error {
	tickets := make(chan struct{})
	errs := make([]error, clients)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for range tickets {
				errs[i] = errors.Join(errs[i], h.myGroups(session, groups))
			}
		})
	}
	for range n {
		tickets <- struct{}{}
	}
	close(tickets)
	all.Wait()
	return errors.Join(errs...)
}

// BenchmarkMyGroupsLatency asks one request after the other. What is aimed at is 5 ms at the median for 50 groups.
func BenchmarkMyGroupsLatency(b *testing.B) {
	for _, groups := range []int{5, 50, 1000} {
		for way, start := range ways() {
			b.Run(fmt.Sprintf("%d groups, %s", groups, way), func(b *testing.B) {
				h := start(b)
				session := h.memberOf(b, groups)
				collectAsTheProgramDoes(b)
				var took []time.Duration
				for b.Loop() {
					began := time.Now()
					if err := h.myGroups(session, groups); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(began))
				}
				slices.Sort(took)
				b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
				b.ReportMetric(took[len(took)*99/100].Seconds()*1000, "p99-ms")
			})
		}
	}
}

// TestLoadLeavesNothingBehind: what one wave of requests leaves behind, ten more do not add to.
func TestLoadLeavesNothingBehind(t *testing.T) {
	wave := 400
	if testing.Short() {
		wave = 50
	}
	h := startHost(t)
	session := h.memberOf(t, 5)
	measure := func(waves int) (goroutines int, heap uint64) {
		if err := h.ask(session, 5, waves*wave, 16); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.GC() // what finalizers and pools held is gone after the second
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		return runtime.NumGoroutine(), memory.HeapAlloc
	}
	goroutines, heap := measure(1)
	after, heapAfter := measure(10)
	// A connection is two goroutines of the client and one of the server; fewer than 16 may have been open at first.
	if after > goroutines+3*16 {
		t.Errorf("%d goroutines became %d", goroutines, after)
	}
	// One KiB kept for each request would be seen; caches that fill are not.
	if limit := heap + uint64(10*wave)<<10; heapAfter > limit {
		t.Errorf("%d bytes of heap became %d", heap, heapAfter)
	}
}
