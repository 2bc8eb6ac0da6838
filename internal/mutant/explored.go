package mutant

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/system"
	"github.com/storespec/storespec/internal/target"
)

// Search looks for a difference between a mutant and the unmutated server, and returns the first one in a line; "": it
// found none. tool runs the mutant's tools; nil: no scenario of the design runs a tool.
type Search func(ctx context.Context, on target.Target, tool system.Tool) (found string, err error)

// Explore builds the mutants and lets search look at each, without any rule. A mutant in which it finds a difference is
// Killed, another one Survived. Of o it uses Root, Patches, Parallel, Progress, and the catalogue and system of Verify.
// An interruption ends it as it ends Run.
func Explore(ctx context.Context, o Options, search Search) (*Matrix, error) {
	start := time.Now()
	directory, err := os.MkdirTemp("", "storespec-mutants-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for mutants: %w", err)
	}
	m := &Matrix{}
	r := &run{options: o, builder: newBuilder(o.Root, directory, o.Verify.Catalogue)}
	if r.together, err = r.builder.together(ctx, o.Patches); err != nil {
		err = fmt.Errorf("build the reference server: %w", err)
	} else {
		one := func(ctx context.Context, patch Patch) Result { return r.searched(ctx, patch, search) }
		m.Mutants = each(ctx, r, o.Patches, one, func(result Result) bool { return result.Verdict == Killed })
		m.Mutants = slices.DeleteFunc(m.Mutants, func(result Result) bool { return result.Verdict == "" })
	}
	if m.Interrupted = ctx.Err() != nil; m.Interrupted {
		err = nil // an interruption is not an error of what it interrupted
	}
	m.Duration = time.Since(start)
	return m, errors.Join(err, os.RemoveAll(directory))
}

// searched lets search look at one mutant.
func (r *run) searched(ctx context.Context, patch Patch, search Search) Result {
	result := Result{Patch: patch, Verdict: Survived}
	on, joined := r.together.server(patch)
	if !joined {
		made, remove, err := r.builder.alone(ctx, patch)
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

// Sample returns n of the patches, chosen by a seed, in their order; all if n is 0 or there are no more.
func Sample(patches []Patch, n int, seed uint64) []Patch {
	if n == 0 || n >= len(patches) {
		return patches
	}
	rng := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a sample
	chosen := rng.Perm(len(patches))[:n]
	slices.Sort(chosen)
	sample := make([]Patch, n)
	for i, at := range chosen {
		sample[i] = patches[at]
	}
	return sample
}
