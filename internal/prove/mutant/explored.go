package mutant

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/prove/mutation"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
)

// Search looks for a difference between a mutant and the unmutated server, and returns the first one in a line; "": it
// found none. tool runs the mutant's tools; nil: no scenario of the design runs a tool.
type Search func(ctx context.Context, on target.Target, tool system.Tool) (found string, err error)

// Explore builds the mutants and lets search look at each, without any rule. A mutant in which it finds a difference is
// Killed, another one Survived. Of o it uses Root, Patches, Rules, Parallel, Progress, and the catalogue and system of
// Verify. An interruption ends it as it ends Run.
func Explore(ctx context.Context, o Options, sample int, seed uint64, search Search) (*Matrix, error) {
	patches := chosen(o.patches(), sample, seed)
	return explore(ctx, o, search, func(r *run) (all []searchable, err error) {
		if r.together, err = r.builder.together(ctx, patches); err != nil {
			return nil, err
		}
		for _, patch := range patches {
			one := searchable{Patch: patch}
			one.on, one.joined = r.together.server(patch)
			all = append(all, one)
		}
		return all, nil
	})
}

// ExploreSurvivors is Explore for the generated mutants that no rule notices: those of the list of survivors.
func ExploreSurvivors(ctx context.Context, o Options, g Generation, search Search) (*Matrix, error) {
	return explore(ctx, o, search, func(r *run) (all []searchable, err error) {
		program, err := r.builder.load(ctx)
		if err != nil {
			return nil, err
		}
		generated, err := program.Generate(folder + "/" + o.Verify.System.Name)
		if err != nil {
			return nil, err
		}
		survivors := slices.DeleteFunc(generated, func(m *mutation.Mutant) bool { return g.Excuses.of(m.Name) == nil })
		survivors = chosen(survivors, g.Sample, g.Seed)
		program.Keep(survivors)
		if r.together, err = r.builder.build(ctx, program); err != nil {
			return nil, err
		}
		for _, m := range survivors {
			all = append(all, searchable{Patch{Name: m.Name, Breaks: m.What}, r.together.numbered(m.Number()), true})
		}
		return all, nil
	})
}

// searchable is a mutant that search can look at.
type searchable struct {
	Patch

	on     server
	joined bool // else it has to be built alone
}

// explore builds mutants and lets search look at each.
func explore(ctx context.Context, o Options, search Search, build func(*run) ([]searchable, error)) (*Matrix, error) {
	m := &Matrix{}
	return m, o.within(ctx, &m.Ending, func(r *run) error {
		all, err := build(r)
		if err != nil {
			return fmt.Errorf("build the reference server: %w", err)
		}
		one := func(ctx context.Context, mutant searchable) Result { return r.searched(ctx, mutant, search) }
		m.Mutants = each(ctx, r, all, one, Result.verdict)
		return nil
	})
}

// searched lets search look at one mutant.
func (r *run) searched(ctx context.Context, mutant searchable, search Search) (result Result) {
	result = Result{Patch: mutant.Patch, Verdict: Survived}
	on := mutant.on
	if !mutant.joined {
		made, remove, err := r.builder.alone(ctx, mutant.Patch)
		defer func() { result.Err = errors.Join(result.Err, remove()) }()
		if result.Err = err; err != nil {
			result.Verdict = Errored
			return result
		}
		on = server{programs: made}
	}
	var tool system.Tool
	if on.tool != "" {
		tool = on.run
	}
	start := time.Now()
	found, err := search(ctx, on.target(r.options.Verify.System.Name), tool)
	result.Duration = time.Since(start)
	switch {
	case err != nil:
		result.Verdict, result.Err = Errored, err
	case found != "":
		result.Verdict, result.Kill = Killed, &Kill{Reason: strings.TrimSpace(found)}
	}
	if ctx.Err() != nil && result.Verdict != Killed {
		result.Verdict = ""
	}
	return result
}

// chosen returns n of all, chosen by a seed, in their order; all of them if n is 0 or there are no more.
func chosen[T any](all []T, n int, seed uint64) []T {
	if n == 0 || n >= len(all) {
		return slices.Clone(all)
	}
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:n] //nolint:gosec // a sample is not a secret
	slices.Sort(order)
	sample := make([]T, n)
	for i, at := range order {
		sample[i] = all[at]
	}
	return sample
}
