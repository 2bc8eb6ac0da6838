package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/proof"
	"github.com/storespec/storespec/internal/report"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/system"
	"github.com/storespec/storespec/internal/verify"
)

// asked is what the runs of a command share.
type asked struct {
	list    []system.System
	loaded  []*verify.Catalogue // of each system
	opened  openedStores
	failing *verify.Known
	options verifyOptions
}

// inTurn returns the systems, by their numbers, as one sequence.
func inTurn(list []system.System) [][]int {
	var all []int
	for i := range list {
		all = append(all, i)
	}
	return [][]int{all}
}

// byStore returns a sequence of systems, by their numbers, for each kind of store: those share nothing. One waits for
// its last scenarios, or for a clock, while another has something to do.
func byStore(list []system.System) (sequences [][]int) {
	var kinds []string
	for i, s := range list {
		at := slices.Index(kinds, s.Store)
		if at < 0 {
			at, kinds, sequences = len(kinds), append(kinds, s.Store), append(sequences, nil)
		}
		sequences[at] = append(sequences[at], i)
	}
	return sequences
}

// told is a run, and the error from writing what belongs to it.
type told struct {
	run    events.Run
	untold error
}

// runAll runs the systems of each sequence one after the other, beside those of the other sequences, and reports the
// results in the order of the systems. After an interruption those that have not begun are left out. The error is
// verify.ErrNothingSelected, or one from reporting; the stream is written in any case.
func (a *app) runAll(ctx context.Context, all asked, sequences [][]int) (runs []events.Run, untold error) {
	status := a.runStatus()
	defer status.Run()()
	ended := make([]chan told, len(all.list))
	for i := range ended {
		ended[i] = make(chan told, 1)
	}
	var running sync.WaitGroup
	defer running.Wait()
	for _, sequence := range sequences {
		running.Go(func() {
			for _, i := range sequence {
				if ctx.Err() == nil || i == 0 {
					ended[i] <- a.runOne(ctx, all, i, status)
				}
				close(ended[i])
			}
		})
	}
	for i := range all.list {
		one, begun := <-ended[i]
		if !begun {
			continue
		}
		if errors.Is(one.run.Err, verify.ErrNothingSelected) {
			return nil, one.run.Err
		}
		status.Aside(func() { untold = errors.Join(untold, one.untold, a.tell(one.run, all.options)) })
		runs = append(runs, one.run)
	}
	return runs, untold
}

// runOne runs one system, and says meanwhile how it is going.
func (a *app) runOne(ctx context.Context, all asked, i int, line *runStatus) told {
	o := all.options
	system, without := o.fitting.parts(o.fitting.mapping.Fit(all.list[i]), o.without)
	system.Ready, o.without = cmp.Or(o.fitting.ready, system.Ready), without
	run := events.Run{System: system.Name, Asked: o.asked(all.loaded[i])}
	status := line.begins(system.Name)
	run.Result, run.Err = a.run(ctx, system, all.loaded[i], all.opened[system.Store], all.failing, o, status)
	line.ends(status)
	if run.Result == nil && ctx.Err() != nil && !errors.Is(run.Err, verify.ErrNothingSelected) {
		run.Err = errInterrupted
	}
	return told{run, o.writeScripts(system, run.Result)}
}

// tell writes what a run has shown, for people: to standard output, unless that is to hold one JSON document.
func (a *app) tell(run events.Run, o verifyOptions) error {
	w := a.forPeople(&o)
	options := o.report(a.colored(w))
	options.Verbose = a.verbose
	return errors.Join(report.Text(w, run, options), o.tellWhole(w, run))
}

// run runs the rules of one system.
func (a *app) run(ctx context.Context, system system.System, catalogue *verify.Catalogue, opened store.Store,
	failing *verify.Known, o verifyOptions, status *systemStatus) (*verify.Result, error) {
	options := verify.Options{
		Proofs:    o.proofs(catalogue, o.isReference()),
		Catalogue: catalogue,
		System:    system,
		Store:     opened,
		Target:    a.target(system, o, status),
		Reference: o.reference || o.isReference(),
		Rules:     o.rules,
		Tags:      o.tags,
		Lanes:     o.parallel,
		Secret:    o.secret,
		Without:   o.without,
		Known:     failing,
		Shard:     o.shard,
		Linger:    !o.isReference(),
		Progress:  status.show,
		Waits:     &status.waits,
		Cases:     &status.cases,

		Repeatable: o.byHand != "",
	}
	if o.failed.only {
		options.Select = func(p verify.Place) bool { return slices.Contains(o.failed.places[system.Name], p) }
	}
	if o.failFast {
		options.Enough = o.enough(catalogue)
	}
	if o.faults == string(proof.FullFaults) {
		status.estimates()
	}
	fitting, done, err := a.fit(o, system)
	if err != nil {
		return nil, err
	}
	options.Fitting = fitting
	result, err := verify.Run(ctx, options)
	return result, errors.Join(err, done())
}
