package faults

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/wire"
)

// underFaults returns the function of a step that learns which storage calls a request makes, and sends it once for
// each of them and each kind of fault, each time from the same state. The later steps are judged in each case. as says
// whether the client retries, and whether the request should be refused.
func underFaults(as cases.Request) any {
	return func(ctx context.Context, w *scenario.World, name, method, path, body, header, value string) error {
		request := as // a copy: scenarios run at the same time
		request.Name, request.Method, request.Path, request.Body = name, method, path, body
		request.Header = scenario.Header{Name: header, Value: value}
		return cases.UnderFaults(ctx, w, request)
	}
}

// Words returns the steps that make storage calls of a request fail, or hold them until another request has been
// answered.
func Words() []scenario.Step {
	const nth = `(\d+)(?:st|nd|rd|th)`
	const request = scenario.MethodAndPath + scenario.MayHaveBody + scenario.MayHaveHeader
	return []scenario.Step{
		scenario.On(`(\w+) sends `+request+`, and any one storage call fails`,
			`When Ben sends POST /api/group/join {"groupId":"{Family}"}, and any one storage call fails`,
			underFaults(cases.Request{Patient: true})).Sends(2).Faulty(),
		scenario.On(`(\w+) sends `+request+`, and any one storage call fails for good`,
			`When Ben sends POST /api/group/create {"groupName":"Choir"}, and any one storage call fails for good`,
			underFaults(cases.Request{})).Sends(2).Faulty(),
		scenario.On(`(\w+) is refused `+request+`, and any one storage call fails`,
			`When Ben is refused GET /api/group/meta?groupId={Family}, and any one storage call fails`,
			underFaults(cases.Request{Refused: true})).Sends(2).Faulty(),
		scenario.On(`the answer to the `+nth+` write of the next request is lost`,
			`Given the answer to the 2nd write of the next request is lost`,
			func(_ context.Context, w *scenario.World, n int) error {
				return cases.NextRequest(w,
					&cases.Fault{Nth: n, Wanted: wire.Call.Writes, First: cases.CutAfter, Again: cases.Cut})
			}),
		scenario.On(`storage throttles the next request once`, `Given storage throttles the next request once`,
			func(_ context.Context, w *scenario.World) error {
				return cases.NextRequest(w, &cases.Fault{Nth: 1, Wanted: cases.NotProvisioning,
					First: cases.Refused(wire.Throttled), Again: cases.Passed})
			}),
		scenario.On(`storage throttles the next request`, `Given storage throttles the next request`,
			func(_ context.Context, w *scenario.World) error {
				throttled := cases.Refused(wire.Throttled)
				return cases.NextRequest(w,
					&cases.Fault{Nth: 1, Wanted: cases.NotProvisioning, First: throttled, Again: throttled})
			}),
		scenario.On(`the store leaves (\d+) keys? of a batch unprocessed`,
			`Given the store leaves 1 key of a batch unprocessed`, leavesUnprocessed),
		scenario.On(`reads that are not strongly consistent lag behind the last write`,
			`Given reads that are not strongly consistent lag behind the last write`, readsLag),
		scenario.On(`the store refuses each (call|read|write|creation) on (\S+) of the next request: (`+
			strings.Join(slices.Sorted(maps.Keys(reasons)), "|")+`)`,
			`Given the store refuses each read on Groups of the next request: it is being deleted`, refuses),
		scenario.On(`the store refuses the `+nth+` (read|write) from now: (`+
			strings.Join(slices.Sorted(maps.Keys(reasons)), "|")+`)`,
			`Given the store refuses the 2nd write from now: it is being deleted`, refusesOne),
		scenario.On(`after the `+nth+` read on (\S+) of the next request (\w+) sends `+scenario.MethodAndPath+
			scenario.MayHaveBody+scenario.MayHaveHeader,
			`Given after the 1st read on Groups of the next request Ana sends POST /api/group/rename `+
				`{"groupId":"{Family}","groupName":"Smiths"}`, sendsAfterRead),
		scenario.On(`the `+nth+` (`+callNames+`) on (\S+) of the next request (`+
			strings.Join(slices.Sorted(maps.Keys(outcomes)), "|")+`)`,
			`Given the 2nd point read on Groups of the next request fails once`, failsAt),
		scenario.On(`before the `+nth+` (`+callNames+`) on (\S+) of the next request (\w+) sends `+
			scenario.MethodAndPath+scenario.MayHaveBody+scenario.MayHaveHeader,
			`Given before the 1st write on UserGroups of the next request Ana sends POST /api/group/remove-member `+
				`{"groupId":"{Family}","userKey":"{Ben.userKey}"}`, sendsMeanwhile),
	}
}

// callNames matches what a step calls a storage call: a read, a write, or a class such as partition query.
const callNames = `[a-z]+(?: [a-z]+)*?`

// called returns whether a call is one of those that a step names.
func called(name string) func(wire.Call) bool {
	if known, ok := kinds[name]; ok {
		return known
	}
	return func(c wire.Call) bool { return c.Class == name }
}

// outcomes are what becomes of one storage call, and of further attempts at it, by how a scenario says it.
var outcomes = map[string][2]cases.Answerer{
	"fails once": {cases.Refused(wire.Busy), cases.Passed},
	"fails":      {cases.Refused(wire.Busy), cases.Refused(wire.Busy)},
	"is done, and its answer is lost": {
		func(_ wire.Call, next http.Handler) http.Handler {
			return wire.Unheard(next, wire.Refused(wire.Broken))
		},
		cases.Refused(wire.Broken)},
}

// failsAt makes one storage call of the next request fail.
func failsAt(_ context.Context, w *scenario.World, n int, name, on, outcome string) error {
	if err := w.Names.WriteOut(&on); err != nil {
		return err
	}
	wanted := called(name)
	return cases.NextRequest(w, &cases.Fault{Nth: n, First: outcomes[outcome][0], Again: outcomes[outcome][1],
		Wanted: func(c wire.Call) bool { return wanted(c) && c.Resource == on }})
}

// kinds are the calls that the store may refuse, by their names in a scenario.
var kinds = map[string]func(wire.Call) bool{
	"call": cases.NotProvisioning, "read": reads, "write": wire.Call.Writes,
	"creation": func(c wire.Call) bool { return c.Effect == wire.Provisions },
}

// reasons are why the store refuses a call, by how a scenario says it.
var reasons = map[string]wire.Refusal{
	"another is changing it": wire.Conflict,
	"it was changed":         wire.Stale, // the row or the blob
	"its key is wrong":       wire.WrongKey,
	"its key is missing":     wire.NoKey,
	"it is being deleted":    wire.Deleting, // the table or the container
	"it does not exist":      wire.Missing,  // likewise
	"the call is too large":  wire.TooLarge,
	"the call is malformed":  wire.Malformed,
}

// refuses lets the store refuse the calls of a kind that the next request makes.
func refuses(_ context.Context, w *scenario.World, kind, on, why string) error {
	return cases.Refuse(w, kinds[kind], on, reasons[why])
}

// refusesOne lets the store refuse one of the next calls of a kind, whoever makes them, such as a command of storespec.
func refusesOne(_ context.Context, stage *scenario.Stage, n int, kind, why string) error {
	wanted, refused, seen := kinds[kind], cases.Refused(reasons[why]), atomic.Int64{}
	stage.Lane().Gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		if wanted(call) && seen.Add(1) == int64(n) {
			return refused(call, next)
		}
		return next
	})
	return nil
}

// sendsMeanwhile holds a storage call of the next request until another request has been answered.
func sendsMeanwhile(ctx context.Context, w *scenario.World, n int, call, on, name, method, path, body, header,
	value string) error {
	lane, by := w.Stage.Lane(), 0
	// a server may make the writes of one process wait for each other
	if method != http.MethodGet && lane.Maker.Target.Restartable() {
		by = 1
		if err := lane.StartInstances(ctx, 2); err != nil {
			return err
		}
		if err := lane.Warm(ctx); err != nil {
			return err
		}
	}
	return cases.Meanwhile(ctx, w, n, called(call), wire.After, on,
		cases.Racer{Who: name, Request: requestWith(method, path, body, header, value), By: by})
}

// sendsAfterRead holds the answer to a read of the next request until another request has been answered: by then, what
// was read is stale.
func sendsAfterRead(ctx context.Context, w *scenario.World, n int, on, name, method, path, body, header,
	value string) error {
	return cases.Meanwhile(ctx, w, n, reads, wire.Before, on,
		cases.Racer{Who: name, Request: requestWith(method, path, body, header, value)})
}

func requestWith(method, path, body, header, value string) scenario.Request {
	r := scenario.Request{Method: method, Path: path, Body: body}
	if header != "" {
		r.Set = []scenario.Header{{Name: header, Value: value}}
	}
	return r
}

func reads(c wire.Call) bool { return !c.Writes() && !c.Provisions() }
