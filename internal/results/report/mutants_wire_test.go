package report

import (
	"errors"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/prove/wiremutant"
	"github.com/storespec/storespec/internal/verify"
)

// wired is a matrix in which each kind of gap stands once.
func wired() *wiremutant.Matrix {
	on := func(kind wiremutant.Kind, table string) wiremutant.Mutant {
		return wiremutant.Mutant{Kind: kind, Service: "table", Resource: table}
	}
	asked := []string{"R-A-1", "R-A-2", "R-A-3", "R-A-4", "R-A-5"}
	return &wiremutant.Matrix{
		Mutants: []wiremutant.Result{
			{Mutant: on(wiremutant.Lost, "Notes"), Verdict: mutant.Killed, Asked: asked, Noticed: []wiremutant.Notice{
				{Rule: "R-A-1", Kill: mutant.Kill{Where: "a.feature:3", Outcome: verify.Failed}},
				{Rule: "R-A-2", Kill: mutant.Kill{Where: "a.feature:9", Outcome: verify.NotPrepared}}}},
			{Mutant: on(wiremutant.Stale, "Notes"), Verdict: mutant.Survived, Asked: asked},
			{Mutant: on(wiremutant.Lost, "Audit"), Verdict: mutant.Errored, Asked: asked, Err: errors.New("it ended")},
			{Mutant: on(wiremutant.Repeated, "Audit"), Verdict: mutant.NotJudged, Asked: asked,
				Err: errors.New("skipped")},
			{Mutant: wiremutant.Mutant{Kind: wiremutant.FieldTaken, Route: "GET /notes", Field: "color"},
				Verdict: wiremutant.LeftOpen, Asked: asked},
		},
		Rules: []string{"R-A-1", "R-A-2", "R-A-3", "R-A-4"}, Idle: []string{"R-A-3", "R-A-4"},
		Unreached: []string{"R-A-4"}, Unasked: []string{"GET /notes"}, Unlimited: []string{"Stock"}, Left: 2,
	}
}

func TestWireTextSaysWhatIsMissing(t *testing.T) {
	var text strings.Builder
	if err := JudgmentText(&text, Wire{Judged: Judged{System: "notes"}, Matrix: wired()}, Look{}); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"writes to Notes are lost            killed      R-A-1 a.feature:3, R-A-2 a.feature:9 (not prepared)\n",
		"no rule notices when reads of Notes miss the last write (asked: R-A-1, R-A-2, R-A-3, and 2 more)\n",
		"whether a rule notices when writes to Audit are lost is not known: it ended\n",
		"whether a rule notices when writes to Audit are made twice is not known: skipped\n",
		"no mutant breaks R-A-3: it may prove nothing\n",
		"no mutant reaches R-A-4: whether it proves anything is not known\n",
		"GET /notes is never asked as a stranger: no scenario was refused there\n",
		"Stock is written and in no budget\n",
		"2 members more of answers were not taken away: only the first of each route are\n",
		"5 mutants at the wire in 0s: 1 killed, 1 survived, 1 left open, 1 not judged, 1 error\n",
		"notes: 25.0 % of the mutants are noticed, and 2 of 4 rules break under one (50.0 %)\n",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("it lacks %q:\n%s", line, text.String())
		}
	}
	if strings.Contains(text.String(), "breaks R-A-4") {
		t.Error("a rule that no mutant reaches is said to prove nothing")
	}
}

func TestHowManyMutantsAtTheWireMustBeNoticed(t *testing.T) {
	interrupted := wired()
	interrupted.Interrupted = true
	for _, test := range []struct {
		name string
		wire Wire
		want verify.Outcome
	}{
		{"any", Wire{Matrix: wired()}, verify.Passed},
		{"fewer than there are", Wire{Matrix: wired(), Least: 25}, verify.Passed},
		{"more mutants", Wire{Matrix: wired(), Least: 26}, verify.Failed},
		{"nothing to notice", Wire{Matrix: &wiremutant.Matrix{}, Least: 100}, verify.Passed},
		{"interrupted", Wire{Matrix: interrupted, Least: 100}, verify.Unfinished},
		{"not judged", Wire{Matrix: &wiremutant.Matrix{}, Judged: Judged{Err: errors.New("no")}}, verify.Errored},
	} {
		if got := test.wire.Outcome(); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	all := wired()
	all.Mutants = all.Mutants[:1]
	if got := (Wire{Matrix: all, Least: 60}).Outcome(); got != verify.Failed {
		t.Errorf("every mutant is noticed, and half of the rules break: %s", got)
	}
}

func TestWireJSONIsReadAgain(t *testing.T) {
	var doc strings.Builder
	if err := JudgmentsJSON(&doc, []Wire{{Judged: Judged{System: "notes"}, Matrix: wired()}}, "v1"); err != nil {
		t.Fatal(err)
	}
	read, err := ReadMatrices("x", strings.NewReader(doc.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Wire) != 1 || len(read.Wire[0].Mutants) != 5 || read.Wire[0].Mutants[0].Noticed[1].Rule != "R-A-2" ||
		read.Wire[0].Mutants[2].Error != "it ended" || len(read.Wire[0].Gaps) != 8 {
		t.Errorf("read: %+v", read.Wire)
	}
}
