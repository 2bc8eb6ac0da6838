package report

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/budget"
	"github.com/storespec/storespec/internal/cases"
	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/shell"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

//go:embed page
var pageFiles embed.FS

// HTML writes a stream as one self-contained page: it can be opened from a disk, and its policy forbids loading
// anything. mutants is the kill matrix to include, or nil.
func HTML(w io.Writer, s *events.Stream, mutants *Matrices) error {
	page, err := newPage(s, mutants)
	if err != nil {
		return err
	}
	parsed, err := template.New("report.html").Funcs(template.FuncMap{"class": class,
		"several": several}).ParseFS(pageFiles, "page/report.html")
	if err != nil {
		return err
	}
	if err := parsed.Execute(w, page); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// class returns the style class for an outcome or a verdict.
func class(outcome any) string { return strings.ReplaceAll(fmt.Sprint(outcome), " ", "-") }

// page is the template's data.
type page struct {
	Title, Version, Policy string
	Style                  template.CSS
	Script, Calls          template.JS
	Systems                []pageSystem
	Outcomes               []verify.Outcome // those a rule can have
	Mutants                []matrixView
	Scores                 []scoreView
	Wire                   []wireView
}

type pageSystem struct {
	System, Verdict, Error string
	Outcome                verify.Outcome
	Counts                 []pageCount
	Broken                 []string // ids of rules
	Facts                  []pageFact
	Rules                  []pageRule
	Cases                  []string
	BrokenCases            []pageCase
	Budgets                []pageBudget
	OverBudget             bool
	Causes                 []*causeView
}

type pageCount struct {
	N       int
	Outcome verify.Outcome
}

type pageFact struct{ Name, Value string }

type pageRule struct {
	verify.Rule
	Outcome   verify.Outcome
	Open      bool
	Scenarios []pageScenario
}

type pageScenario struct {
	verify.ScenarioResult
	ID, Where, Cost, Curl string
	Answer, Wrote         string // of the request that failed, and of the server meanwhile
	Script                string // the command that runs the result's script
	Number                int    // among those whose calls the page contains
	Open                  bool
}

type pageCase struct {
	cases.BrokenCase
	Rule, Scenario, Command string
}

type pageBudget struct {
	Rule, Scenario, Request, Call string
	Allowed, Seen                 int
	Over                          bool
}

func newPage(s *events.Stream, mutants *Matrices) (*page, error) {
	style, err := pageFiles.ReadFile("page/report.css")
	script, scriptErr := pageFiles.ReadFile("page/report.js")
	if err := cmp.Or(err, scriptErr); err != nil {
		return nil, err
	}
	p := &page{
		Title: "storespec: " + s.Systems(), Version: s.Header.Version,
		Style: template.CSS(style), Script: template.JS(script), //nolint:gosec // both are ours
		Policy: fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; "+
			"form-action 'none'", digest(style), digest(script)),
	}
	calls := newCallTable()
	options := Options{Strict: s.Header.Strict, BudgetsWarn: s.Header.BudgetsWarn}
	for _, run := range s.Runs {
		p.Systems = append(p.Systems, newPageSystem(run, options, calls))
	}
	counts := map[verify.Outcome]int{}
	for _, system := range p.Systems {
		for _, count := range system.Counts {
			counts[count.Outcome] += count.N
		}
	}
	for _, count := range inOrder(counts) {
		p.Outcomes = append(p.Outcomes, count.Outcome)
	}
	if mutants != nil {
		p.Mutants, p.Scores, p.Wire = mutants.Systems, mutants.Scores, mutants.Wire
	}
	p.Calls, err = calls.json()
	return p, err
}

// digest returns the source expression of a style or a script in a policy (CSP Level 3, section 2.3.1).
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return base64.StdEncoding.EncodeToString(sum[:])
}

func inOrder(counts map[verify.Outcome]int) (list []pageCount) {
	for _, outcome := range outcomes() {
		if n := counts[outcome]; n > 0 {
			list = append(list, pageCount{n, outcome})
		}
	}
	return list
}

func newPageSystem(run events.Run, options Options, calls *callTable) pageSystem {
	system := pageSystem{System: run.System, Error: textOf(run.Err), Outcome: options.Outcome(run), Facts: facts(run)}
	if run.Result == nil {
		system.Verdict = run.System + ": nothing could be judged"
		return system
	}
	system.Verdict = (&text{options: options}).verdict(run)
	system.Counts = inOrder(run.Result.RuleCounts())
	for _, c := range run.Result.Cases() {
		system.Cases = append(system.Cases, describeCases(c))
	}
	system.Causes = shared(run.Result)
	told := map[string]bool{}
	for _, rule := range run.Result.Rules {
		shown := pageRule{Rule: rule.Rule, Outcome: rule.Outcome, Open: broken(rule.Outcome)}
		if shown.Open {
			system.Broken = append(system.Broken, rule.ID)
		}
		for i, result := range rule.Results {
			scenario := newPageScenario(run, fmt.Sprintf("%s.%d", rule.ID, i+1), result, calls)
			key := causeKey(result)
			scenario.Open = broken(result.Outcome) && i < fullFailures &&
				(result.Outcome != verify.NotPrepared || !told[key])
			told[key] = true
			shown.Scenarios = append(shown.Scenarios, scenario)
			for _, c := range result.Broken {
				system.BrokenCases = append(system.BrokenCases,
					pageCase{c, rule.ID, scenario.ID, replayCommand(run, c)})
			}
			system.Budgets = append(system.Budgets, pageBudgets(rule.ID, scenario)...)
		}
		system.OverBudget = system.OverBudget || rule.Outcome == verify.OverBudget
		system.Rules = append(system.Rules, shown)
	}
	return system
}

func newPageScenario(run events.Run, id string, result verify.ScenarioResult, calls *callTable) pageScenario {
	scenario := pageScenario{ScenarioResult: result, ID: id, Where: fmt.Sprintf("%s:%d", result.File, result.Line)}
	n := 0
	for _, request := range result.Requests {
		n += len(request.Calls)
	}
	if len(result.Requests) > 0 {
		scenario.Cost = fmt.Sprintf("%s, %s, %s", several(len(result.Requests), "request"), several(n, "storage call"),
			result.Duration.Round(time.Millisecond))
		scenario.Number = calls.add(result)
	}
	if told := broken(result.Outcome) || result.Outcome == verify.KnownFailing; told && len(result.Requests) > 0 {
		failed := result.Requests[failedRequest(result)]
		scenario.Curl, scenario.Answer, scenario.Wrote = curl(run, failed, result.Script), failed.Answer, failed.Wrote
		if result.Script != "" {
			scenario.Script = "sh " + shell.Word(result.Script)
		}
	}
	return scenario
}

func pageBudgets(rule string, scenario pageScenario) (list []pageBudget) {
	for _, judged := range scenario.Budgets {
		if judged.Request >= len(scenario.Requests) {
			continue
		}
		request := scenario.Requests[judged.Request]
		line := pageBudget{Rule: rule, Scenario: scenario.ID, Request: request.Method + " " + request.Path}
		for _, a := range judged.Allowed {
			line.Call, line.Allowed, line.Seen = wire.Describe(a.Service, a.Call, a.On), a.Count, a.Used
			line.Over = a.Used > a.Count || judged.Exact && a.Used < a.Count
			list = append(list, line)
		}
		for _, odd := range judged.Odd {
			if slices.ContainsFunc(judged.Allowed,
				func(a budget.Allowance) bool { return a.Used > a.Count && a.Covers(request.Calls[odd]) }) {
				continue // counted in that line
			}
			line.Call, line.Allowed, line.Seen, line.Over = budget.Describe(request.Calls[odd]), 0, 1, true
			list = append(list, line)
		}
		if len(judged.Allowed)+len(judged.Odd) == 0 {
			line.Call, line.Allowed, line.Seen, line.Over = "any", 0, 0, false
			list = append(list, line)
		}
	}
	return list
}

// facts lists what was run on what.
func facts(run events.Run) []pageFact {
	var list []pageFact
	add := func(name, format string, args ...any) {
		list = append(list, pageFact{name, fmt.Sprintf(format, args...)})
	}
	if r := run.Result; r != nil {
		add("server", "%s (%s)", r.Target, run.Asked.Started)
		add("store", "%s", storeOf(r))
		add("ran", "%s for %s on %s%s", began(r), r.Duration.Round(10*time.Millisecond), several(r.Lanes, "lane"),
			inZone(r))
		add("scenarios", "%s", (&text{}).counts("scenario", r.ScenarioCounts()))
		for _, reason := range reasons(r) {
			add("of them", "%s", reason)
		}
		add("storage calls", "%d; attributed: %s", r.Calls, describeAttribution(r.Attributed))
	}
	add("rules", "%s, digest %s", run.System, run.Asked.Suite)
	for _, only := range []pageFact{{"only rules", strings.Join(run.Asked.Rules, ", ")}, {"only tags", run.Asked.Tags},
		{"without", strings.Join(run.Asked.Without, ", ")}, {"only the case", run.Asked.Replay}} {
		if only.Value != "" {
			list = append(list, only)
		}
	}
	add("faults and orders", "faults %s, at most %d orders of a race, seed %d", run.Asked.Faults, run.Asked.Orders,
		run.Asked.Seed)
	return list
}

// began returns when the first scenario began.
func began(r *verify.Result) string {
	var first time.Time
	for _, result := range r.All() {
		if !result.Start.IsZero() && (first.IsZero() || result.Start.Before(first)) {
			first = result.Start
		}
	}
	if first.IsZero() {
		return "at no known time"
	}
	return first.UTC().Format("2006-01-02 15:04:05 UTC")
}
