package mutant

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/prove/mutation"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/source/yamldoc"
	"github.com/storespec/storespec/internal/verify"
)

func mutants(names ...string) (all []*mutation.Mutant) {
	for _, name := range names {
		all = append(all, &mutation.Mutant{Name: name, What: "change of " + name})
	}
	return all
}

func excusesIn(t *testing.T, text string) (*Excuses, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "survivors.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return ReadExcuses(path)
}

const excused = `survivors:
  - kind: equivalent
    reason: the value is the same
    mutants:
      a/x-1: change of a/x-1
  - kind: not demanded
    reason: only speed
    design: "It may be cached."
    mutants:
      b/x-1: change of b/x-1
`

func TestASampleIsTheSameForASeed(t *testing.T) {
	all := mutants("a/x-1", "a/x-2", "b/x-1", "b/x-2", "c/x-1", "c/x-2", "d/x-1", "d/x-2")
	sample := func(seed uint64) (names []string) {
		chosen, err := Generation{Sample: 3, Seed: seed}.of(all)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range chosen {
			names = append(names, m.Name)
		}
		return names
	}
	if one := sample(1); len(one) != 3 || !slices.IsSorted(one) || !slices.Equal(one, sample(1)) {
		t.Errorf("seed 1 takes %q, then %q", one, sample(1))
	}
	seen := map[string]bool{}
	for seed := range uint64(20) {
		for _, name := range sample(seed) {
			seen[name] = true
		}
	}
	if len(seen) != len(all) {
		t.Errorf("20 seeds take only %v", seen)
	}
	if only, err := (Generation{Only: []string{"b/", "c/x-2"}}).of(all); err != nil || len(only) != 3 {
		t.Errorf("--only takes %d, %v", len(only), err)
	}
	if _, err := (Generation{Only: []string{"e/"}}).of(all); !errors.As(err, new(*UnknownMutantError)) {
		t.Errorf("a name of none: %v", err)
	}
}

// Those for another system to judge are deleted from what is chosen; the list of survivors is held against all.
func TestWhatIsChosenIsApartFromAll(t *testing.T) {
	all := mutants("a/x-1", "b/x-1")
	chosen, err := Generation{}.of(all)
	if err != nil {
		t.Fatal(err)
	}
	chosen = slices.DeleteFunc(chosen, func(m *mutation.Mutant) bool { return m.Name == "a/x-1" })
	if len(chosen) != 1 || all[0] == nil || all[1] == nil {
		t.Errorf("of %v, %v is left", all, chosen)
	}
}

func TestScoreLeavesOutWhatIsExcused(t *testing.T) {
	excuses, err := excusesIn(t, excused)
	if err != nil {
		t.Fatal(err)
	}
	all := mutants("a/x-1", "b/x-1", "c/x-1", "c/x-2")
	s := Score{}
	for i, verdict := range []Verdict{Survived, NotReached, Killed, Survived} {
		s.Mutants = append(s.Mutants, Generated{Mutant: all[i], Verdict: verdict, Excuse: excuses.of(all[i].Name)})
	}
	if counts, excused := s.Counts(); excused != 2 || counts[Survived] != 2 || s.Percent() != 50 {
		t.Errorf("%d excused of %v: %g %%", excused, counts, s.Percent())
	}
	if wrong := excuses.wrong(all, s.Mutants); len(wrong) > 0 {
		t.Errorf("%q", wrong)
	}
}

func TestAWrongExcuseIsReported(t *testing.T) {
	excuses, err := excusesIn(t, excused)
	if err != nil {
		t.Fatal(err)
	}
	changed := mutants("b/x-1")
	changed[0].What = "another change"
	for name, test := range map[string]struct {
		all    []*mutation.Mutant
		killed string
		want   string
	}{
		"killed": {mutants("a/x-1", "b/x-1"), "a/x-1", ":5: a/x-1: it no longer survives"},
		"gone":   {mutants("b/x-1"), "", ":5: a/x-1: no mutant has this name"},
		"another": {append(mutants("a/x-1"), changed...), "",
			`:10: b/x-1: its change is "another change", not "change of b/x-1"`},
	} {
		var judged []Generated
		for _, m := range test.all {
			if m.Name == test.killed {
				judged = append(judged, Generated{Mutant: m, Verdict: Killed})
			}
		}
		if wrong := excuses.wrong(test.all, judged); len(wrong) != 1 || !strings.HasSuffix(wrong[0], test.want) {
			t.Errorf("%s: %q, want …%s", name, wrong, test.want)
		}
	}
}

func TestMalformedExcusesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"survivors: x":                          ":1:12: survivors must be a list",
		"survivors:\n  - reason: a":             ":2:5: the entry has no kind",
		"others: []":                            `:1: the list has an unknown key "others"`,
		excused + excused[len("survivors:\n"):]: ":14:7: a/x-1 appears twice",
		strings.Replace(excused, "kind: equivalent", "kind: hard", 1): `kind is "equivalent" or "not demanded", ` +
			`not "hard"`,
		strings.Replace(excused, "    design: \"It may be cached.\"\n", "", 1): ":6:5: the entry has no design",
		strings.Replace(excused, "      a/x-1: change of a/x-1\n", "", 1): ":2:5: the entry has no mutants, " +
			"each with its change",
	} {
		if _, err := excusesIn(t, text); !errors.As(err, new(*yamldoc.Error)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if none, err := ReadExcuses(filepath.Join(t.TempDir(), "none")); err != nil || len(none.List) != 0 {
		t.Errorf("without a file: %v, %v", none, err)
	}
}

func TestBatchesBeginWithWhatIsQuickAndHasKilled(t *testing.T) {
	var all []reached
	for i := range 20 {
		all = append(all, reached{Place: verify.Place{Rule: "X-A-1", Line: i},
			took: time.Duration(i+1) * time.Millisecond})
	}
	divided := batches(all, []verify.Place{{Rule: "X-A-1", Line: 19}})
	if len(divided) != 3 || divided[0][0].Line != 19 || divided[0][1].Line != 0 {
		t.Fatalf("%v", divided)
	}
	count := 0
	for _, batch := range divided {
		count += len(batch)
	}
	if count != len(all) {
		t.Errorf("%d of %d scenarios", count, len(all))
	}
	whole, named := &generation{}, &generation{choice: Generation{Only: []string{"a"}}}
	if len(whole.worth(&Excuse{}, divided)) != 1 || len(whole.worth(nil, divided)) != 3 ||
		len(named.worth(&Excuse{}, divided)) != 3 || len(whole.worth(&Excuse{}, divided[:1])) != 1 {
		t.Error("a mutant with an excuse is to be run under the quick scenarios, and under all when it is named")
	}
	if batches(nil, nil) != nil {
		t.Error("there is a batch without scenarios")
	}
	if one := batches(all[:1], nil); len(one) != 1 || len(one[0]) != 1 {
		t.Errorf("%v", one)
	}
}

func TestWhatKillsAGeneratedMutant(t *testing.T) {
	none := []verify.Outcome{verify.Passed}
	for name, test := range map[string]struct {
		ran  *verify.Result
		err  error
		want Verdict
	}{
		"a rule":                {ran(none, []verify.Outcome{verify.OverBudget}), nil, Killed},
		"no scenario":           {ran(none, none), nil, Survived},
		"what was skipped":      {ran([]verify.Outcome{verify.Skipped}, none), nil, Survived},
		"a server without life": {nil, &target.StartError{Reason: "it ended"}, NotRun},
		"no calls":              {ran(none, none), &verify.NoCallsError{}, Survived},
		"calls that fail":       {ran(none, []verify.Outcome{verify.Failed}), &verify.NoCallsError{}, Killed},
		"a server that is mute": {ran(none, none), &lane.UnresponsiveError{}, Errored},
		"a store that is gone":  {ran(none, none), errors.New("gone"), Errored},
	} {
		result := Generated{}
		verdict, _ := result.read(test.ran, test.err)
		if verdict != test.want || (result.Kill != nil) != (verdict == Killed) {
			t.Errorf("%s: %s, want %s", name, verdict, test.want)
		}
	}
}

// A scenario that takes far longer than on the unmutated server ends the run; one that is as quick does not.
func TestAMutantThatHangsIsEnded(t *testing.T) {
	stopped := make(chan struct{})
	slow := verify.Place{Rule: "X-A-1", Line: 3, Name: "GET /a"}
	fast := verify.Place{Rule: "X-A-1", Line: 3, Name: "GET /b"}
	both := []reached{{Place: slow, file: "x.feature", took: -2*time.Second + time.Millisecond}, {Place: fast}}
	w := newWatch(both, func() { close(stopped) })
	w.begins(slow)
	<-stopped
	late := w.end()
	if late == nil || late.Place != slow {
		t.Fatalf("late is %v", late)
	}
	if kill := tooLate(late); kill.Scenario != "GET /a" || kill.File != "x.feature" || kill.Line != 3 {
		t.Errorf("it is killed by %+v", kill)
	}
	quick := newWatch(both, func() { t.Error("a quick scenario is stopped") })
	quick.begins(fast)
	if late := quick.end(); late != nil {
		t.Errorf("late is %v", late)
	}
}
