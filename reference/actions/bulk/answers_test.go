package bulk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestThrottlingIsWaitedFor(t *testing.T) {
	date := func(d time.Duration) string {
		return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(d).Format(http.TimeFormat)
	}
	for _, test := range []struct {
		name, after string
		status      int
		want        time.Duration // in all
	}{
		{"seconds", "7", 429, 7 * time.Second},
		{"a date", date(9 * time.Second), 503, 9 * time.Second},
		{"more than is fair", "86400", 503, longestWish},
		{"a date that is over", date(-time.Hour), 503, firstPause},
		{"nothing", "", 429, firstPause},
		{"nonsense", "soon", 503, firstPause},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTable(t)
			first := true
			s.before = func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
				if !first {
					return false
				}
				first = false
				w.Header().Set("Retry-After", test.after)
				w.WriteHeader(test.status)
				return true
			}
			o := prepare(t, s, records(3, 1))
			wantCounts(t, o.load(t), Counts{Created: 3})
			var waited time.Duration
			for _, d := range o.waits {
				waited += d
			}
			if waited != test.want {
				t.Errorf("waited %v in all, want %v", o.waits, test.want)
			}
		})
	}
}

func TestAServerThatCannotBeUsedEndsTheLoad(t *testing.T) {
	for _, test := range []struct {
		name     string
		status   int
		requests int
	}{
		{"throttled for ever", 503, 4},
		{"broken", 500, 4},
		{"a wrong key", 401, 1},
		{"a redirection", 302, 1},
		{"not the contract", 200, 1},
		{"no such routes", 404, 2}, // the batch and the single one
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTable(t)
			s.before = func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(test.status)
				return true
			}
			o := prepare(t, s, records(5, 1))
			got, err := Load(t.Context(), o.Options)
			if !errors.Is(err, ErrServer) || !strings.Contains(err.Error(), fmt.Sprint("answered ", test.status)) ||
				s.requests != test.requests {
				t.Errorf("error %v after %d requests", err, s.requests)
			}
			wantCounts(t, got, Counts{})
			s.before = nil
			wantCounts(t, o.load(t), Counts{Created: 5})
		})
	}
}

// TestAnswersThatAreNone: a server that breaks its contract ends the load, one whose answer is lost is asked again.
func TestAnswersThatAreNone(t *testing.T) {
	for _, test := range []struct {
		name, first string // what is answered to the first request
		lost        bool   // the connection ends behind it
	}{
		{"a page", "<html>", false},
		{"not JSON to its end", `{"results":[`, false},
		{"one result for all", `{"results":[{"status":200}]}`, false},
		{"results without a status", `{"results":[{},{},{},{},{}]}`, false},
		{"a connection that ends", "", true},
		{"an answer that ends early", `{"results":[`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTable(t)
			first := true
			s.before = func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
				if !first {
					return false
				}
				first = false
				if test.first != "" {
					_, _ = io.WriteString(w, test.first)
					w.(http.Flusher).Flush()
				}
				if test.lost {
					panic(http.ErrAbortHandler)
				}
				return true
			}
			o := prepare(t, s, records(5, 1))
			got, err := Load(t.Context(), o.Options)
			if !test.lost {
				if wantCounts(t, got, Counts{}); !errors.Is(err, ErrServer) {
					t.Errorf("error %v", err)
				}
				got, err = Load(t.Context(), o.Options)
			}
			if wantCounts(t, got, Counts{Created: 5}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	s := newTable(t)
	o := prepare(t, s, records(5, 1))
	o.URL = "http://127.0.0.1:1"
	if err := os.WriteFile(o.Failed, []byte("of an earlier load\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), o.Options); !errors.Is(err, ErrServer) {
		t.Errorf("error %v", err)
	}
	if got := o.failed(t); got != "of an earlier load\n" {
		t.Errorf("the failed file of an earlier load holds %q", got)
	}
	if len(o.waits) > 0 {
		t.Errorf("waited %v for a server that was never there", o.waits)
	}
}

func TestAStateThatCannotBeWrittenEndsTheLoadAtOnce(t *testing.T) {
	s := newTable(t)
	o := prepare(t, s, records(5, 1))
	o.State = filepath.Join(t.TempDir(), "nowhere", "state")
	if _, err := Load(t.Context(), o.Options); !errors.Is(err, fs.ErrNotExist) || s.requests > 0 {
		t.Errorf("error %v after %d requests", err, s.requests)
	}
}

// TestOneOwnerThatIsThrottledDoesNotEndTheLoad: the others are answered meanwhile.
func TestOneOwnerThatIsThrottledDoesNotEndTheLoad(t *testing.T) {
	s := newTable(t)
	tries := 0
	s.before = func(w http.ResponseWriter, _ *http.Request, owners []string) bool {
		if !slices.Contains(owners, "slow") {
			return false
		}
		s.mu.Lock()
		tries++
		third := tries == 3
		s.mu.Unlock()
		for third && s.count() <= 100 {
			time.Sleep(time.Millisecond) // until the other worker sends its second batch: the first was answered
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	var slow strings.Builder
	for i := range 100 {
		fmt.Fprintf(&slow, `{"owner":"slow","name":"%d"}`+"\n", i)
	}
	o := prepare(t, s, slow.String()+records(200, 2))
	o.Parallel = 2
	wantCounts(t, o.load(t), Counts{Created: 200, Failed: 100})
}

func TestServersWithoutTheBatchRoute(t *testing.T) {
	s := newTable(t)
	s.refuseBatches(http.StatusMethodNotAllowed)
	s.judge = func(_, name string, _ int) int {
		if name == "action-9" {
			return http.StatusBadRequest
		}
		return 0
	}
	o := prepare(t, s, records(120, 7))
	o.Parallel = 1
	wantCounts(t, o.load(t), Counts{Created: 119, Failed: 1})
	if s.requests != 121 {
		t.Errorf("%d requests: the batch route was asked for more than once", s.requests)
	}
}

// TestARefusedBatchIsSentOneByOne: which of its records is at fault shows then.
func TestARefusedBatchIsSentOneByOne(t *testing.T) {
	s := newTable(t)
	s.refuseBatches(http.StatusRequestEntityTooLarge)
	s.judge = func(_, name string, times int) int {
		if name == "action-1" {
			return http.StatusRequestEntityTooLarge
		}
		return 0
	}
	o := prepare(t, s, records(5, 1))
	wantCounts(t, o.load(t), Counts{Created: 4, Failed: 1})
}
