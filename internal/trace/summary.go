package trace

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// Rules specify how calls are judged.
type Rules struct {
	// Pause separates operations whose calls carry no trace; 0: they are all one operation.
	Pause time.Duration
	// Threshold is how many different keys, requested one by one in one operation, are an n+1 suspicion.
	Threshold int
}

// Kind is operations that make the same kinds of calls, in any number.
type Kind struct {
	Operations int    `json:"operations"`
	By         By     `json:"by"`
	Example    string `json:"example"` // the operation with the most calls
	Lines      []Line `json:"lines"`

	most int // number of calls in the example
}

// Line is the calls of one class on one resource, over all operations of a kind.
type Line struct {
	Place
	Total   int           `json:"total"`
	Least   int           `json:"least"` // in one operation
	Most    int           `json:"most"`
	Failed  int           `json:"failed,omitempty"` // no answer, 429, or 500 and above
	Storage time.Duration `json:"storageNs"`        // the sum of their durations
	// what those have cost of which it is known, in units of capacity
	Capacity float64 `json:"capacity,omitempty"`
}

// Place is a class of calls on a table or container.
type Place struct {
	Service  wire.Service `json:"service"`
	Class    string       `json:"class"`
	Resource string       `json:"resource,omitempty"`
}

// Suspect is a kind of suspicion.
type Suspect string

// The kinds of suspicion.
const (
	NPlusOne Suspect = "n+1"  // one call for each of many keys, where one call might suffice
	Scan     Suspect = "scan" // a query that may read a whole table
)

// Suspicion is a place that looks expensive, over all operations.
type Suspicion struct {
	Suspect Suspect `json:"suspect"`
	Place
	By         By       `json:"by"`
	Operations int      `json:"operations"` // in which it was seen
	Most       int      `json:"most"`       // n+1: different keys in the worst operation; scan: scans
	Worst      string   `json:"worst"`      // names that operation
	Examples   []string `json:"examples"`   // its first keys or filters, without e-mails
}

// Summary is what stood out in a run.
type Summary struct {
	Calls      int           `json:"calls"`
	Attempts   int           `json:"attempts"`           // including the retries of SDKs
	Failed     int           `json:"failed"`             // calls whose attempts all failed: no answer, 429, or 500 on
	Unanswered int           `json:"unanswered"`         // of these, without any answer
	Took       time.Duration `json:"durationNs"`         // from the first call to the end of the last
	Capacity   float64       `json:"capacity,omitempty"` // units, of all calls of which it is known
	Threshold  int           `json:"threshold"`
	Kinds      []Kind        `json:"kinds"`      // those with the most calls in total first
	Suspicions []Suspicion   `json:"suspicions"` // those with the most operations first
}

// Found reports whether there is a suspicion of this kind.
func (s *Summary) Found(suspect Suspect) bool {
	return slices.ContainsFunc(s.Suspicions, func(one Suspicion) bool { return one.Suspect == suspect })
}

// Summarize analyzes finished calls, in any order.
func Summarize(calls []wire.Call, rules Rules) Summary {
	s := Summary{Calls: len(calls), Threshold: rules.Threshold, Kinds: []Kind{}, Suspicions: []Suspicion{}}
	var first, last time.Time
	for i, call := range calls {
		s.Attempts += call.Attempts
		s.Capacity += capacity(call)
		if failed(call) {
			s.Failed++
		}
		if call.Status == 0 {
			s.Unanswered++
		}
		if i == 0 || call.Start.Before(first) {
			first = call.Start
		}
		if end := call.Start.Add(call.Duration); end.After(last) {
			last = end
		}
	}
	s.Took = last.Sub(first)
	kinds, suspicions := map[string]*Kind{}, map[suspected]*Suspicion{}
	for _, op := range operations(calls, rules.Pause) {
		tallies := tally(op.calls)
		file(kinds, op, tallies)
		suspect(suspicions, op, tallies, rules.Threshold)
	}
	for _, kind := range kinds {
		s.Kinds = append(s.Kinds, *kind)
	}
	slices.SortFunc(s.Kinds,
		func(a, b Kind) int { return cmp.Or(b.total()-a.total(), cmp.Compare(a.Example, b.Example)) })
	for _, one := range suspicions {
		s.Suspicions = append(s.Suspicions, *one)
	}
	slices.SortFunc(s.Suspicions, func(a, b Suspicion) int {
		return cmp.Or(cmp.Compare(a.Suspect, b.Suspect), b.Operations-a.Operations, a.compare(b.Place))
	})
	return s
}

// capacity returns what a call has cost, as far as it is known.
func capacity(call wire.Call) float64 {
	if call.Capacity == nil {
		return 0
	}
	return *call.Capacity
}

// failed reports whether the store did not do what was requested, for a reason that is not in the call.
func failed(call wire.Call) bool {
	return call.Status == 0 || call.Status == 429 || call.Status >= 500 || call.InvitesRetry && call.Status >= 400
}

func (p Place) compare(other Place) int {
	return cmp.Or(cmp.Compare(p.Service, other.Service), cmp.Compare(p.Resource, other.Resource),
		cmp.Compare(p.Class, other.Class))
}

func (k *Kind) total() (total int) {
	for _, line := range k.Lines {
		total += line.Total
	}
	return total
}

// tallied is the calls of one operation at one place.
type tallied struct {
	calls, failed int
	storage       time.Duration
	capacity      float64
	keys          []string // different ones, in order
	scans         bool     // each may read a whole resource
	writes        bool     // each changes something
	continues     bool     // each continues a query that was already counted
}

func tally(calls []wire.Call) map[Place]*tallied {
	tallies := map[Place]*tallied{}
	seen := map[Place]map[string]bool{}
	for _, call := range calls {
		at := Place{call.Service, call.Class, call.On()}
		if tallies[at] == nil {
			tallies[at], seen[at] = &tallied{scans: call.Scans(), writes: call.Writes(),
				continues: call.Continues}, map[string]bool{}
		}
		t := tallies[at]
		t.calls++
		t.storage += call.Duration
		t.capacity += capacity(call)
		if failed(call) {
			t.failed++
		}
		if key := cmp.Or(call.Filter, call.Name(), call.Prefix); !seen[at][key] {
			seen[at][key] = true
			t.keys = append(t.keys, key)
		}
	}
	return tallies
}

// file adds an operation to its kind.
func file(kinds map[string]*Kind, op operation, tallies map[Place]*tallied) {
	places := slices.SortedFunc(maps.Keys(tallies), Place.compare)
	var name strings.Builder
	name.WriteString(string(op.by))
	for _, at := range places {
		name.WriteString("\n" + string(at.Service) + "\n" + at.Class + "\n" + at.Resource)
	}
	kind := kinds[name.String()]
	if kind == nil {
		kind = &Kind{By: op.by}
		for _, at := range places {
			kind.Lines = append(kind.Lines, Line{Place: at, Least: tallies[at].calls})
		}
		kinds[name.String()] = kind
	}
	kind.Operations++
	if len(op.calls) > kind.most {
		kind.most, kind.Example = len(op.calls), op.name
	}
	for i := range kind.Lines {
		line, t := &kind.Lines[i], tallies[kind.Lines[i].Place]
		line.Total += t.calls
		line.Least, line.Most = min(line.Least, t.calls), max(line.Most, t.calls)
		line.Failed += t.failed
		line.Storage += t.storage
		line.Capacity += t.capacity
	}
}

// suspected is what suspicions of several operations have in common.
type suspected struct {
	Suspect
	Place
}

// shownExamples is how many keys or filters are listed: enough to recognize them, and short enough for a line.
const shownExamples = 3

// suspect records what is suspicious in one operation.
func suspect(suspicions map[suspected]*Suspicion, op operation, tallies map[Place]*tallied, threshold int) {
	for at, t := range tallies {
		what, most := NPlusOne, len(t.keys)
		switch {
		case t.scans:
			what, most = Scan, t.calls
		case t.continues, len(t.keys) < threshold:
			continue
		case t.writes && op.by == ByPause: // requests that follow closely look like this, one write for each
			continue
		}
		one := suspicions[suspected{what, at}]
		if one == nil {
			one = &Suspicion{Suspect: what, Place: at, By: op.by}
			suspicions[suspected{what, at}] = one
		}
		one.Operations++
		if most <= one.Most {
			continue
		}
		one.Most, one.Worst, one.Examples = most, op.name, nil
		for _, key := range t.keys[:min(shownExamples, len(t.keys))] {
			one.Examples = append(one.Examples, clean(key))
		}
	}
}
