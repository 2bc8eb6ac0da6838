package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/internal/verify/designs"
	"github.com/storespec/storespec/steps"
)

// exploreMutants lets random walks look for each mutant, without any rule.
func (o mutantsOptions) exploreMutants(ctx context.Context, all []mutant.Options) error {
	one := func(i int) (report.Walked, error, error) {
		s := all[i].Verify.System
		w := report.Walked{Mutants: report.Mutants{Judged: report.Judged{System: s.Name}}, Each: o.each, Least: o.least}
		spec, err := explore.ReadSpec(features.Files, "", s, scenario.NewVocabulary(steps.Themes()))
		if err != nil {
			return w, nil, err
		}
		spec.Reference()
		line := o.Line()
		defer line.Clear()
		all[i].Progress = showMutants(line, s.Name)
		search := o.search(s, spec, designs.Invariants(all[i].Verify.Catalogue))
		if !o.generated {
			w.Matrix, w.Err = mutant.Explore(ctx, all[i], o.sample, o.seed, search)
			return w, w.Err, nil
		}
		excuses, err := o.excuses(all[i].Root, s.Name)
		if err != nil {
			return w, nil, err
		}
		w.Matrix, w.Err = mutant.ExploreSurvivors(ctx, all[i],
			mutant.Generation{Sample: o.sample, Seed: o.seed, Excuses: excuses}, search)
		return w, w.Err, nil
	}
	return judgeEach(ctx, o, len(all), one)
}

// search walks on a mutant and on the reference server in this process, until it finds something or the time is over.
func (o *mutantsOptions) search(s system.System, spec *explore.Spec, invariants []explore.Invariant) mutant.Search {
	return func(ctx context.Context, on target.Target, tool system.Tool) (found string, err error) {
		opened, err := stores.OpenFirst(ctx, s.Store, store.Options{Lanes: 2, Cold: coldNamespaces, Log: io.Discard})
		if err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, opened.Close(context.WithoutCancel(ctx))) }()
		reference := designs.Reference(s)
		options := explore.Options{System: s, Spec: spec, Invariants: invariants,
			Vocabulary: scenario.NewVocabulary(steps.Themes()), Store: opened, Subject: on, SubjectTool: tool,
			Oracle: reference, Secret: rand.Text(), Seed: o.seed, Duration: o.each, Faults: true, First: true,
			Unshrunk: true, Workers: 1}
		result, err := explore.Run(ctx, options)
		if err != nil || len(result.Findings) == 0 {
			return "", err
		}
		finding := result.Findings[0]
		options.Subject, options.SubjectTool, options.Replay = reference, nil, finding.Walk
		again, err := explore.Run(ctx, options)
		if err != nil {
			return "", err
		}
		if len(again.Findings) > 0 {
			return "", fmt.Errorf("the reference server shows it too: %s", finding.Kind)
		}
		return fmt.Sprintf("after %s: %s", counted(result.Steps, "step"), finding.Kind), nil
	}
}

// patiently sets what is usual for walks where the command line says nothing.
func (o *mutantsOptions) patiently() {
	if !o.flags.Changed("least") {
		if o.least = 60; o.generated {
			o.least = 0 // most survivors behave as the server does
		}
	}
	if !o.flags.Changed("parallel") {
		o.parallel = 2
	}
}
