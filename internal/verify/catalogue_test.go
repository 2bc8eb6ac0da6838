package verify

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/internal/verify/baseline"
	"github.com/storespec/storespec/internal/wire"
)

func TestTheFeaturesLoad(t *testing.T) {
	c, err := Load(features.Files,
		system.System{Name: "familyscheduler", Tags: []string{"needs-idempotency-key"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range c.Rules {
		if !strings.HasPrefix(rule.ID, "FS-") || rule.Name == "" || rule.Clause == "" || len(rule.Scenarios) == 0 {
			t.Errorf("%s:%d: rule %q is not whole: %+v", rule.File, rule.Line, rule.ID, rule)
		}
	}
	if len(c.Rules) < 40 {
		t.Errorf("only %d rules were found", len(c.Rules))
	}
}

const gated = `Feature: F
  Background:
    Given the gated routes
      | route    | request |
      | GET /one | ?a=1    |
      | GET /two | ?a=2    |

  @XX-GATE-1 @every-route
  Rule: R
    > clause

    Scenario Outline: S
      When Ben calls <route> for Family
      Then the answer is 200

      Examples:
        | route    |
        | GET /one |
`

// refused is the text of a feature file that is refused, where and why.
type refused struct{ name, feature, where, reason string }

var refusedForms = []refused{
	{"a malformed file", "Feature: F\n  Rule: R\n    Scenario: S\n      Given a\n      Wenn something\n",
		"x/f.feature:5", "expected"},
	{"an empty file", "", "x/f.feature", "no feature"},
	{"a byte order mark", "\ufeffFeature: F\n", "x/f.feature:1",
		"it begins with a byte order mark: save it without"},
	{"a line that the parser cannot read", "Feature: F\n  " + strings.Repeat("x", longestLine), "x/f.feature:2",
		"the line has more than 65534 bytes"},
	{"a scenario outside of rules", "Feature: F\n  Scenario: S\n    Given Ana is a person\n", "x/f.feature:2",
		"outside of a Rule"},
	{"a rule without a tag", "Feature: F\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is a person\n",
		"x/f.feature:2", "the Rule has no id"},
	{"a rule without a clause", "Feature: F\n  @XX-A-1\n  Rule: R\n    Scenario: S\n      Given Ana is a person\n",
		"x/f.feature:3", "quotes no clause"},
	{"a rule without a scenario", "Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n", "x/f.feature:3", "no scenario"},
	{"a rule stated twice",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is a person\n  @XX-A-1\n  " +
			"Rule: R\n    > c\n    Scenario: S\n      Given Ana is a person\n", "x/f.feature:8", "defined twice"},
	{"a rule with two ids",
		"Feature: F\n  @XX-A-1 @XX-A-2\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is a person\n",
		"x/f.feature:2", "two ids, XX-A-1 and XX-A-2"},
	{"a scenario with the id of a rule",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    @XX-A-2\n    Scenario: S\n      Given Ana is a person\n",
		"x/f.feature:6", "has the tag of a rule"},
	{"a scenario without steps",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is a person\n    Scenario: T\n",
		"x/f.feature:7", "has no step"},
	{"two scenarios that are one",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is a person\n    Scenario: " +
			"S\n      Given Ben is a person\n", "x/f.feature:7",
		"two scenarios \"S\" with the same example, the first in line 5"},
}

var refusedSteps = []refused{
	{"an unknown step",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is sigend in\n",
		"x/f.feature:6", "no step reads"},
	{"a step without its table",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Then the answer has\n", "x/f.feature:6",
		"needs a table"},
	{"a table that the step does not take",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is a person\n        | a |\n",
		"x/f.feature:6", "takes no table"},
	{"a budget of an unknown class",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Then the storage calls are at most\n " +
			"       | service | call | on | count |\n        | table | wrote | T | 1 |\n", "x/f.feature:8",
		"wrote"},
	{"a race without a method",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      When these run at the same time\n    " +
			"    | who | path |\n        | Ana | /a |\n        | Ben | /a |\n", "x/f.feature:6",
		`the table has no column "method"`},
	{"a race of one", "Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      When these run at the " +
		"same time\n        | who | method | path |\n        | Ana | GET | /a |\n", "x/f.feature:6",
		"two or three requests"},
	{"a race by an unknown method",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      When these run at the same time\n    " +
			"    | who | method | path |\n        | Ana | GET | /a |\n        | Ana | FETCH | /a |\n",
		"x/f.feature:9", `"FETCH /a" is not a request`},
	{"a race with a column that none has",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      When these run at the same time\n    " +
			"    | who | method | path | bdy |\n" +
			"        | Ana | PUT | /a | {} |\n        | Ben | PUT | /a | {} |\n",
		"x/f.feature:6", `the table has a column "bdy"; its columns are who, method, path, and ` +
			"it may have body, key, header"},
	{"a race with half a body",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      When these run at the same time\n    " +
			"    | who | method | path | body |\n" +
			"        | Ana | PUT | /a | {\"id\" |\n        | Ben | PUT | /a | {} |\n",
		"x/f.feature:8", "the JSON ends too early"},
	{"a race with a header as steps have it",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      When these run at the same time\n    " +
			"    | who | method | path | header |\n        | Ana | PUT | /a | If-Match \"*\" |\n" +
			"        | Ben | PUT | /a | |\n",
		"x/f.feature:8", `the header "If-Match \"*\"" must be written like If-Match: *`},
	{"JSON with a comma too many",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n" +
			"      When Ana sends POST /a {\"id\":\"milk\",}\n",
		"x/f.feature:6", "the JSON is malformed: invalid character '}'"},
	{"a step of another system",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is signed in\n",
		"x/f.feature:6", `"Ana is signed in" is a step of familyscheduler`},
	{"a scenario that says of nothing how it must be",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      When Ana sends GET /notes\n      And " +
			"Ana sends GET /notes\n", "x/f.feature:5", "the scenario has no Then"},
}

var refusedTags = []refused{
	{"an unknown tag at a rule",
		"Feature: F\n  @XX-A-1 @shuold\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is a person\n",
		"x/f.feature:2",
		"unknown tag @shuold; known: @should, @reference, @every-route, @invariant, and at a Rule its id"},
	{"an unknown tag at a scenario",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    @referencee\n    Scenario: S\n      Given Ana is a person\n",
		"x/f.feature:5", "unknown tag @referencee"},
	{"an unknown tag at a feature",
		"@XX-A-1\nFeature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Given Ana is a person\n",
		"x/f.feature:1", "unknown tag @XX-A-1"},
	{"an invariant of two steps",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    @invariant\n    Scenario: S\n" +
			"      Given Ana is a person\n      Then the table Notes holds 1 row\n",
		"x/f.feature:6", "an @invariant is one Then and nothing else"},
	{"a rule of an invariant alone",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    @invariant\n    Scenario: S\n" +
			"      Then the table Notes holds 1 row\n",
		"x/f.feature:3", "XX-A-1 has no scenario"},
	{"a table without a cell",
		"Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      Then the answer has\n        |\n        |\n",
		"x/f.feature:7", "the table has no cell"},
	{"a budgeted route without a budget", budgeted, "x/f.feature:6",
		`the budgeted route POST /notes/{list} with drop has no budget: ` +
			`no scenario sends such a request and then says "the storage calls are at most"`},
	{"a gated route without a scenario", gated, "x/f.feature:6", "GET /two has no scenario under XX-GATE-1"},
}

// says reports whether an error is one mistake, at a line and with a reason that contains a text, and nothing else but
// what follows from it, or that a feature of these tests lacks a Then as most do.
func says(err error, where, reason string) bool {
	found, rest := source.All(err)
	is := func(one *source.Error) bool {
		line := source.Error{File: one.File, Line: one.Line}
		return line.Where() == where && strings.Contains(one.Reason, reason)
	}
	follows := regexp.MustCompile(`^the scenario has no Then|has no scenario|has two scenarios|^unknown tag @XX-A-2`)
	others := slices.DeleteFunc(slices.Clone(found), func(one *source.Error) bool {
		return is(one) || follows.MatchString(one.Reason)
	})
	return rest == nil && slices.ContainsFunc(found, is) && len(others) == 0
}

func TestLoadRefusesEverythingAtOnce(t *testing.T) {
	files := fstest.MapFS{
		"x/a.feature": {Data: []byte("Feature: F\n  @STK-1\n  Rule: R\n    > c\n    Scenario: S\n" +
			"      Given Ana is a person\n      When Ana sends POST /notes {\"id\":\"milk\"\n" +
			"      Then the anser is 200\n" +
			"      And the storage calls are at most\n        | service | call  | on    | count |\n" +
			"        | table   | reed  | Notes | 1     |\n        | tabel   | point | Notes | 1     |\n" +
			"        | table   | point read | Notes | one   |\n")},
		"x/b.feature": {Data: []byte("Feature: F\n  @XX-B-1 @shuold\n  Rule: R\n    Scenario: S\n" +
			"      Given Ana is a person\n")},
		"x/c.feature": {Data: []byte("Feature: F\n  @XX-C-1\n  Rule: R\n    > c\n    Scenario: S\n" +
			"      Given Ana is a person\n      Whenever\n      Thus\n")},
	}
	_, err := Load(files, system.System{Name: "x"})
	found, rest := source.All(err)
	var got []string
	for _, one := range found {
		first, _, _ := strings.Cut(one.Error(), "; ")
		first, _, _ = strings.Cut(first, ", got ")
		got = append(got, first)
	}
	want := []string{
		"x/a.feature:2:3: @STK-1 is not the id of a rule: an id has three parts, such as @STK-LIST-1",
		"x/a.feature:7:46: the JSON ends too early",
		`x/a.feature:8:7: no step reads "the anser is 200"`,
		`x/a.feature:11:21: the call "reed" of a budget is not one of the table calls: ` +
			strings.Join(wire.Words(stores.Protocol("table")), ", "),
		`x/a.feature:12:11: the service "tabel" of a budget is neither ` + "table nor blob nor dynamodb nor kv",
		`x/a.feature:13:42: the count "one" of a budget is not a whole number`,
		"x/b.feature:2:11: unknown tag @shuold",
		"x/b.feature:3:3: XX-B-1 quotes no clause of the design in lines that start with >",
		"x/b.feature:4:5: the scenario has no Then: it would pass whatever the server does",
		"x/c.feature:7:7: expected: #EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, " +
			"#ScenarioLine, #RuleLine, #Comment, #Empty",
		"x/c.feature:8:7: expected: #EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, " +
			"#ScenarioLine, #RuleLine, #Comment, #Empty",
	}
	if diff := cmp.Diff(want, got); diff != "" || rest != nil {
		t.Errorf("refused (-want +got):\n%s%v", diff, rest)
	}
}

func TestIDsAreSuggestedFromWhatIsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"@STK-1": "@STK-LIST-1", "@stk-list-4": "@STK-LIST-4", "@NOTES_ADD": "@NOTES-ADD-1", "notes": "@NOTES-LIST-1",
		"@12": "@NOTES-LIST-12", "@A-B-C-7": "@A-B-7",
	} {
		if got := idLike(text); got != want || !ruleTag.MatchString(got) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, test := range slices.Concat(refusedForms, refusedSteps, refusedTags) {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load(fstest.MapFS{"x/f.feature": {Data: []byte(test.feature)}},
				system.System{Name: "x", Store: "azure"})
			if !says(err, test.where, test.reason) {
				t.Errorf("error %v, want %q at %q", err, test.reason, test.where)
			}
		})
	}
}

func TestOnlyWhatCouldNotBeReadMayHaveACase(t *testing.T) {
	whole := "Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n      When Ana sends GET /a\n" +
		"      Then the answer is 200\n"
	files := fstest.MapFS{
		"x/a.feature": {Data: []byte(whole + "  @XX-A-2\n  Rule: R\n    > c\n")},
		"x/b.feature": {Data: []byte(strings.ReplaceAll(whole, "-A-", "-B-") + "    Scenario Outline: T\n" +
			"      When Ana sends GET /<a>\n      Then the answer is 200\n      Examples:\n        | a |\n")},
	}
	c, err := Load(files, system.System{Name: "x"})
	if !says(err, "x/b.feature:11", "the Examples have no rows") || !c.Partial() {
		t.Errorf("error %v", err)
	}
	if found, _ := source.All(err); len(found) != 2 ||
		found[0].Error() != "x/a.feature:9:3: XX-A-2 has no scenario" {
		t.Errorf("found %v", found)
	}
	for _, test := range []struct {
		rule, scenario string
		want           bool
	}{
		{"XX-A-1", "S", true}, {"XX-A-1", "T", false}, {"XX-B-1", "S", true}, {"XX-B-1", "T", true},
		{"XX-C-1", "S", true},
	} {
		if got := c.MayHave(baseline.Case{Rule: test.rule, Scenario: test.scenario}); got != test.want {
			t.Errorf("%s %s: %v", test.rule, test.scenario, got)
		}
	}
	delete(files, "x/b.feature")
	files["x/a.feature"] = &fstest.MapFile{Data: []byte(whole)}
	if c, err := Load(files, system.System{Name: "x"}); err != nil || c.Partial() ||
		c.MayHave(baseline.Case{Rule: "XX-C-1", Scenario: "S"}) {
		t.Errorf("what is read whole may have anything: %v", err)
	}
	if c, err := Load(files, system.System{Name: "y"}); !says(err, "y", "there is no feature file") || !c.Partial() {
		t.Errorf("without a file: %+v, %v", c, err)
	}
}

func TestStepsOfTheBaseAreKnown(t *testing.T) {
	files := fstest.MapFS{"x/f.feature": {Data: []byte("Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n" +
		"    Scenario: S\n      Given Ana is signed in\n      When Ana sends GET /a\n      Then the answer is 200\n")}}
	for _, test := range []struct {
		name string
		s    system.System
		want bool
	}{
		{"no base", system.System{Name: "x", Store: "azure"}, false},
		{"another base", system.System{Name: "x", Store: "azure", Base: "actions"}, false},
		{"the base", system.System{Name: "x", Store: "azure", Base: "familyscheduler"}, true},
		{"a description that could not be read", system.System{Name: "x"}, true},
	} {
		_, err := Load(files, test.s)
		refused := says(err, "x/f.feature:6", `"Ana is signed in" is a step of familyscheduler`)
		if refused == test.want {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestLoadRefusesADirectoryAsAFile(t *testing.T) {
	_, err := Load(fstest.MapFS{"x/f.feature/g": {}}, system.System{Name: "x"})
	if !says(err, "x/f.feature", "") {
		t.Errorf("a directory with the name of a feature file: %v", err)
	}
}

func TestLoadTakesEveryGatedRoute(t *testing.T) {
	whole := strings.Replace(gated, "        | GET /one |\n", "        | GET /one |\n        | GET /two |\n", 1)
	whole += "# " + strings.Repeat("x", longestLine-3) + "\n"
	if _, err := Load(fstest.MapFS{"x/f.feature": {Data: []byte(whole)}}, system.System{Name: "x"}); err != nil {
		t.Errorf("with both routes: %v", err)
	}
}
