package report

import (
	"fmt"
	"io"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/verify"
)

// ExploredMutants says which mutants of a system random walks have found, without any rule.
type ExploredMutants struct {
	System string
	Each   time.Duration // how long each was looked at, at most
	Least  float64       // the lowest share that passes, in percent
	Matrix *mutant.Matrix
	Err    error
}

// Percent returns the share of the mutants that were found.
func (w ExploredMutants) Percent() float64 {
	return 100 * float64(w.Matrix.Counts()[mutant.Killed]) / float64(max(1, len(w.Matrix.Mutants)))
}

// Outcome returns Passed if so many were found as the least share asks for.
func (w ExploredMutants) Outcome() verify.Outcome {
	switch {
	case w.Matrix == nil || w.Err != nil || w.Matrix.Counts()[mutant.Errored] > 0:
		return verify.Errored
	case w.Matrix.Interrupted:
		return verify.Unfinished
	case w.Percent() < w.Least:
		return verify.Failed
	}
	return verify.Passed
}

// ExploredMutantsText writes a line for each mutant, and how many were found.
func ExploredMutantsText(w io.Writer, m ExploredMutants, o Options) error {
	return ifJudged(w, m.Matrix != nil && m.Err == nil, o, func(t *text) {
		rows := "MUTANT\tFOUND\tTIME\tBY\n"
		for _, result := range m.Matrix.Mutants {
			found, by := "no", result.Breaks
			switch {
			case result.Err != nil:
				found, by = "error", result.Err.Error()
			case result.Kill != nil:
				found, by = "yes", result.Kill.Reason
			}
			rows += fmt.Sprintf("%s\t%s\t%.1f s\t%s\n", result.Name, found, result.Duration.Seconds(), by)
		}
		t.table(rows)
		t.line(0, "")
		t.line(0, "%s: random walks alone find %d of %s, %.0f %%, within %s each (least %.0f %%)", m.System,
			m.Matrix.Counts()[mutant.Killed], several(len(m.Matrix.Mutants), "mutant"), m.Percent(), m.Each, m.Least)
	})
}

// ExploredMutantsJSON writes the results of all systems as one document. Durations are in milliseconds.
// version is the version of storespec that ran.
func ExploredMutantsJSON(w io.Writer, all []ExploredMutants, version string) error {
	matrices := make([]Mutants, len(all))
	for i, one := range all {
		matrices[i] = Mutants{System: one.System, Matrix: one.Matrix, Err: one.Err}
	}
	return MutantsJSON(w, matrices, version)
}
