package verify

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
)

// Only the scenarios that are wanted are run, and only the files of wanted rules are read.
func TestSelectChoosesScenarios(t *testing.T) {
	answer := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }
	o := options(t, open(t, store.Options{Name: "embedded", Lanes: 1}), answer, "Then the answer is 418")
	files := fstest.MapFS{}
	for i, rule := range []string{"T-T-1", "T-T-2"} {
		text := fmt.Sprintf("Feature: test\n\n  @%s\n  Rule: it holds\n    > It holds.\n", rule)
		for j := range 3 {
			text += fmt.Sprintf("\n    Scenario: number %d\n", j) +
				"      When Ana sends GET /\n      Then the answer is 418\n"
		}
		files[fmt.Sprintf("test/%d.feature", i)] = &fstest.MapFile{Data: []byte(text)}
	}
	var err error
	if o.Catalogue, err = Load(files, system.System{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	var lines []int
	o.Storeless = true
	o.Rules = []string{"T-T-2"}
	o.Select = func(at Place) bool { return at.Rule == "T-T-2" && at.Line != 11 }
	o.Begins = func(at Place) { lines = append(lines, at.Line) }
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{7, 15}; !slices.Equal(lines, want) || len(result.Rules) != 1 || len(result.Rules[0].Results) != 2 {
		t.Errorf("the scenarios in lines %v ran, not those in %v: %v", lines, want, result.Rules)
	}
	if got := (&run{options: o}).paths(); !slices.Equal(got, []string{"test/1.feature"}) {
		t.Errorf("it reads %q", got)
	}
	o.Rules = nil
	if got := (&run{options: o}).paths(); !slices.Equal(got, []string{"test/0.feature", "test/1.feature"}) {
		t.Errorf("without a rule it reads %q", got)
	}
	files["test/1.feature"].Data = append(files["test/1.feature"].Data, "\n    Scenario: later\n"+
		"      When 1 milliseconds pass\n      And Ana sends GET /\n      Then the answer is 418\n"...)
	if o.Catalogue, err = Load(files, system.System{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	if got := (&run{options: o}).paths(); !slices.Equal(got, []string{"test/1.feature", "test/0.feature"}) {
		t.Errorf("the longest is not read first: %q", got)
	}
}
