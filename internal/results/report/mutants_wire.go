package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/prove/wiremutant"
	"github.com/storespec/storespec/internal/verify"
)

// Wire is the result of the mutants at the wire for one system.
type Wire struct {
	Judged

	Matrix *wiremutant.Matrix // nil if no mutant could be judged
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
	return outcomeOf(true, m.Matrix.Interrupted, min(mutants, rules) >= m.Least)
}

// show writes a line per mutant, then what no rule notices, which rules prove nothing, and what the undisturbed run
// shows, then the counts.
func (m Wire) show(c *console) {
	rows := "MUTANT\tVERDICT\tRULES AND SCENARIOS THAT NOTICED\n"
	for _, result := range m.Matrix.Mutants {
		var noticed []string
		for _, one := range result.Noticed {
			noticed = append(noticed, fmt.Sprintf("%s %s%s", one.Rule, one.Where, notPrepared(one.Kill)))
		}
		rows += fmt.Sprintf("%s\t%s\t%s\n", result.Mutant, result.Verdict, firstOf(noticed))
	}
	c.table(rows)
	c.line(0, "")
	for _, gap := range wireGaps(m.Matrix) {
		c.line(0, "%s", gap)
	}
	c.counted(several(len(m.Matrix.Mutants), "mutant")+" at the wire", m.Matrix.Duration, m.Matrix.Counts(), "")
	mutants, rules := m.Matrix.Percent()
	said := fmt.Sprintf("%.1f %% of the mutants are noticed, and %d of %s break under one (%.1f %%)", mutants,
		len(m.Matrix.Rules)-len(m.Matrix.Idle), several(len(m.Matrix.Rules), "rule"), rules)
	c.conclude(m, said, plain, fmt.Sprintf("%s: one of the two is less than %g %%", said, m.Least))
}

// mostNoticed is how many rules a line shows.
const mostNoticed = 3

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

func (m Wire) addTo(doc *Matrices, view judgedView) {
	wire := wireView{judgedView: view, Counts: map[mutant.Verdict]int{}, Gaps: []string{}, Mutants: []wireMutantView{}}
	if m.judged() {
		wire.wireFacts = factsOf(m.Matrix)
		wire.Server, wire.Interrupted, wire.Duration = m.Matrix.Server, m.Matrix.Interrupted,
			milliseconds(m.Matrix.Duration)
		wire.Counts, wire.Gaps = m.Matrix.Counts(), wireGaps(m.Matrix)
		wire.Noticed, wire.Breaking = m.Matrix.Percent()
		for _, result := range m.Matrix.Mutants {
			wire.Mutants = append(wire.Mutants, wireMutantView{result, result.String(), textOf(result.Err)})
		}
	}
	doc.Wire = append(doc.Wire, wire)
}

type wireView struct {
	judgedView

	Noticed  float64                `json:"noticed"`  // mutants, in percent
	Breaking float64                `json:"breaking"` // rules that break under a mutant, in percent
	Counts   map[mutant.Verdict]int `json:"counts"`
	Gaps     []string               `json:"gaps"` // sentences
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
