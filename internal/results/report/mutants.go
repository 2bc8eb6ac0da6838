package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/prove/wiremutant"
	"github.com/storespec/storespec/internal/verify"
)

// Judgment is what was found out about the mutants of one system: [Mutants] of patches, [Scored] of generated ones,
// [Wire] of those at the wire, and [Walked] of those that random walks look for.
type Judgment interface {
	Outcome() verify.Outcome

	of() Judged
	judged() bool
	show(c *console)
	addTo(doc *Matrices, view judgedView)
}

// Judged says of which system a judgment is, and why there is none.
type Judged struct {
	System string
	Err    error // why no mutant could be judged
}

func (j Judged) of() Judged { return j }

// JudgmentText writes a judgment for people. One with an error is not shown, as in Text.
func JudgmentText(w io.Writer, j Judgment, look Look) error {
	if !j.judged() {
		return nil
	}
	c := &console{Look: look}
	j.show(c)
	return c.writeTo(w)
}

// JudgmentsJSON writes the judgments of all systems as one document. Durations are in milliseconds. version is the
// version of storespec that ran.
func JudgmentsJSON[J Judgment](w io.Writer, list []J, version string) error {
	doc := &Matrices{Storespec: version, Outcome: verify.Skipped, Systems: []matrixView{}}
	for _, one := range list {
		outcome := one.Outcome()
		one.addTo(doc, judgedView{System: one.of().System, Outcome: outcome, Error: textOf(one.of().Err)})
		doc.Outcome = verify.Worse(doc.Outcome, outcome)
	}
	return WriteJSON(w, doc)
}

// Matrices is the document that JudgmentsJSON writes.
type Matrices struct {
	Storespec string         `json:"storespec"`
	Outcome   verify.Outcome `json:"outcome"`
	Systems   []matrixView   `json:"systems"`
	Scores    []scoreView    `json:"scores,omitempty"` // of generated mutants
	Wire      []wireView     `json:"wire,omitempty"`   // of mutants at the wire
}

// ReadMatrices reads what JudgmentsJSON has written. name is for errors, which describe the problem in one line.
func ReadMatrices(name string, r io.Reader) (*Matrices, error) {
	var m Matrices
	err := json.NewDecoder(r).Decode(&m)
	hollow := func(m matrixView) bool { return m.Mutants == nil || m.System == "" }
	if err != nil || m.Storespec == "" || m.Systems == nil || slices.ContainsFunc(m.Systems, hollow) {
		return nil, fmt.Errorf("%s is not a kill matrix, as storespec mutants --json writes it", name)
	}
	return &m, nil
}

// judgedView begins each view of a judgment.
type judgedView struct {
	System      string         `json:"system"`
	Outcome     verify.Outcome `json:"outcome"`
	Error       string         `json:"error,omitempty"`  // why no mutant could be judged
	Server      string         `json:"server,omitempty"` // of mutants at the wire
	Interrupted bool           `json:"interrupted,omitempty"`
	Duration    float64        `json:"durationMs"`
}

// outcomeOf is Errored if nothing could be judged, and otherwise Passed if enough is known to be well.
func outcomeOf(judged, interrupted, passes bool) verify.Outcome {
	switch {
	case !judged:
		return verify.Errored
	case interrupted:
		return verify.Unfinished
	case passes:
		return verify.Passed
	}
	return verify.Failed
}

// verdict shows a verdict on a mutant.
func (c *console) verdict(verdict mutant.Verdict) string {
	switch verdict {
	case mutant.Killed:
		return c.colored(green, string(verdict))
	case wiremutant.LeftOpen:
		return string(verdict)
	}
	return c.colored(red, string(verdict))
}

// counted writes how many mutants of what kind had which verdict.
func (c *console) counted(what string, took time.Duration, counts map[mutant.Verdict]int, more string) {
	order := []mutant.Verdict{mutant.Killed, mutant.KilledByOthers, mutant.Survived, wiremutant.LeftOpen,
		mutant.NotReached, mutant.NotRun, mutant.NotJudged, mutant.Errored}
	c.line(0, "%s in %s: %s%s", what, took.Round(100*time.Millisecond), tally(counts, order, c.verdict), more)
}

// conclude writes the last line: what the outcome of a judgment means.
func (c *console) conclude(j Judgment, passed string, in color, failed string) {
	said := "interrupted, so there is no verdict on the other mutants"
	switch j.Outcome() {
	case verify.Passed:
		said = c.colored(in, passed)
	case verify.Failed, verify.Errored:
		said = c.colored(red, failed)
	}
	c.line(0, "%s: %s", j.of().System, said)
}

// noticed returns which scenario noticed a mutant, and by what.
func noticed(kill *mutant.Kill) string {
	reason := kill.Reason
	if kill.Outcome == verify.NotPrepared {
		reason = string(kill.Outcome) + ": " + reason
	}
	return kill.Where + " " + reason
}
