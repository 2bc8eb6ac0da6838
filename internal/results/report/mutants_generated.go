package report

import (
	"fmt"
	"slices"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/verify"
)

// Scored is the score of the generated mutants of one system.
type Scored struct {
	Judged

	Score *mutant.Score // nil if no mutant could be judged
	Least float64       // the lowest score that passes, in percent
}

func (s Scored) judged() bool { return s.Score != nil && s.Err == nil }

// Outcome returns Passed if the score is high enough and nothing is wrong with the list of survivors.
func (s Scored) Outcome() verify.Outcome {
	judged := s.judged()
	return outcomeOf(judged, judged && s.Score.Interrupted,
		judged && s.Score.Percent() >= s.Least && len(s.Score.Wrong) == 0)
}

// show writes a line per mutant, then those that were not killed, each with what it changes, then the counts.
func (s Scored) show(c *console) {
	rows := "MUTANT\tVERDICT\tTIME\tCHANGE\tRULE AND SCENARIO THAT NOTICED\n"
	for _, one := range s.Score.Mutants {
		rows += fmt.Sprintf("%s\t%s\t%.1f s\t%s", one.Name, one.Verdict, one.Duration.Seconds(), one.What)
		if kill := one.Kill; kill != nil {
			rows += "\t" + one.Rule + " " + noticed(kill)
		}
		rows += "\n"
	}
	c.table(rows)
	for _, one := range s.Score.Mutants {
		if one.Verdict != mutant.Killed {
			c.survivor(one)
		}
	}
	c.line(0, "")
	for _, wrong := range s.Score.Wrong {
		c.line(0, "%s", c.colored(red, wrong))
	}
	counts, excused := s.Score.Counts()
	c.counted(fmt.Sprintf("%s of %d", several(len(s.Score.Mutants), "generated mutant"), s.Score.Total),
		s.Score.Duration, counts, fmt.Sprintf("; %d in the list of survivors", excused))
	if s.Score.Unlinked > 0 {
		c.line(0, "%d more: the server does not contain their functions, or they are for another system to judge",
			s.Score.Unlinked)
	}
	score := fmt.Sprintf("score %.1f %%", s.Score.Percent())
	failed := score + ", but the list of survivors is wrong"
	if s.Score.Percent() < s.Least {
		failed = fmt.Sprintf("%s, which is less than %g %%", score, s.Least)
	}
	c.conclude(s, score, green, failed)
}

func (c *console) survivor(one mutant.Generated) {
	c.line(0, "")
	c.line(0, "%s %s", one.Name, c.verdict(one.Verdict))
	c.line(1, "%s", one.What)
	switch {
	case one.Excuse != nil:
		c.line(1, "%s: %s", one.Excuse.Kind, one.Excuse.Reason)
		return
	case one.Err != nil:
		c.line(1, "%v", one.Err)
	case one.Verdict == mutant.NotReached:
		c.line(1, "no scenario reaches it")
	default:
		c.line(1, "scenarios that reach it: %d; none notices", one.Asked)
	}
	c.line(1, "%s", one.Diff)
}

func (s Scored) addTo(doc *Matrices, view judgedView) {
	score := scoreView{judgedView: view, Counts: map[mutant.Verdict]int{}, Wrong: []string{},
		Mutants: []generatedView{}}
	if s.Score != nil {
		score.Counts, score.Excused = s.Score.Counts()
		score.Score, score.Total, score.Unlinked = s.Score.Percent(), s.Score.Total, s.Score.Unlinked
		score.Interrupted, score.Duration = s.Score.Interrupted, milliseconds(s.Score.Duration)
		score.Wrong = append(score.Wrong, s.Score.Wrong...)
		for _, one := range s.Score.Mutants {
			score.Mutants = append(score.Mutants, generatedView{one, textOf(one.Err), milliseconds(one.Duration)})
		}
	}
	doc.Scores = append(doc.Scores, score)
}

type scoreView struct {
	judgedView

	Score    float64                `json:"score"`    // in percent
	Total    int                    `json:"total"`    // mutants that there are
	Unlinked int                    `json:"unlinked"` // more, for other systems to judge
	Counts   map[mutant.Verdict]int `json:"counts"`
	Excused  int                    `json:"excused"`        // of these, not killed and in the list of survivors
	Wrong    []string               `json:"wrongInTheList"` // entries of that list
	Mutants  []generatedView        `json:"generated"`
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
