package report

import (
	"encoding/json"
	"io"
	"time"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// JSON writes all runs as one document. For a scenario that did not pass it contains every request and storage call;
// for one that passed, only the time. Durations are in milliseconds.
func JSON(w io.Writer, r *Report) error {
	doc := document{Storespec: r.Version, Outcome: r.Outcome, Systems: []systemView{}}
	for _, run := range r.Runs {
		doc.Systems = append(doc.Systems, viewSystem(run))
	}
	return WriteJSON(w, doc)
}

// WriteJSON writes one document, indented.
func WriteJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

type document struct {
	Storespec string         `json:"storespec"`
	Outcome   verify.Outcome `json:"outcome"`
	Systems   []systemView   `json:"systems"`
}

type systemView struct {
	System       string         `json:"system"`
	Outcome      verify.Outcome `json:"outcome"`
	Error        string         `json:"error,omitempty"` // why the run could not begin, or cannot be trusted
	Interrupted  bool           `json:"interrupted,omitempty"`
	Stopped      bool           `json:"stopped,omitempty"`    // at its first failure, by --fail-fast
	OnlyFailed   bool           `json:"onlyFailed,omitempty"` // only scenarios were run that had failed before
	Target       string         `json:"target,omitempty"`
	Store        string         `json:"store,omitempty"`
	StoreVersion string         `json:"storeVersion,omitempty"`
	Lanes        int            `json:"lanes,omitempty"`
	Zone         string         `json:"zone,omitempty"`
	StorageCalls int            `json:"storageCalls"`
	Attribution  attributedView `json:"attribution"`
	Duration     float64        `json:"durationMs"`
	Ignored      int            `json:"ignoredSigterm,omitempty"` // processes that had to be killed
	Counts       countsView     `json:"counts"`
	Causes       []*Cause       `json:"causes,omitempty"` // of the scenarios that must be shown, the largest first
	// Mapping is the YAML of a mapping (--map) that leaves out the routes that the server does not seem to have.
	Mapping string     `json:"mapping,omitempty"`
	Rules   []ruleView `json:"rules"`
}

// attributedView is how many calls were attributed to a request by their trace, how many by their time of arrival, and
// how many to none: those of commands that scenarios run, and all others. The sum is storageCalls. TooLate are some of
// all these.
type attributedView struct {
	Trace    int `json:"trace"`
	Lane     int `json:"lane"`
	Commands int `json:"commands"`
	None     int `json:"none"`
	TooLate  int `json:"tooLate,omitempty"`
}

type countsView struct {
	Rules     map[verify.Outcome]int `json:"rules"`
	Scenarios map[verify.Outcome]int `json:"scenarios"`
}

type ruleView struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Clause    string         `json:"clause"`
	Severity  string         `json:"severity"`
	Outcome   verify.Outcome `json:"outcome"`
	Scenarios []scenarioView `json:"scenarios"`
}

type scenarioView struct {
	Name     string              `json:"name"`
	File     string              `json:"file"`
	Line     int                 `json:"line"`
	Outcome  verify.Outcome      `json:"outcome"`
	Step     string              `json:"step,omitempty"`
	Reason   string              `json:"reason,omitempty"`
	Known    string              `json:"known,omitempty"`   // the baseline's reason
	LeftOut  []string            `json:"leftOut,omitempty"` // why rows of its tables were left out, once for each
	Again    string              `json:"again,omitempty"`   // why it was run again alone, if it was
	Requests []requestView       `json:"requests,omitempty"`
	Blamed   int                 `json:"blamed,omitempty"` // the request that failed, by number, from 1; 0: the last
	Cases    []cases.CaseSummary `json:"cases,omitempty"`
	Duration float64             `json:"durationMs"`
}

type requestView struct {
	Person string `json:"person"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status"`
	Answer string `json:"answer,omitempty"` // its body, from status 400 on
	Wrote  string `json:"wrote,omitempty"`  // what the server wrote meanwhile, if it failed
	// Attribution is trace, lane, mixed, or empty if there were no calls.
	Attribution string     `json:"attribution,omitempty"`
	Calls       []callView `json:"calls"`
}

// callView is a call in which each part of its key is a separate member.
type callView struct{ wire.Call }

// MarshalJSON writes the call.
func (c callView) MarshalJSON() ([]byte, error) {
	return c.Flat(struct {
		Service   wire.Service `json:"service"`
		Class     string       `json:"class"`
		Operation string       `json:"operation"`
		Resource  string       `json:"resource,omitempty"`
	}{c.Service, c.Class, c.Operation, c.Resource}, struct {
		Entities      int        `json:"entities,omitempty"`
		Status        int        `json:"status"`
		ErrorCode     string     `json:"errorCode,omitempty"`
		RequestBytes  int64      `json:"requestBytes"`
		ResponseBytes int64      `json:"responseBytes"`
		Duration      float64    `json:"durationMs"`
		Attempts      int        `json:"attempts,omitempty"`
		Late          bool       `json:"late,omitempty"`
		Unsure        bool       `json:"unsure,omitempty"`      // it may belong to an earlier request
		Unprocessed   int        `json:"unprocessed,omitempty"` // keys of a batch
		Capacity      *float64   `json:"capacity,omitempty"`    // units
		Inner         []callView `json:"inner,omitempty"`
	}{c.Entities, c.Status, c.ErrorCode, c.RequestBytes, c.ResponseBytes, milliseconds(c.Duration), c.Attempts, c.Late,
		c.Unsure, c.Unprocessed, c.Capacity, viewCalls(c.Inner)})
}

func viewSystem(run *Run) systemView {
	view := systemView{
		System: run.System, OnlyFailed: run.Asked.OnlyFailed, Outcome: run.Outcome, Error: textOf(run.Err),
		Causes: run.Causes, Mapping: run.Mapping, Rules: []ruleView{},
		Counts: countsView{Rules: map[verify.Outcome]int{}, Scenarios: map[verify.Outcome]int{}},
	}
	result := run.Result
	if result == nil {
		return view
	}
	view.Interrupted, view.Target, view.Store, view.StoreVersion = result.Interrupted, result.Target, result.Store,
		result.Version
	view.Stopped, view.Zone, view.Ignored = result.Stopped, result.Zone, result.Ignored
	view.Lanes, view.StorageCalls, view.Duration = result.Lanes, result.Calls, milliseconds(result.Duration)
	view.Attribution = attributedView{result.Attributed.ByTrace, result.Attributed.ByLane, result.Attributed.Commands,
		result.Attributed.Nobody + result.Attributed.Other, result.Attributed.TooLate}
	view.Counts = countsView{Rules: result.RuleCounts(), Scenarios: result.ScenarioCounts()}
	for _, rule := range result.Rules {
		view.Rules = append(view.Rules, viewRule(rule))
	}
	return view
}

func viewRule(rule verify.RuleResult) ruleView {
	view := ruleView{ID: rule.ID, Name: rule.Name, Clause: rule.Clause, Severity: rule.Severity, Outcome: rule.Outcome}
	for _, result := range rule.Results {
		scenario := scenarioView{
			Name: result.Name, File: result.File, Line: result.Line, Outcome: result.Outcome,
			Step: result.Step, Reason: result.Reason, Known: result.Known, LeftOut: result.LeftOut, Again: result.Again,
			Cases:    result.Cases,
			Duration: milliseconds(result.Duration),
		}
		if broken(result.Outcome) || result.Outcome == verify.KnownFailing {
			scenario.Requests, scenario.Blamed = viewRequests(result.Requests), result.Blamed
		}
		view.Scenarios = append(view.Scenarios, scenario)
	}
	return view
}

func viewRequests(requests []scenario.Exchange) []requestView {
	var views []requestView
	for _, r := range requests {
		views = append(views, requestView{Person: r.Person, Method: r.Method, Path: r.Path, Status: r.Status,
			Answer: r.Answer, Wrote: r.Wrote,
			Attribution: attribution(r.Calls), Calls: viewCalls(r.Calls)})
	}
	return views
}

// attribution returns how the calls of one request were attributed.
func attribution(calls []wire.Call) string {
	how := ""
	for _, c := range calls {
		one := "lane"
		if c.ByTrace {
			one = "trace"
		}
		if how != "" && how != one {
			return "mixed"
		}
		how = one
	}
	return how
}

func viewCalls(calls []wire.Call) []callView {
	views := make([]callView, len(calls))
	for i, c := range calls {
		views[i] = callView{c}
	}
	return views
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}
