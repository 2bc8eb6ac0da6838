package trace

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// Traces of requests.
const (
	traceA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	traceB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// begun is when the first call of these tests arrives.
func begun() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }

// at is a point read of row that arrives so many milliseconds after the first call, and takes 10.
func at(ms int, trace, row string) wire.Call {
	return azure.Completed(wire.Call{
		Service: azure.Table, Class: azure.PointRead, Resource: "Groups", Key: []string{"p", row}, Status: 200,
		Attempts: 1,
		Start:    begun().Add(time.Duration(ms) * time.Millisecond), Duration: 10 * time.Millisecond, Trace: trace,
	})
}

// changed is a call with something else about it.
func changed(call wire.Call, change func(*wire.Call)) wire.Call {
	change(&call)
	return call
}

func TestOperations(t *testing.T) {
	slow := changed(at(0, "", "slow"), func(c *wire.Call) { c.Duration = time.Second })
	for _, test := range []struct {
		name  string
		pause time.Duration
		calls []wire.Call
		want  string
	}{
		{"nothing", time.Second, nil, ""},
		{"a pause parts", 100 * time.Millisecond, []wire.Call{at(0, "", "1"), at(50, "", "2"), at(160, "", "3")},
			"pause:1,2 pause:3"},
		{"a shorter pause does not", 101 * time.Millisecond,
			[]wire.Call{at(0, "", "1"), at(50, "", "2"), at(160, "", "3")}, "pause:1,2,3"},
		{"no pause is the whole run", 0, []wire.Call{at(0, "", "1"), at(999999, "", "2")}, "pause:1,2"},
		{"while a call is under way there is none", 100 * time.Millisecond,
			[]wire.Call{at(400, "", "2"), slow, at(1050, "", "3")}, "pause:slow,2,3"},
		{"a trace has no pauses", 100 * time.Millisecond, []wire.Call{at(0, traceA, "1"), at(5000, traceA, "2")},
			"trace:1,2"},
		{"traces interleave", time.Second, []wire.Call{at(0, traceA, "1"), at(1, traceB, "2"), at(2, "", "3"),
			at(3, traceA, "4"), at(4, "", "5")}, "trace:1,4 trace:2 pause:3,5"},
		{"a traced call ends no pause", 100 * time.Millisecond,
			[]wire.Call{at(0, "", "1"), at(100, traceA, "2"), at(200, "", "3")}, "pause:1 trace:2 pause:3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, op := range operations(test.calls, test.pause) {
				var rows []string
				for _, call := range op.calls {
					rows = append(rows, call.Key[1])
				}
				got = append(got, string(op.by)+":"+strings.Join(rows, ","))
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// rows are n point reads of different rows, one after the other.
func rows(n int, trace string) (calls []wire.Call) {
	for i := range n {
		calls = append(calls, at(10*i, trace, fmt.Sprint(i)))
	}
	return calls
}

func suspicions(s Summary) string {
	var got []string
	for _, one := range s.Suspicions {
		got = append(got, fmt.Sprintf("%s %s on %s: %d in %s, %d operations [%s]", one.Suspect, one.Class,
			one.Resource, one.Most, one.Worst, one.Operations, strings.Join(one.Examples, "|")))
	}
	return strings.Join(got, "\n")
}

func TestSuspicions(t *testing.T) {
	each := func(calls []wire.Call, change func(i int, c *wire.Call)) []wire.Call {
		for i := range calls {
			change(i, &calls[i])
			calls[i] = azure.Completed(calls[i])
		}
		return calls
	}
	scan := func(_ int, c *wire.Call) {
		c.Class, c.Key, c.Filter = azure.TableScan, nil, "email eq 'ana@example.com'"
	}
	insert := func(_ int, c *wire.Call) { c.Class = azure.Insert }
	for _, test := range []struct {
		name  string
		calls []wire.Call
		want  string
	}{
		{"as many keys as the threshold", rows(5, traceA),
			"n+1 point read on Groups: 5 in trace aaaaaaaa, 1 operations [p / 0|p / 1|p / 2]"},
		{"one key less", rows(4, traceA), ""},
		{"one key over and over", each(rows(9, ""), func(_ int, c *wire.Call) { c.Key[1] = "same" }), ""},
		{"different tables", each(rows(9, ""), func(i int, c *wire.Call) { c.Resource = fmt.Sprint("T", i) }), ""},
		{"different classes", each(rows(6, ""), func(i int, c *wire.Call) {
			if i%2 == 0 {
				c.Class = azure.Delete
			}
		}), ""},
		{"in different operations", append(rows(4, traceA),
			each(rows(4, traceB), func(i int, c *wire.Call) { c.Key[1] = fmt.Sprint("b", i) })...), ""},
		{"filters", each(rows(5, ""), func(i int, c *wire.Call) {
			c.Class, c.Filter = azure.PartitionQuery, fmt.Sprintf("PartitionKey eq 'p%d'", i)
			c.Key = []string{fmt.Sprint("p", i)}
		}), "n+1 partition query on Groups: 5 in from 05:06:07.000, 1 operations [PartitionKey eq 'p0'|PartitionKey " +
			"eq 'p1'|PartitionKey eq 'p2']"},
		{"blobs with e-mails", each(rows(5, traceA), func(i int, c *wire.Call) {
			*c = wire.Call{Service: azure.Blob, Class: azure.Read, Resource: "state",
				Key: []string{fmt.Sprintf("users/a%d@example.com", i)}, Trace: c.Trace, Start: c.Start}
		}), "n+1 read on state: 5 in trace aaaaaaaa, 1 operations [users/<e-mail>|users/<e-mail>|users/<e-mail>]"},
		{"writes of one trace", each(rows(5, traceA), insert),
			"n+1 insert on Groups: 5 in trace aaaaaaaa, 1 operations [p / 0|p / 1|p / 2]"},
		{"writes without one, perhaps of as many requests", each(rows(5, ""), insert), ""},
		{"pages", each(rows(9, ""),
			func(i int, c *wire.Call) { c.Class, c.Key, c.Filter = azure.Page, c.Key[:1], fmt.Sprint(i) }), ""},
		{"a scan", each(rows(1, ""), scan),
			"scan table scan on Groups: 1 in from 05:06:07.000, 1 operations [email eq '<e-mail>']"},
		{"the worst of several operations", append(rows(5, traceA), rows(7, traceB)...),
			"n+1 point read on Groups: 7 in trace bbbbbbbb, 2 operations [p / 0|p / 1|p / 2]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Summarize(test.calls, Rules{Pause: time.Second, Threshold: 5})
			if got := suspicions(s); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if s.Found(NPlusOne) != strings.HasPrefix(test.want, "n+1") ||
				s.Found(Scan) != strings.HasPrefix(test.want, "scan") {
				t.Errorf("found n+1: %v, scan: %v", s.Found(NPlusOne), s.Found(Scan))
			}
		})
	}
}

func TestOperationsOfOneSortAreCountedTogether(t *testing.T) {
	calls := append(rows(2, traceA), rows(4, traceB)...)
	calls = append(calls,
		changed(at(200, "", "x"),
			func(c *wire.Call) { c.Status, c.Attempts, c.Duration = 503, 3, 30*time.Millisecond }),
		changed(at(210, "", "y"), func(c *wire.Call) { c.Status, c.Class = 0, azure.Delete }),
		changed(at(220, "", "z"), func(c *wire.Call) { c.Status, c.ErrorCode = 404, "ResourceNotFound" }),
	)
	s := Summarize(calls, Rules{Pause: time.Second, Threshold: 5})
	if s.Calls != 9 || s.Attempts != 11 || s.Failed != 2 || s.Unanswered != 1 || s.Took != 230*time.Millisecond {
		t.Errorf("%+v", s)
	}
	var got strings.Builder
	for _, kind := range s.Kinds {
		fmt.Fprintf(&got, "%d by %s, %s:", kind.Operations, kind.By, kind.Example)
		for _, line := range kind.Lines {
			fmt.Fprintf(&got, " %s %d–%d of %d, %d failed, %s;", line.Place, line.Least, line.Most, line.Total,
				line.Failed, line.Storage)
		}
		got.WriteString("\n")
	}
	want := "2 by trace, trace bbbbbbbb: table point read on Groups 2–4 of 6, 0 failed, 60ms;\n" +
		"1 by pause, from 05:06:07.200: table delete on Groups 1–1 of 1, 1 failed, 10ms; " +
		"table point read on Groups 2–2 of 2, 1 failed, 40ms;\n"
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", &got, want)
	}
}

func TestNothingToSummarize(t *testing.T) {
	if s := Summarize(nil, Rules{Threshold: 5}); s.Calls != 0 || s.Took != 0 || s.Kinds == nil || s.Suspicions == nil {
		t.Errorf("%+v", s)
	}
}
