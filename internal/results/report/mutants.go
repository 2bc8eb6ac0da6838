package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/prove/wiremutant"
	"github.com/storespec/storespec/internal/verify"
)

// Mutants is the kill matrix of one system.
type Mutants struct {
	System string
	Matrix *mutant.Matrix // nil if no mutant could be judged
	Err    error          // why
}

func (m Mutants) judged() bool { return m.Matrix != nil && m.Err == nil }

// Outcome returns Passed if every rule has a mutant and every mutant was killed by its rule.
func (m Mutants) Outcome() verify.Outcome {
	switch {
	case !m.judged():
		return verify.Errored
	case m.Matrix.Complete():
		return verify.Passed
	case m.Matrix.Interrupted:
		return verify.Unfinished
	}
	return verify.Failed
}

// MutantsText writes a kill matrix for people: a line per mutant, then the problems, then the counts. A matrix with an
// error is not shown, as in Text.
func MutantsText(w io.Writer, m Mutants, o Options) error {
	return ifJudged(w, m.judged(), o, func(t *text) {
		t.matrix(m.Matrix)
		for _, result := range m.Matrix.Mutants {
			if result.Verdict != mutant.Killed {
				t.unkilled(result)
			}
		}
		t.line(0, "")
		for _, rule := range m.Matrix.Missing {
			t.line(0, "%s has %s: nothing shows that it can fail", rule, t.colored(red, "no mutant"))
		}
		parts := countsOf(m.Matrix.Counts(), []mutant.Verdict{mutant.Killed, mutant.KilledByOthers, mutant.Survived,
			mutant.NotJudged, mutant.Errored}, t.verdictOf)
		t.line(0, "%s in %s: %s", several(len(m.Matrix.Mutants), "mutant"),
			m.Matrix.Duration.Round(100*time.Millisecond), strings.Join(parts, ", "))
		t.line(0, "%s: %s", m.System, t.conclusion(m))
	})
}

// ifJudged writes what say adds to a text; nothing for a system of which no mutant could be judged.
func ifJudged(w io.Writer, judged bool, o Options, say func(*text)) error {
	if !judged {
		return nil
	}
	t := &text{options: o}
	say(t)
	_, err := io.WriteString(w, t.String())
	return err
}

// matrix writes the table of all mutants.
func (t *text) matrix(m *mutant.Matrix) {
	rows := "RULE\tMUTANT\tVERDICT\tTIME\tFIRST SCENARIO THAT NOTICED\n"
	for _, result := range m.Mutants {
		rows += fmt.Sprintf("%s\t%s\t%s\t%.1f s", result.Rule, result.Name, result.Verdict, result.Duration.Seconds())
		if kill := result.Kill; kill != nil {
			rows += "\t" + noticed(kill)
		}
		rows += "\n"
	}
	t.table(rows)
}

// noticed returns which scenario noticed a mutant, and by what.
func noticed(kill *mutant.Kill) string {
	reason := kill.Reason
	if kill.Outcome == verify.NotPrepared {
		reason = string(kill.Outcome) + ": " + reason
	}
	return kill.Where + " " + reason
}

func (t *text) unkilled(result mutant.Result) {
	t.line(0, "")
	t.line(0, "%s %s", result.Name, t.verdictOf(result.Verdict))
	t.line(1, "breaks: %s", result.Breaks)
	switch {
	case result.Err != nil:
		t.line(1, "%v", result.Err)
	case len(result.Others) > 0:
		t.line(1, "%s did not notice, but %s did: the patch names the wrong rule, or the rule's scenarios are too weak",
			result.Rule, strings.Join(result.Others, ", "))
	default:
		t.line(1, "no scenario of any rule noticed: %s needs one that does", result.Rule)
	}
}

func (t *text) conclusion(m Mutants) string {
	switch m.Outcome() {
	case verify.Passed:
		return t.colored(green, "every selected rule kills its mutants")
	case verify.Unfinished:
		return "interrupted, so there is no verdict on the other mutants"
	}
	return t.colored(red, "not every rule is proven able to fail")
}

func (t *text) verdictOf(verdict mutant.Verdict) string {
	switch verdict {
	case mutant.Killed:
		return t.colored(green, string(verdict))
	case wiremutant.LeftOpen:
		return string(verdict)
	}
	return t.colored(red, string(verdict))
}

// MutantsJSON writes all kill matrices as one document. Durations are in milliseconds. version is the version of
// storespec that ran.
func MutantsJSON(w io.Writer, matrices []Mutants, version string) error {
	doc := Matrices{Storespec: version, Outcome: verify.Skipped, Systems: []matrixView{}}
	for _, m := range matrices {
		view := matrixView{System: m.System, Outcome: m.Outcome(), Error: textOf(m.Err),
			Counts: map[mutant.Verdict]int{}, Missing: []string{}, Mutants: []mutantView{}}
		if m.Matrix != nil {
			view.Interrupted, view.Duration, view.Counts = m.Matrix.Interrupted, milliseconds(m.Matrix.Duration),
				m.Matrix.Counts()
			view.Missing = append(view.Missing, m.Matrix.Missing...)
			for _, result := range m.Matrix.Mutants {
				view.Mutants = append(view.Mutants,
					mutantView{result, textOf(result.Err), milliseconds(result.Duration)})
			}
		}
		doc.Systems = append(doc.Systems, view)
		doc.Outcome = verify.Worse(doc.Outcome, view.Outcome)
	}
	return writeJSON(w, doc)
}

// Matrices is the document written by MutantsJSON, ScoresJSON and WireJSON.
type Matrices struct {
	Storespec string         `json:"storespec"`
	Outcome   verify.Outcome `json:"outcome"`
	Systems   []matrixView   `json:"systems"`
	Scores    []scoreView    `json:"scores,omitempty"` // of generated mutants
	Wire      []wireView     `json:"wire,omitempty"`   // of mutants at the wire
}

// ReadMatrices reads what MutantsJSON, ScoresJSON or WireJSON has written. name is for errors, which describe the
// problem in one line.
func ReadMatrices(name string, r io.Reader) (*Matrices, error) {
	var m Matrices
	err := json.NewDecoder(r).Decode(&m)
	hollow := func(m matrixView) bool { return m.Mutants == nil || m.System == "" }
	if err != nil || m.Storespec == "" || m.Systems == nil || slices.ContainsFunc(m.Systems, hollow) {
		return nil, fmt.Errorf("%s is not a kill matrix, as storespec mutants --json writes it", name)
	}
	return &m, nil
}

type matrixView struct {
	System      string                 `json:"system"`
	Outcome     verify.Outcome         `json:"outcome"`
	Error       string                 `json:"error,omitempty"` // why no mutant could be judged
	Interrupted bool                   `json:"interrupted,omitempty"`
	Duration    float64                `json:"durationMs"`
	Counts      map[mutant.Verdict]int `json:"counts"`
	Missing     []string               `json:"rulesWithoutMutant"`
	Mutants     []mutantView           `json:"mutants"`
}

type mutantView struct {
	mutant.Result
	Error    string  `json:"error,omitempty"`
	Duration float64 `json:"durationMs"`
}
