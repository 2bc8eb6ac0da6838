package scenario

import (
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/wire"
)

// Report is what reports and messages show of a scenario's requests, without secrets.
type Report struct {
	stage    *Stage
	names    *Names
	requests *Requests
	shown    *Report    // of the case that is shown instead of the scenario; nil: none
	seen     []Exchange // its requests
}

// Exchange is one request of a scenario, for reports. It has only the headers that say who sent the request, and leaves
// out the parts of its query and body whose names mark them as confidential.
type Exchange struct {
	Step     int           `json:"step,omitempty"` // that sent it, by number, from 1; 0: unknown
	Person   string        `json:"person"`
	Method   string        `json:"method"`
	Path     string        `json:"path"`
	As       string        `json:"as,omitempty"` // the server's own route, METHOD /path, if that is mapped (--map)
	Status   int           `json:"status"`       // 0: no answer arrived
	Start    time.Time     `json:"start,omitzero"`
	Duration time.Duration `json:"durationNs,omitempty"` // until the whole answer was read, or given up on
	Query    string        `json:"query,omitempty"`      // with its question mark
	Type     string        `json:"type,omitempty"`       // Content-Type of its body
	Body     string        `json:"body,omitempty"`
	// headers that say who sent it, as "Name: value", with {session} and {email} instead of the person's own
	Caller []string       `json:"caller,omitempty"`
	Own    *mapping.Shown `json:"own,omitempty"` // the request as the server takes it, if its names are mapped (--map)
	Set    []string       `json:"set,omitempty"` // headers that the step sets, as "Name: value"
	// Answer is the body of an answer with a status from 400 on, or of the one by which the scenario failed, and Wrote
	// what the target wrote until the next request if it gave none below 500. Both without secrets, and cut.
	Answer string      `json:"answer,omitempty"`
	Wrote  string      `json:"wrote,omitempty"`
	Calls  []wire.Call `json:"calls,omitempty"`
	Odd    []int       `json:"odd,omitempty"` // the calls that are not allowed, by number, from 0
}

// Exchanges returns every request the scenario has sent so far, in order.
func (r *Report) Exchanges() []Exchange {
	if r.shown != nil {
		return r.seen
	}
	list := make([]Exchange, len(r.requests.exchanges))
	for i, e := range r.requests.exchanges {
		path, query, _ := strings.Cut(e.Path, "?")
		list[i] = Exchange{Step: e.step + 1, Person: e.Person, Method: e.method, Path: path, As: e.as(),
			Status: e.Status, Start: e.start,
			Duration: e.duration, Query: r.shownQuery(query), Type: e.kind, Body: r.shownBody(e.kind, e.Sent),
			Caller: e.caller, Set: r.shownHeader(e.set), Own: r.own(e), Answer: r.refusal(e), Wrote: r.wrote(e),
			Calls: e.Calls(),
			Odd:   e.Odd}
	}
	return list
}

// own returns a request as the server takes it, as reports show it; nil if that is as the contract has it.
func (r *Report) own(e *RoundTrip) *mapping.Shown {
	path, query, _ := strings.Cut(e.Path, "?")
	s := mapping.Shown{Method: e.method, Path: path, Query: r.shownQuery(query), Body: r.shownBody(e.kind, e.Sent),
		Header: slices.Concat(e.caller, r.shownHeader(e.set))}
	if e.kind != "" {
		s.Header = append(s.Header, "Content-Type: "+e.kind)
	}
	return r.stage.Lane().Maker.Mapping.Show(s)
}
