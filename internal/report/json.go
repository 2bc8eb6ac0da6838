package report

import (
	"encoding/json"
	"io"
	"time"

	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// JSON writes all runs as one document. Of a scenario that did not pass it holds every request and
// storage call; of one that passed it holds the time only. Durations are in milliseconds. version
// says which storespec it was.
func JSON(w io.Writer, runs []events.Run, version string, o Options) error {
	doc := document{Storespec: version, Outcome: verify.Skipped, Systems: []systemView{}}
	for _, run := range runs {
		doc.Systems = append(doc.Systems, viewSystem(run, o))
		doc.Outcome = verify.Worse(doc.Outcome, o.Outcome(run))
	}
	return writeJSON(w, doc)
}

func writeJSON(w io.Writer, value any) error {
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
	Error        string         `json:"error,omitempty"` // the run could not begin, or not be trusted
	Interrupted  bool           `json:"interrupted,omitempty"`
	Target       string         `json:"target,omitempty"`
	Store        string         `json:"store,omitempty"`
	StoreVersion string         `json:"storeVersion,omitempty"`
	Lanes        int            `json:"lanes,omitempty"`
	StorageCalls int            `json:"storageCalls"`
	Attribution  attributedView `json:"attribution"`
	Duration     float64        `json:"durationMs"`
	Counts       countsView     `json:"counts"`
	Rules        []ruleView     `json:"rules"`
}

// attributedView tells how many calls belong to a request because they carry its trace, how many because of when they
// arrived, and how many to none: those of commands that scenarios run, and all others. The sum is storageCalls.
type attributedView struct {
	Trace    int `json:"trace"`
	Lane     int `json:"lane"`
	Commands int `json:"commands"`
	None     int `json:"none"`
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
	Known    string              `json:"known,omitempty"` // the baseline's reason
	Requests []requestView       `json:"requests,omitempty"`
	Cases    []steps.CaseSummary `json:"cases,omitempty"`
	Duration float64             `json:"durationMs"`
}

type requestView struct {
	Person string `json:"person"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status"`
	// Attribution is trace, lane, mixed, or empty when there were no calls.
	Attribution string     `json:"attribution,omitempty"`
	Calls       []callView `json:"calls"`
}

type callView struct {
	Service       wire.Service `json:"service"`
	Class         wire.Class   `json:"class"`
	Operation     string       `json:"operation"`
	Resource      string       `json:"resource,omitempty"`
	Partition     string       `json:"partition,omitempty"`
	Row           string       `json:"row,omitempty"`
	Blob          string       `json:"blob,omitempty"`
	Filter        string       `json:"filter,omitempty"`
	Prefix        string       `json:"prefix,omitempty"`
	Entities      int          `json:"entities,omitempty"`
	Status        int          `json:"status"`
	ErrorCode     string       `json:"errorCode,omitempty"`
	RequestBytes  int64        `json:"requestBytes"`
	ResponseBytes int64        `json:"responseBytes"`
	Duration      float64      `json:"durationMs"`
	Attempts      int          `json:"attempts,omitempty"`
	Late          bool         `json:"late,omitempty"`
	Inner         []callView   `json:"inner,omitempty"`
}

func viewSystem(run events.Run, o Options) systemView {
	view := systemView{
		System: run.System, Outcome: o.Outcome(run), Rules: []ruleView{},
		Counts: countsView{Rules: map[verify.Outcome]int{}, Scenarios: map[verify.Outcome]int{}},
	}
	if run.Err != nil {
		view.Error = run.Err.Error()
	}
	result := run.Result
	if result == nil {
		return view
	}
	view.Interrupted, view.Target, view.Store, view.StoreVersion = result.Interrupted, result.Target, result.Store, result.Version
	view.Lanes, view.StorageCalls, view.Duration = result.Lanes, result.Calls, milliseconds(result.Duration)
	view.Attribution = attributedView{result.Attributed.ByTrace, result.Attributed.ByLane, result.Attributed.Commands, result.Attributed.Nobody + result.Attributed.Other}
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
			Step: result.Step, Reason: result.Reason, Known: result.Known, Cases: result.Cases, Duration: milliseconds(result.Duration),
		}
		if broken(result.Outcome) || result.Outcome == verify.KnownFailing {
			scenario.Requests = viewRequests(result.Requests)
		}
		view.Scenarios = append(view.Scenarios, scenario)
	}
	return view
}

func viewRequests(requests []steps.Exchange) []requestView {
	var views []requestView
	for _, r := range requests {
		views = append(views, requestView{Person: r.Person, Method: r.Method, Path: r.Path, Status: r.Status, Attribution: attribution(r.Calls), Calls: viewCalls(r.Calls)})
	}
	return views
}

// attribution says how it is known that the calls are those of one request.
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
	views := []callView{}
	for _, c := range calls {
		view := callView{
			Service: c.Service, Class: c.Class, Operation: c.Operation, Resource: c.Resource,
			Partition: c.Partition, Row: c.Row, Blob: c.Blob, Filter: c.Filter, Prefix: c.Prefix,
			Entities: c.Entities, Status: c.Status, ErrorCode: c.ErrorCode,
			RequestBytes: c.RequestBytes, ResponseBytes: c.ResponseBytes, Duration: milliseconds(c.Duration),
			Attempts: c.Attempts, Late: c.Late,
		}
		if len(c.Inner) > 0 {
			view.Inner = viewCalls(c.Inner)
		}
		views = append(views, view)
	}
	return views
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}
