package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/source/yamldoc"
	"github.com/storespec/storespec/reference"
)

// survivorsFile is the list of generated mutants that may survive, next to the patches of a system.
const survivorsFile = "survivors.yaml"

// judgeGenerated runs the generated mutants of each system in turn and turns their scores into an exit status.
func (o mutantsOptions) judgeGenerated(ctx context.Context, all []mutant.Options) error {
	return judgeEach(ctx, o, len(all), func(i int) (report.Scored, error, error) { return o.score(ctx, all[i]) })
}

// score judges the generated mutants of one system. It returns the score, the reason if it could
// not be judged, and an error if the input is wrong.
func (o mutantsOptions) score(ctx context.Context, options mutant.Options) (report.Scored, error, error) {
	s := report.Scored{Judged: report.Judged{System: options.Verify.System.Name}, Least: o.least}
	excuses, err := o.excuses(options.Root, s.System)
	if err != nil {
		return s, nil, err
	}
	choice := mutant.Generation{Sample: o.sample, Seed: o.seed, Only: o.only, Excuses: excuses,
		Home: options.Verify.System.Name == reference.Names()[0]}
	s.Score, s.Err = o.generate(ctx, options, choice)
	if unknown := (*mutant.UnknownMutantError)(nil); errors.As(s.Err, &unknown) {
		return s, nil, command.Misused(s.Err.Error(),
			"a name is a path such as familyscheduler/gate.go/Server.gate/negated-1")
	}
	return s, s.Err, nil
}

// excuses reads the list of survivors of a system.
func (o *mutantsOptions) excuses(root, system string) (*mutant.Excuses, error) {
	directory := cmp.Or(o.patches, filepath.Join(root, "fixtures", "mutants", system))
	excuses, err := mutant.ReadExcuses(filepath.Join(directory, survivorsFile))
	if malformed := (*yamldoc.Error)(nil); errors.As(err, &malformed) {
		return nil, command.Misused(err.Error(), "storespec help mutants-guide says what the list holds")
	}
	return excuses, nil
}

// generate judges the generated mutants of one system, with a progress line on the terminal.
func (a *app) generate(ctx context.Context, options mutant.Options, choice mutant.Generation) (*mutant.Score, error) {
	line := a.Line()
	defer line.Clear()
	options.Progress = showMutants(line, options.Verify.System.Name)
	return mutant.Generate(ctx, options, choice)
}
