package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/results/progress"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify"
)

// systemRun is a system that is run.
type systemRun struct {
	system   system.System
	status   *progress.Run
	allBegun chan struct{} // closed when all scenarios have begun
	ended    chan struct{} // closed when run has its result, or its error
	run      events.Run
}

// runAll runs each system in turn and reports the results. With overlap, the next one begins when the last scenarios
// of one run: these mostly wait. The error is verify.ErrNothingSelected, or one from reporting; the stream is written
// in any case.
func (o verifyOptions) runAll(ctx context.Context, list []system.System, loaded []*verify.Catalogue,
	opened openedStores, failing *verify.Known) (runs []events.Run, untold error) {
	running, cancel := context.WithCancel(ctx)
	begin := func(i int) *systemRun {
		return o.begin(running, list[i], loaded[i], opened[list[i].Store], failing)
	}
	var next *systemRun
	defer func() {
		cancel()
		if next != nil {
			<-next.ended
		}
	}()
	for i := range list {
		current := next
		if next = nil; current == nil {
			current = begin(i)
		}
		erase := current.status.Run()
		if o.overlap && i+1 < len(list) {
			select {
			case <-current.allBegun:
				next = begin(i + 1)
			case <-current.ended:
			}
		}
		<-current.ended
		erase()
		run := current.run
		if errors.Is(run.Err, verify.ErrNothingSelected) {
			return nil, run.Err
		}
		if run.Result == nil && ctx.Err() != nil {
			run.Err = errInterrupted
		}
		untold = errors.Join(untold, o.writeScripts(current.system, run.Result))
		untold = errors.Join(untold, o.tell(run))
		if runs = append(runs, run); ctx.Err() != nil {
			break
		}
	}
	return runs, untold
}

// begin begins to run a system.
func (o verifyOptions) begin(ctx context.Context, design system.System, catalogue *verify.Catalogue,
	opened store.Store, failing *verify.Known) *systemRun {
	s := &systemRun{status: progress.New(o.Stderr, o.IsDumb(), design.Name),
		allBegun: make(chan struct{}), ended: make(chan struct{}),
		run: events.Run{System: design.Name, Asked: o.asked(catalogue)}}
	s.system, o.without = o.fitting.parts(o.fitting.mapping.Fit(design), o.without)
	s.system.Ready = cmp.Or(o.fitting.ready, s.system.Ready)
	go func() {
		defer close(s.ended)
		s.run.Result, s.run.Err = o.runOne(ctx, s.system, catalogue, opened, failing, s.status,
			func() { close(s.allBegun) })
	}()
	return s
}

// runOne runs one system. It calls allBegun once all of its scenarios have begun.
func (o verifyOptions) runOne(ctx context.Context, system system.System, catalogue *verify.Catalogue,
	opened store.Store, failing *verify.Known, status *progress.Run, allBegun func()) (*verify.Result, error) {
	options := verify.Options{
		Proofs:    o.proofs(catalogue, o.isReference()),
		Catalogue: catalogue,
		System:    system,
		Store:     opened,
		Target:    o.target(system, status),
		Reference: o.reference || o.isReference(),
		Rules:     o.rules,
		Tags:      o.tags,
		Lanes:     o.parallel,
		Secret:    o.secret,
		Without:   o.without,
		Known:     failing,
		Shard:     o.shard,
		Linger:    !o.isReference(),
		Progress:  status.Show,
		Waits:     &status.Waits,
		Cases:     &status.Cases,
		AllBegun:  allBegun,

		Repeatable: o.byHand != "",
	}
	if o.failed.only {
		options.Select = func(p verify.Place) bool { return slices.Contains(o.failed.places[system.Name], p) }
	}
	if o.failFast {
		options.Enough = o.enough(catalogue)
	}
	if o.faults == string(proof.FullFaults) {
		status.Estimates()
	}
	fitting, done, err := o.fit(system)
	if err != nil {
		return nil, err
	}
	options.Fitting = fitting
	result, err := verify.Run(ctx, options)
	return result, errors.Join(err, done())
}
