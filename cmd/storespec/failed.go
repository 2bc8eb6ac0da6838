package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/baseline"
	"github.com/storespec/storespec/internal/verify/rerun"
)

// failedName is the file name of the list of failed scenarios in the directory of verify --report.
const failedName = "failed.json"

// failedOptions says whether verify is limited to the scenarios that failed before.
type failedOptions struct {
	only bool

	memory rerun.List // of a run without --report, such as one of --watch; nil: nothing is remembered
	places map[string][]verify.Place
}

// remembered returns which scenarios have failed before: by the directory of --report, if there is one. Only a run that
// goes by the list needs one that can be read: others say so, and start over. The error is a *source.Error.
func (o *verifyOptions) remembered() (rerun.List, error) {
	if o.directory == "" {
		return o.failed.memory, nil
	}
	list, err := rerun.Read(filepath.Join(o.directory, failedName))
	unread, ok := errors.AsType[*source.Error](err)
	switch {
	case !ok:
		return list, err
	case o.failed.only || o.watch.on:
		unread.Reason += "; a run without --only-failed and --watch starts a new list"
		return nil, unread
	}
	unread.Reason += "; this run starts a new list"
	o.explain(unread)
	return rerun.List{}, nil
}

// limit leaves only the systems of which a scenario has failed before and still exists, and notes their places. It says
// what else there was, and forgets what does not exist any more.
func (o *verifyOptions) limit(list []system.System, loaded []*verify.Catalogue, before rerun.List) (
	left []system.System, catalogues []*verify.Catalogue, err error) {
	w := o.forPeople()
	if err := o.knowsOne(list, before); err != nil {
		return nil, nil, err
	}
	o.failed.places = map[string][]verify.Place{}
	for i, s := range list {
		failures, known := before[s.Name]
		for _, one := range failures {
			place, exists := loaded[i].Place(one.Case)
			switch {
			case !exists:
				fmt.Fprintf(w, "%s: a scenario that failed before does not exist any more: %s\n", s.Name, one.Case)
			case len(o.rules) == 0 || slices.Contains(o.rules, one.Rule):
				o.failed.places[s.Name] = append(o.failed.places[s.Name], place)
			}
		}
		switch {
		case !known:
			fmt.Fprintf(w, "%s: left out, since %s\n", s.Name, o.unknown())
			continue
		case len(o.failed.places[s.Name]) == 0:
			fmt.Fprintf(w, "%s: no scenario%s is left that failed before; nothing was run\n", s.Name, o.ofRules())
		default:
			left, catalogues = append(left, s), append(catalogues, loaded[i])
		}
		before.Note(s.Name, rerun.Extent{}, nil, loaded[i].Has)
	}
	return left, catalogues, nil
}

// unknown says that no run of a system is known.
func (o *verifyOptions) unknown() string {
	if o.directory == "" {
		return "it has not been run yet"
	}
	return o.directory + " has no run of it"
}

// ofRules names the rules that the command line chose, if any: of others, scenarios that failed may be left.
func (o *verifyOptions) ofRules() string {
	if len(o.rules) == 0 {
		return ""
	}
	return " of " + strings.Join(o.rules, ", ")
}

// nothingLeft reports that a run was limited to scenarios that failed before, and that no such scenario is left: in
// every report, for else these would still show the run before.
func (o verifyOptions) nothingLeft(ctx context.Context, p plan, stream *atomicfile.File,
	files resultFiles) error {
	var runs []events.Run
	for i, s := range p.asked {
		runs = append(runs, events.Run{System: s.Name, Asked: o.asked(p.askedRules[i]), Result: &verify.Result{
			Target: o.target(s, io.Discard).String(), Version: "no store", Rules: []verify.RuleResult{}}})
	}
	closing := errors.Join(o.remember(p.before, nil, nil), o.writeReports(stream, files, p.askedRules, runs))
	return o.finish(ctx, runs, closing)
}

// forPeople returns where reports for people go: to standard output, unless that is to hold one JSON document.
func (o *verifyOptions) forPeople() io.Writer {
	if o.json {
		return o.Stderr
	}
	return o.Stdout
}

// knowsOne returns an error if no run of any of the systems is known.
func (o *verifyOptions) knowsOne(list []system.System, before rerun.List) error {
	const hint = "run verify once without --only-failed"
	known := func(s system.System) bool { _, is := before[s.Name]; return is }
	switch names := strings.Join(system.Names(list), ", "); {
	case slices.ContainsFunc(list, known):
		return nil
	case len(before) == 0:
		return command.Misused(fmt.Sprintf("--only-failed: no earlier run is known: there is no %s",
			filepath.Join(o.directory, failedName)), hint)
	default:
		return command.Misused(fmt.Sprintf("--only-failed: %s has runs of %s, but none of %s", o.directory,
			strings.Join(slices.Sorted(maps.Keys(before)), ", "), names), hint)
	}
}

// remember adds to the list what runs found out, and writes it if there is a directory for it. A run that could not
// judge, or one of a single case, says nothing of a scenario. loaded are the catalogues of the runs.
func (o *verifyOptions) remember(before rerun.List, loaded []*verify.Catalogue, runs []events.Run) error {
	if before == nil || o.replay != "" {
		return nil
	}
	for i, run := range runs {
		if !run.Judged() {
			continue
		}
		var judged []rerun.Judged
		for rule, result := range run.Result.All() {
			if fails := o.counts().Fails(rule.Rule, result.Outcome); fails || result.Outcome.Judged() {
				judged = append(judged, rerun.Judged{Fails: fails, InCases: len(result.Broken) > 0,
					Case: baseline.Case{Rule: result.Rule, Scenario: result.Name, Example: result.Example}})
			}
		}
		extent := rerun.Extent{Faults: proof.FaultLevel(o.faults), Orders: o.orders}
		before.Note(run.System, extent, judged, loaded[i].Has)
	}
	if o.directory == "" {
		return nil
	}
	file, err := atomicfile.Create(filepath.Join(o.directory, failedName))
	if err != nil {
		return err
	}
	defer file.Abandon()
	return file.Put(before.Write)
}
