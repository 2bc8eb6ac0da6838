package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/verify"
)

// Scored is the score of the generated mutants of one system.
type Scored struct {
	System string
	Score  *mutant.Score // nil if no mutant could be judged
	Err    error         // why
	Least  float64       // the lowest score that passes, in percent
}

func (s Scored) judged() bool { return s.Score != nil && s.Err == nil }

// Outcome returns Passed if the score is high enough and nothing is wrong with the list of survivors.
func (s Scored) Outcome() verify.Outcome {
	switch {
	case !s.judged():
		return verify.Errored
	case s.Score.Interrupted:
		return verify.Unfinished
	case s.Score.Percent() < s.Least || len(s.Score.Wrong) > 0:
		return verify.Failed
	}
	return verify.Passed
}

// ScoreText writes a score for people: a line per mutant, then those that were not killed, each with what it changes,
// then the counts. A score with an error is not shown, as in Text.
func ScoreText(w io.Writer, s Scored, o Options) error {
	return ifJudged(w, s.judged(), o, func(t *text) {
		t.generated(s.Score.Mutants)
		for _, one := range s.Score.Mutants {
			if one.Verdict != mutant.Killed {
				t.survivor(one)
			}
		}
		t.line(0, "")
		for _, wrong := range s.Score.Wrong {
			t.line(0, "%s", t.colored(red, wrong))
		}
		counts, excused := s.Score.Counts()
		parts := countsOf(counts, []mutant.Verdict{mutant.Killed, mutant.Survived, mutant.NotReached, mutant.NotRun,
			mutant.Errored}, t.verdictOf)
		t.line(0, "%s of %d in %s: %s; %d in the list of survivors", several(len(s.Score.Mutants), "generated mutant"),
			s.Score.Total, s.Score.Duration.Round(100*time.Millisecond), strings.Join(parts, ", "), excused)
		if s.Score.Unlinked > 0 {
			t.line(0, "%d more: the server does not contain their functions, or another system is asked about them",
				s.Score.Unlinked)
		}
		t.line(0, "%s: %s", s.System, t.scoreOf(s))
	})
}

// countsOf writes the verdicts that there are, with their numbers.
func countsOf(counts map[mutant.Verdict]int, order []mutant.Verdict,
	show func(mutant.Verdict) string) (parts []string) {
	for _, verdict := range order {
		if n := counts[verdict]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, show(verdict)))
		}
	}
	return parts
}

func (t *text) scoreOf(s Scored) string {
	score := fmt.Sprintf("score %.1f %%", s.Score.Percent())
	switch s.Outcome() {
	case verify.Passed:
		return t.colored(green, score)
	case verify.Unfinished:
		return "interrupted, so there is no verdict on the other mutants"
	}
	if s.Score.Percent() < s.Least {
		return t.colored(red, fmt.Sprintf("%s, which is less than %g %%", score, s.Least))
	}
	return t.colored(red, score+", but the list of survivors is wrong")
}

// generated writes the table of all mutants.
func (t *text) generated(all []mutant.Generated) {
	rows := "MUTANT\tVERDICT\tTIME\tCHANGE\tRULE AND SCENARIO THAT NOTICED\n"
	for _, one := range all {
		rows += fmt.Sprintf("%s\t%s\t%.1f s\t%s", one.Name, one.Verdict, one.Duration.Seconds(), one.What)
		if kill := one.Kill; kill != nil {
			rows += "\t" + one.Rule + " " + noticed(kill)
		}
		rows += "\n"
	}
	t.table(rows)
}

func (t *text) survivor(one mutant.Generated) {
	t.line(0, "")
	t.line(0, "%s %s", one.Name, t.verdictOf(one.Verdict))
	t.line(1, "%s", one.What)
	switch {
	case one.Excuse != nil:
		t.line(1, "%s: %s", one.Excuse.Kind, one.Excuse.Reason)
		return
	case one.Err != nil:
		t.line(1, "%v", one.Err)
	case one.Verdict == mutant.NotReached:
		t.line(1, "no scenario comes there")
	default:
		t.line(1, "scenarios that come there: %d; none notices", one.Asked)
	}
	t.line(1, "%s", one.Diff)
}

// ScoresJSON writes all scores as one document, which ReadMatrices reads too. Durations are in milliseconds. version is
// the version of storespec that ran.
func ScoresJSON(w io.Writer, scores []Scored, version string) error {
	doc := Matrices{Storespec: version, Outcome: verify.Skipped, Systems: []matrixView{}}
	for _, s := range scores {
		view := scoreView{System: s.System, Outcome: s.Outcome(), Error: textOf(s.Err),
			Counts: map[mutant.Verdict]int{}, Wrong: []string{}, Mutants: []generatedView{}}
		if s.Score != nil {
			view.Counts, view.Excused = s.Score.Counts()
			view.Score, view.Total, view.Unlinked = s.Score.Percent(), s.Score.Total, s.Score.Unlinked
			view.Interrupted, view.Duration = s.Score.Interrupted, milliseconds(s.Score.Duration)
			view.Wrong = append(view.Wrong, s.Score.Wrong...)
			for _, one := range s.Score.Mutants {
				view.Mutants = append(view.Mutants, generatedView{one, textOf(one.Err), milliseconds(one.Duration)})
			}
		}
		doc.Scores = append(doc.Scores, view)
		doc.Outcome = verify.Worse(doc.Outcome, view.Outcome)
	}
	return writeJSON(w, doc)
}

type scoreView struct {
	System      string                 `json:"system"`
	Outcome     verify.Outcome         `json:"outcome"`
	Error       string                 `json:"error,omitempty"` // why no mutant could be judged
	Interrupted bool                   `json:"interrupted,omitempty"`
	Duration    float64                `json:"durationMs"`
	Score       float64                `json:"score"`    // in percent
	Total       int                    `json:"total"`    // mutants that there are
	Unlinked    int                    `json:"unlinked"` // more, for other systems to judge
	Counts      map[mutant.Verdict]int `json:"counts"`
	Excused     int                    `json:"excused"`        // of these, not killed and in the list of survivors
	Wrong       []string               `json:"wrongInTheList"` // entries of that list
	Mutants     []generatedView        `json:"generated"`
}

// Left returns the mutants that were not killed.
func (s scoreView) Left() []generatedView {
	return slices.DeleteFunc(slices.Clone(s.Mutants), func(m generatedView) bool { return m.Verdict == mutant.Killed })
}

type generatedView struct {
	mutant.Generated
	Error    string  `json:"error,omitempty"`
	Duration float64 `json:"durationMs"`
}
