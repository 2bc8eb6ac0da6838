package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/prove/wiremutant"
	"github.com/storespec/storespec/internal/verify"
)

// Wire is the result of the mutants at the wire for one system.
type Wire struct {
	System string
	Matrix *wiremutant.Matrix // nil if no mutant could be judged
	Err    error              // why
	// Least is the lowest share that passes, in percent, of the mutants that are noticed and of the rules that break
	// under one; 0: any
	Least float64
}

func (m Wire) judged() bool { return m.Matrix != nil && m.Err == nil }

// Outcome returns Passed if enough mutants are noticed and enough rules break.
func (m Wire) Outcome() verify.Outcome {
	if !m.judged() {
		return verify.Errored
	}
	mutants, rules := m.Matrix.Percent()
	switch {
	case m.Matrix.Interrupted:
		return verify.Unfinished
	case mutants < m.Least, rules < m.Least:
		return verify.Failed
	}
	return verify.Passed
}

// WireText writes a matrix for people: a line per mutant, then what no rule notices, which rules prove nothing, and
// what the undisturbed run shows, then the counts. A matrix with an error is not shown, as in Text.
func WireText(w io.Writer, m Wire, o Options) error {
	return ifJudged(w, m.judged(), o, func(t *text) {
		t.wireMatrix(m.Matrix)
		t.line(0, "")
		for _, gap := range wireGaps(m.Matrix) {
			t.line(0, "%s", gap)
		}
		parts := countsOf(m.Matrix.Counts(), []mutant.Verdict{mutant.Killed, mutant.Survived, wiremutant.LeftOpen,
			mutant.NotJudged, mutant.Errored}, t.verdictOf)
		t.line(0, "%s at the wire in %s: %s", several(len(m.Matrix.Mutants), "mutant"),
			m.Matrix.Duration.Round(100*time.Millisecond), strings.Join(parts, ", "))
		t.line(0, "%s: %s", m.System, t.wireConclusion(m))
	})
}

// mostNoticed is how many rules a line shows.
const mostNoticed = 3

// wireMatrix writes a line per mutant.
func (t *text) wireMatrix(m *wiremutant.Matrix) {
	rows := "MUTANT\tVERDICT\tRULES AND SCENARIOS THAT NOTICED\n"
	for _, result := range m.Mutants {
		var noticed []string
		for _, one := range result.Noticed {
			noticed = append(noticed, fmt.Sprintf("%s %s%s", one.Rule, one.Where, notPrepared(one.Kill)))
		}
		rows += fmt.Sprintf("%s\t%s\t%s\n", result.Mutant, result.Verdict, firstOf(noticed))
	}
	t.table(rows)
}

// firstOf joins the first names of a list, and says how many more there are.
func firstOf(names []string) string {
	if more := len(names) - mostNoticed; more > 1 {
		names = append(slices.Clone(names[:mostNoticed]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

func notPrepared(kill mutant.Kill) string {
	if kill.Outcome == verify.NotPrepared {
		return " (" + string(kill.Outcome) + ")"
	}
	return ""
}

// wireGaps says what is missing, one sentence each.
func wireGaps(m *wiremutant.Matrix) []string {
	gaps := []string{}
	add := func(format string, args ...any) { gaps = append(gaps, fmt.Sprintf(format, args...)) }
	for _, result := range m.Mutants {
		switch {
		case result.Verdict == mutant.Survived:
			add("no rule notices when %s (asked: %s)", result.Mutant, firstOf(result.Asked))
		case result.Err != nil:
			add("whether a rule notices when %s is not known: %v", result.Mutant, result.Err)
		}
	}
	unreached := map[string]bool{}
	for _, rule := range m.Unreached {
		unreached[rule] = true
		add("no mutant reaches %s: whether it proves anything is not known", rule)
	}
	for _, rule := range m.Idle {
		if !unreached[rule] {
			add("no mutant breaks %s: it may prove nothing", rule)
		}
	}
	for _, route := range m.Unasked {
		add("%s is never asked as a stranger: no scenario was refused there", route)
	}
	for _, resource := range m.Unlimited {
		add("%s is written and in no budget", resource)
	}
	if m.Left > 0 {
		add("%s more of answers were not taken away: only the first of each route are", several(m.Left, "member"))
	}
	return gaps
}

func (t *text) wireConclusion(m Wire) string {
	if m.Matrix.Interrupted {
		return "interrupted, so there is no verdict on the other mutants"
	}
	mutants, rules := m.Matrix.Percent()
	said := fmt.Sprintf("%.1f %% of the mutants are noticed, and %d of %s break under one (%.1f %%)", mutants,
		len(m.Matrix.Rules)-len(m.Matrix.Idle), several(len(m.Matrix.Rules), "rule"), rules)
	if m.Outcome() == verify.Failed {
		return t.colored(red, fmt.Sprintf("%s: one of the two is less than %g %%", said, m.Least))
	}
	return said
}

// WireJSON writes all matrices as one document, which ReadMatrices reads too. Durations are in milliseconds. version is
// the version of storespec that ran.
func WireJSON(w io.Writer, matrices []Wire, version string) error {
	doc := Matrices{Storespec: version, Outcome: verify.Skipped, Systems: []matrixView{}}
	for _, m := range matrices {
		view := wireView{System: m.System, Outcome: m.Outcome(), Error: textOf(m.Err),
			Counts: map[mutant.Verdict]int{}, Gaps: []string{}, Mutants: []wireMutantView{}}
		if m.judged() {
			view.wireFacts = factsOf(m.Matrix)
			view.Server, view.Interrupted, view.Duration = m.Matrix.Server, m.Matrix.Interrupted,
				milliseconds(m.Matrix.Duration)
			view.Counts, view.Gaps = m.Matrix.Counts(), wireGaps(m.Matrix)
			view.Noticed, view.Breaking = m.Matrix.Percent()
			for _, result := range m.Matrix.Mutants {
				view.Mutants = append(view.Mutants, wireMutantView{result, result.String(), textOf(result.Err)})
			}
		}
		doc.Wire = append(doc.Wire, view)
		doc.Outcome = verify.Worse(doc.Outcome, view.Outcome)
	}
	return writeJSON(w, doc)
}

type wireView struct {
	System      string                 `json:"system"`
	Outcome     verify.Outcome         `json:"outcome"`
	Error       string                 `json:"error,omitempty"` // why no mutant could be judged
	Server      string                 `json:"server,omitempty"`
	Interrupted bool                   `json:"interrupted,omitempty"`
	Duration    float64                `json:"durationMs"`
	Noticed     float64                `json:"noticed"`  // mutants, in percent
	Breaking    float64                `json:"breaking"` // rules that break under a mutant, in percent
	Counts      map[mutant.Verdict]int `json:"counts"`
	Gaps        []string               `json:"gaps"` // sentences
	wireFacts
	Mutants []wireMutantView `json:"mutants"`
}

type wireFacts struct {
	Rules     []string `json:"rules"`
	Idle      []string `json:"rulesThatNoMutantBreaks"`
	Unreached []string `json:"rulesThatNoMutantReaches"`
	Unasked   []string `json:"routesThatRefuseNobody"`
	Unlimited []string `json:"writtenAndInNoBudget"`
	Left      int      `json:"membersNotTakenAway,omitempty"`
}

func factsOf(m *wiremutant.Matrix) wireFacts {
	list := func(names []string) []string { return append([]string{}, names...) } // [] instead of null
	return wireFacts{list(m.Rules), list(m.Idle), list(m.Unreached), list(m.Unasked), list(m.Unlimited), m.Left}
}

type wireMutantView struct {
	wiremutant.Result
	What  string `json:"mutant"`
	Error string `json:"error,omitempty"`
}
