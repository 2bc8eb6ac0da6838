package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// cut gives a context that ends when a table is asked for the time after the nth.
func cut(s *table, n int) context.Context {
	ctx, cancel := context.WithCancel(s.t.Context())
	s.before = func(http.ResponseWriter, *http.Request, []string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if n--; n < 0 {
			cancel()
		}
		return false
	}
	return ctx
}

func TestAnInterruptedLoadGoesOn(t *testing.T) {
	for _, answered := range []int{0, 1, 3, 7} {
		s := newTable(t)
		s.judge = func(_, name string, _ int) int {
			if strings.HasSuffix(name, "5") {
				return http.StatusBadRequest
			}
			return 0
		}
		text := strings.Replace(records(2_000, 30), "\n", "\nnothing\n", 500)
		o := prepare(t, s, text)
		ctx := cut(s, answered)
		first, err := Load(ctx, o.Options)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		if first.Records() == 0 || first.Records() == 2_000 {
			t.Errorf("after the interruption: %+v", first)
		}
		asked := s.requests
		resumed := Snapshot{}
		o.Resumed = func(s Snapshot) { resumed = s }
		got := o.load(t)
		wantCounts(t, got, Counts{Created: 1_800, Failed: 200, Bad: 500})
		if got.Before != first.Records() || first.Line > 0 && resumed.Line != first.Line {
			t.Errorf("it went on at %+v, not at %+v", resumed, first)
		}
		// What was answered before the interruption is not sent again.
		if s.requests-asked > 24 {
			t.Errorf("%d requests, then %d", asked, s.requests-asked)
		}
		for id, times := range s.seen {
			if times > 1 {
				t.Errorf("%s was sent %d times", id, times)
			}
		}
		if n := strings.Count(o.failed(t), "\n"); n != 700 {
			t.Errorf("the failed file has %d lines", n)
		}
		wantNoFile(t, o.State)
	}
}

// TestACrashLosesNothing: the state is that of some moment before the end, and the failed file may be ahead of it.
func TestACrashLosesNothing(t *testing.T) {
	s := newTable(t)
	s.judge = func(_, name string, _ int) int {
		if strings.HasSuffix(name, "5") {
			return http.StatusBadRequest
		}
		return 0
	}
	o := prepare(t, s, records(1_000, 30))
	ctx := cut(s, 3)
	if _, err := Load(ctx, o.Options); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	file, err := os.OpenFile(o.Failed, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	file.WriteString(`{"owner":"written after the state was sav`)
	file.Close()
	if err := os.WriteFile(o.State+".new", []byte(`{"format":1,"inp`), 0o600); err != nil {
		t.Fatal(err)
	}
	wantCounts(t, o.load(t), Counts{Created: 900, Failed: 100})
	failed := o.failed(t)
	if strings.Contains(failed, "written after") || strings.Count(failed, "\n") != 100 {
		t.Errorf("the failed file: %q", failed)
	}
	wantNoFile(t, o.State)
	wantNoFile(t, o.State+".new")
}

// interrupted is a load of 2,000 records that was cut off at once.
func interrupted(t *testing.T) (*table, *setup) {
	t.Helper()
	s := newTable(t)
	o := prepare(t, s, records(2_000, 30))
	if _, err := Load(cut(s, 0), o.Options); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	return s, o
}

func TestStatesThatDoNotFit(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(*testing.T, *setup)
		want  string
	}{
		{"another input", func(t *testing.T, o *setup) {
			change(t, o.Path, func(text string) string { return strings.Replace(text, "action", "aktion", 1) })
		}, "another input"},
		{"a longer input", func(t *testing.T, o *setup) {
			change(t, o.Path, func(text string) string { return text + "{}\n" })
		}, "another input"},
		{"an input that was changed", func(t *testing.T, o *setup) {
			later := time.Now().Add(time.Minute)
			if err := os.Chtimes(o.Path, later, later); err != nil {
				t.Fatal(err)
			}
		}, "another input"},
		{"no failed file", func(t *testing.T, o *setup) {
			change(t, o.State, func(text string) string {
				return strings.Replace(text, `"failedBytes":0`, `"failedBytes":9`, 1)
			})
		}, "are not in"},
		{"another server", func(t *testing.T, o *setup) { o.URL = newTable(t).url }, "another server"},
		{"no state", func(t *testing.T, o *setup) { change(t, o.State, func(string) string { return "{}" }) },
			"not one of this program"},
		{"ranges backwards", func(t *testing.T, o *setup) {
			change(t, o.State, func(text string) string {
				var s state
				if err := json.Unmarshal([]byte(text), &s); err != nil {
					t.Fatal(err)
				}
				s.Finished = [][2]int64{{s.Line + 5, s.Line + 2}}
				spoiled, _ := json.Marshal(s)
				return string(spoiled)
			})
		}, "not in order"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, o := interrupted(t)
			test.spoil(t, o)
			asked := s.requests
			_, err := Load(t.Context(), o.Options)
			if misfit := (*StateError)(nil); !errors.As(err, &misfit) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v", err)
			}
			if s.requests != asked {
				t.Error("it asked the server")
			}
			o.Restart = true
			if got := o.load(t); got.Before != 0 || got.Created+got.Unchanged != 2_000 && test.name != "another input" {
				t.Errorf("begun anew: %+v", got)
			}
		})
	}
}

// TestALoadThatBeginsAnewLeavesNothingOfTheEarlierOne: a crash of it, however early, must not lead back to that.
func TestALoadThatBeginsAnewLeavesNothingOfTheEarlierOne(t *testing.T) {
	s := newTable(t)
	o := prepare(t, s, records(2_000, 30))
	if _, err := Load(cut(s, 3), o.Options); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	var atFirst *state
	s.before = func(http.ResponseWriter, *http.Request, []string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if atFirst == nil {
			var err error
			if atFirst, err = readState(o.State); err != nil {
				t.Error(err)
			}
		}
		return false
	}
	o.Restart = true
	o.load(t)
	if atFirst == nil || atFirst.Line != 0 || len(atFirst.Finished) > 0 || atFirst.Counts != (Counts{}) {
		t.Errorf("at the first request the state was %+v", atFirst)
	}
}

func change(t *testing.T, path string, how func(string) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(how(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAnInterruptedLoadWaitsForAnswers: what was sent is counted, and need not be sent again.
func TestAnInterruptedLoadWaitsForAnswers(t *testing.T) {
	s := newTable(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.before = func(http.ResponseWriter, *http.Request, []string) bool {
		cancel()
		return false
	}
	o := prepare(t, s, records(1000, 1)) // ten requests: with one, all might be done before anybody looks
	o.Parallel = 1
	got, err := Load(ctx, o.Options)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	wantCounts(t, got, Counts{Created: 100})
}

// TestAReadThatNeverReturnsDoesNotHoldTheEnd is Ctrl-C while standard input is silent.
func TestAReadThatNeverReturnsDoesNotHoldTheEnd(t *testing.T) {
	s := newTable(t)
	o := prepare(t, s, "")
	silent, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	o.Path, o.State, o.Input = "", "", silent
	if _, err := Load(ctx, o.Options); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestLoadAStream(t *testing.T) {
	s := newTable(t)
	o := prepare(t, s, "")
	o.Path, o.State, o.Input = "", "", strings.NewReader(records(250, 9)+"bad\n")
	wantCounts(t, o.load(t), Counts{Created: 250, Bad: 1})
	if o.failed(t) != "bad\n" {
		t.Errorf("the failed file holds %q", o.failed(t))
	}
}

// TestLedgerAgainstAList compares the ledger with the plain list of what was read and finished.
func TestLedgerAgainstAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := ledger{line: 10, offset: 1_000}
		var done []bool
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			if open := openLines(done); len(open) > 0 && rapid.Bool().Draw(t, "finish") {
				i := rapid.SampledFrom(open).Draw(t, "line")
				done[i] = true
				l.finish(11 + int64(i))
			} else {
				done = append(done, false)
				l.read(1_000 + 7*int64(len(done)))
			}
			mark := 0
			for mark < len(done) && done[mark] {
				mark++
			}
			if l.line != 10+int64(mark) || l.offset != 1_000+7*int64(mark) || l.lead() != len(done)-mark {
				t.Fatalf("at line %d, offset %d, lead %d; %v", l.line, l.offset, l.lead(), done)
			}
			listed := map[int64]bool{}
			for _, r := range l.finished() {
				for n := r[0]; n <= r[1]; n++ {
					listed[n] = true
				}
			}
			for i := mark; i < len(done); i++ {
				if listed[11+int64(i)] != done[i] {
					t.Fatalf("finished %v; %v", l.finished(), done)
				}
			}
		}
	})
}

func openLines(done []bool) []int {
	var open []int
	for i, d := range done {
		if !d {
			open = append(open, i)
		}
	}
	return open
}
