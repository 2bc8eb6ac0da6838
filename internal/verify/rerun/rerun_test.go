package rerun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/verify/baseline"
)

func named(name string) baseline.Case { return baseline.Case{Rule: "X-1", Scenario: name} }

// names returns the scenarios that are remembered of a system.
func names(l List, system string) string {
	var all []string
	for _, one := range l[system] {
		all = append(all, one.Scenario)
	}
	return strings.Join(all, ",")
}

func TestNote(t *testing.T) {
	everything := Extent{proof.FullFaults, 50}
	quick := Extent{proof.NoFaults, 4}
	for _, test := range []struct {
		name   string
		extent Extent
		judged []Judged
		want   string
	}{
		{"nothing was judged", everything, nil, "deep,plain"},
		{"one passes", everything, []Judged{{Case: named("plain")}}, "deep"},
		{"all pass", everything, []Judged{{Case: named("plain")}, {Case: named("deep")}}, ""},
		{"a new one fails", everything, []Judged{{Case: named("new"), Fails: true}}, "deep,new,plain"},
		{"one fails again", everything, []Judged{{Case: named("plain"), Fails: true}}, "deep,plain"},
		{"a quick run tries no faults", quick, []Judged{{Case: named("plain")}, {Case: named("deep")}}, "deep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			list := List{"other": {{Case: named("kept")}}}
			list.Note("one", Extent{proof.DefaultFaults, 10}, []Judged{{Case: named("plain"), Fails: true},
				{Case: named("deep"), Fails: true, InCases: true}, {Case: named("gone"), Fails: true},
				{Case: named("passed")}},
				func(baseline.Case) bool { return true })
			list.Note("one", test.extent, test.judged, func(c baseline.Case) bool { return c.Scenario != "gone" })
			if got := names(list, "one"); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if names(list, "other") != "kept" {
				t.Error("another system's scenario was forgotten")
			}
		})
	}
}

// A failure in a case that only a thorough run tries is not replaced by one outside of the cases, neither in a quick
// run nor in one that is as thorough.
func TestNoteKeepsHowThoroughlyItFailed(t *testing.T) {
	for _, second := range []Extent{{proof.NoFaults, 9}, {proof.FullFaults, 9}} {
		list := List{}
		all := func(baseline.Case) bool { return true }
		list.Note("one", Extent{proof.FullFaults, 9}, []Judged{{Case: named("a"), Fails: true, InCases: true}}, all)
		list.Note("one", second, []Judged{{Case: named("a"), Fails: true}}, all)
		list.Note("one", Extent{proof.DefaultFaults, 9}, []Judged{{Case: named("a")}}, all)
		if got := names(list, "one"); got != "a" {
			t.Errorf("after it failed again in %v, a run without those faults forgot it: %q", second, got)
		}
		list.Note("one", Extent{proof.FullFaults, 9}, []Judged{{Case: named("a")}}, all)
		if got := names(list, "one"); got != "" {
			t.Errorf("it passed in a run as thorough as the first, and is still there: %q", got)
		}
	}
}

func TestReadIsTheReverseOfWrite(t *testing.T) {
	list := List{"none": nil, "one": {
		{Case: baseline.Case{Rule: "X-1", Scenario: "a <b>", Example: map[string]string{"n": "4"}}},
		{Case: named("deep"), Cases: &Extent{proof.DefaultFaults, 7}},
	}}
	path := filepath.Join(t.TempDir(), "failed.json")
	var text strings.Builder
	if err := list.Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(list, read); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

func TestRead(t *testing.T) {
	if list, err := Read(filepath.Join(t.TempDir(), "nowhere")); err != nil || len(list) != 0 {
		t.Errorf("no file: %v, %v", list, err)
	}
	letter := filepath.Join(t.TempDir(), "letter")
	if err := os.WriteFile(letter, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := Read(filepath.Join(letter, "failed.json")); err != nil || len(list) != 0 {
		t.Errorf("no directory: %v, %v", list, err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"no JSON": {"{",
			"failed.json: the list of failed scenarios cannot be read: unexpected end of JSON input"},
		"another format": {`{"format":2}`, "its format is 2, and this storespec reads 1"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "failed.json")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Read(path); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
