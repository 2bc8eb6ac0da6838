package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/storespec/storespec/internal/mutant"
	"github.com/storespec/storespec/internal/report"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/yamldoc"
)

// survivorsFile is the list of generated mutants that may survive, beside the patches of a system.
const survivorsFile = "survivors.yaml"

// judgeGenerated runs the generated mutants of each system in turn and turns their scores into an exit status.
func (a *app) judgeGenerated(ctx context.Context, all []mutant.Options, o mutantsOptions) error {
	status := statusHolds
	var scores []report.Scored
	for _, options := range all {
		name := options.Verify.System.Name
		directory := cmp.Or(o.patches, filepath.Join(options.Root, "fixtures", "mutants", name))
		excuses, err := mutant.ReadExcuses(filepath.Join(directory, survivorsFile))
		if malformed := (*yamldoc.Error)(nil); errors.As(err, &malformed) {
			return &usageError{err.Error(), "storespec help mutants-guide says what the list holds"}
		}
		choice := mutant.Generation{Sample: o.sample, Seed: o.seed, Only: o.only, Excuses: excuses}
		s := report.Scored{System: name, Least: o.least}
		s.Score, s.Err = a.generate(ctx, options, choice)
		if unknown := (*mutant.UnknownMutantError)(nil); errors.As(s.Err, &unknown) {
			return &usageError{s.Err.Error(), "a name is a path such as familyscheduler/gate.go/Server.gate/negated-1"}
		}
		if err := report.ScoreText(a.stderr, s, report.Options{Color: a.colored()}); err != nil {
			return err
		}
		if s.Err != nil {
			a.explain(s.Err)
		}
		switch s.Outcome() {
		case verify.Errored:
			status = statusUnusable
		case verify.Failed:
			status = max(status, statusBroken)
		}
		if scores = append(scores, s); ctx.Err() != nil {
			status = statusInterrupted
			break
		}
	}
	if o.json {
		if err := report.ScoresJSON(a.stdout, scores, buildVersion()); err != nil {
			return err
		}
	}
	return ended(status)
}

// generate judges the generated mutants of one system, with a progress line on the terminal.
func (a *app) generate(ctx context.Context, options mutant.Options, choice mutant.Generation) (*mutant.Score, error) {
	line := a.progress(options.Verify.System.Name)
	defer line.clear()
	options.Progress = line.showMutants
	return mutant.Generate(ctx, options, choice)
}
