package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/verify"
)

// Mutants is the kill matrix of one system.
type Mutants struct {
	Judged

	Matrix *mutant.Matrix // nil if no mutant could be judged
}

func (m Mutants) judged() bool { return m.Matrix != nil && m.Err == nil }

// Outcome returns Passed if every rule has a mutant and every mutant was killed by its rule.
func (m Mutants) Outcome() verify.Outcome {
	complete := m.judged() && m.Matrix.Complete()
	return outcomeOf(m.judged(), m.judged() && m.Matrix.Interrupted && !complete, complete)
}

// show writes a line per mutant, then the problems, then the counts.
func (m Mutants) show(c *console) {
	rows := "RULE\tMUTANT\tVERDICT\tTIME\tFIRST SCENARIO THAT NOTICED\n"
	for _, result := range m.Matrix.Mutants {
		rows += fmt.Sprintf("%s\t%s\t%s\t%.1f s", result.Rule, result.Name, result.Verdict, result.Duration.Seconds())
		if kill := result.Kill; kill != nil {
			rows += "\t" + noticed(kill)
		}
		rows += "\n"
	}
	c.table(rows)
	for _, result := range m.Matrix.Mutants {
		if result.Verdict != mutant.Killed {
			c.unkilled(result)
		}
	}
	c.line(0, "")
	for _, rule := range m.Matrix.Missing {
		c.line(0, "%s has %s: nothing shows that it can fail", rule, c.colored(red, "no mutant"))
	}
	c.counted(several(len(m.Matrix.Mutants), "mutant"), m.Matrix.Duration, m.Matrix.Counts(), "")
	c.conclude(m, "every selected rule kills its mutants", green, "not every rule is proven able to fail")
}

func (c *console) unkilled(result mutant.Result) {
	c.line(0, "")
	c.line(0, "%s %s", result.Name, c.verdict(result.Verdict))
	c.line(1, "breaks: %s", result.Breaks)
	switch {
	case result.Err != nil:
		c.line(1, "%v", result.Err)
	case len(result.Others) > 0:
		c.line(1, "%s did not notice, but %s did: the patch names the wrong rule, or the rule's scenarios are too weak",
			result.Rule, strings.Join(result.Others, ", "))
	default:
		c.line(1, "no scenario of any rule noticed: %s needs one that does", result.Rule)
	}
}

func (m Mutants) addTo(doc *Matrices, view judgedView) {
	matrix := matrixView{judgedView: view, Counts: map[mutant.Verdict]int{}, Missing: []string{},
		Mutants: []mutantView{}}
	if m.Matrix != nil {
		matrix.Interrupted, matrix.Duration, matrix.Counts = m.Matrix.Interrupted, milliseconds(m.Matrix.Duration),
			m.Matrix.Counts()
		matrix.Missing = append(matrix.Missing, m.Matrix.Missing...)
		for _, result := range m.Matrix.Mutants {
			matrix.Mutants = append(matrix.Mutants,
				mutantView{result, textOf(result.Err), milliseconds(result.Duration)})
		}
	}
	doc.Systems = append(doc.Systems, matrix)
}

type matrixView struct {
	judgedView

	Counts  map[mutant.Verdict]int `json:"counts"`
	Missing []string               `json:"rulesWithoutMutant"`
	Mutants []mutantView           `json:"mutants"`
}

type mutantView struct {
	mutant.Result

	Error    string  `json:"error,omitempty"`
	Duration float64 `json:"durationMs"`
}

// Walked says which mutants of a system random walks have found, without any rule.
type Walked struct {
	Mutants

	Each  time.Duration // how long each was looked at, at most
	Least float64       // the lowest share that passes, in percent
}

// percent returns the share of the mutants that were found.
func (w Walked) percent() float64 {
	return 100 * float64(w.Matrix.Counts()[mutant.Killed]) / float64(max(1, len(w.Matrix.Mutants)))
}

// Outcome returns Passed if at least the wanted share was found.
func (w Walked) Outcome() verify.Outcome {
	judged := w.judged() && w.Matrix.Counts()[mutant.Errored] == 0
	return outcomeOf(judged, judged && w.Matrix.Interrupted, judged && w.percent() >= w.Least)
}

// show writes a line for each mutant, and how many were found.
func (w Walked) show(c *console) {
	rows := "MUTANT\tFOUND\tTIME\tBY\n"
	for _, result := range w.Matrix.Mutants {
		found, by := "no", result.Breaks
		switch {
		case result.Err != nil:
			found, by = "error", result.Err.Error()
		case result.Kill != nil:
			found, by = "yes", result.Kill.Reason
		}
		rows += fmt.Sprintf("%s\t%s\t%.1f s\t%s\n", result.Name, found, result.Duration.Seconds(), by)
	}
	c.table(rows)
	c.line(0, "")
	c.line(0, "%s: random walks alone find %d of %s, %.0f %%, within %s each (least %.0f %%)", w.System,
		w.Matrix.Counts()[mutant.Killed], several(len(w.Matrix.Mutants), "mutant"), w.percent(), w.Each, w.Least)
}
