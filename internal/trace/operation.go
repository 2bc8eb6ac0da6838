package trace

import (
	"slices"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// By says how calls were attributed to one operation of the program.
type By string

// The methods of attribution, best first.
const (
	ByTrace By = "trace" // they share a trace (W3C Trace Context)
	ByPause By = "pause" // no trace, and no pause between them
)

// operation is calls that belong together, in order of arrival.
type operation struct {
	by    By
	name  string
	calls []wire.Call
}

// shownTrace is how many of a trace's 32 digits distinguish it from others of one run.
const shownTrace = 8

// operations groups calls by operation. Calls without a trace form one operation until none is in flight for the length
// of pause; if pause is zero, they are all one operation.
func operations(calls []wire.Call, pause time.Duration) []operation {
	calls = slices.Clone(calls)
	slices.SortStableFunc(calls, func(a, b wire.Call) int { return a.Start.Compare(b.Start) })
	var list []operation
	traces := map[string]int{}
	last, until := -1, time.Time{} // the operation without a trace, and the end of its latest call
	for _, call := range calls {
		at, known := traces[call.Trace]
		if call.Trace == "" {
			at, known = last, last >= 0 && (pause == 0 || call.Start.Sub(until) < pause)
		}
		if !known {
			at = len(list)
			list = append(list, begin(call))
		}
		list[at].calls = append(list[at].calls, call)
		if call.Trace != "" {
			traces[call.Trace] = at
			continue
		}
		if end := call.Start.Add(call.Duration); end.After(until) {
			until = end
		}
		last = at
	}
	return list
}

// begin creates an operation named after its first call.
func begin(call wire.Call) operation {
	if call.Trace != "" {
		return operation{by: ByTrace, name: "trace " + clean(call.Trace[:shownTrace])}
	}
	return operation{by: ByPause, name: "from " + call.Start.Format("15:04:05.000")}
}
