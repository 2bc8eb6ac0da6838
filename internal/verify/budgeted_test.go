package verify

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/storespec/storespec/internal/run/system"
)

const budgeted = `Feature: F
  Background:
    Given the budgeted routes
      | route              | with |
      | GET /notes         |      |
      | POST /notes/{list} | drop |

  @XX-COST-1
  Rule: R
    > clause

    Scenario: a list, and a note that is added
      Given Main stands for "main"
      When Ana sends GET /notes?of=ana
      Then no storage call was made
      When Ana sends POST /notes/{Main} {"do":"add"}
      Then no storage call was made

    Scenario: what is judged is another request
      Given Main stands for "main"
      When Ana sends POST /notes/{Main} {"do":"drop"}
      And Ana sends GET /notes
      Then no storage call was made

    Scenario: what is judged is one table
      Given Main stands for "main"
      When Ana sends POST /notes/{Main} {"do":"drop"}
      Then the storage calls on Notes are at most
        | service | call   | on    | count |
        | table   | delete | Notes | 1     |
`

func TestEveryBudgetedRouteHasABudget(t *testing.T) {
	whole := budgeted + "\n    Scenario: a note that is dropped\n      Given Main stands for \"main\"\n" +
		"      When Ana sends POST /notes/{Main} {\"do\":\"drop\"}\n      Then no storage call was made\n"
	catalogue, err := Load(fstest.MapFS{"x/f.feature": {Data: []byte(whole)}}, system.System{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	document := func(path string) []byte {
		return []byte("openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths:\n  /notes:\n    get: &notes\n" +
			"      responses: {'200': {description: notes}}\n  " + path + ":\n    post: *notes\n    parameters:\n" +
			"      - {name: id, in: path, required: true, schema: {type: string}}\n")
	}
	if err := catalogue.Check(system.System{Name: "x", Contract: document("/notes/{id}")}); err != nil {
		t.Errorf("a contract whose routes are listed: %v", err)
	}
	err = catalogue.Check(system.System{Name: "x", Contract: document("/other/{id}")})
	if err == nil || err.Error() !=
		"x/f.feature:3:5: the budgeted routes lack POST /other/{id}, which the contract has" {
		t.Errorf("a contract with another route: %v", err)
	}
}

func TestABudgetOnATableInAnotherCaseIsRefused(t *testing.T) {
	text := "Feature: F\n  @XX-A-1\n  Rule: R\n    > c\n    Scenario: S\n" +
		"      Given the row Stock a / b is\n        | n | 1 |\n" +
		"      When Ana sends GET /stock\n      Then the storage calls are at most\n" +
		"        | service | call       | on     | count |\n        | table   | point read | stock  | 1     |\n" +
		"        | table   | point read | Orders | 1     |\n" +
		"        | blob    | read       | stock  | 1     |\n" // a container, whose name must be in small letters
	catalogue, err := Load(fstest.MapFS{"x/f.feature": {Data: []byte(text)}}, system.System{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	want := `x/f.feature:11:34: no table is called "stock"; did you mean Stock? the tables of these features: Stock`
	if err := catalogue.Check(system.System{Name: "x"}); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	tables := catalogue.Tables(system.System{Tables: [][]byte{[]byte(`{"TableName":"T","AttributeDefinitions":[` +
		`{"AttributeName":"PK"}]}`), []byte("[]")}})
	if !slices.Equal(tables.Names(), []string{"Stock", "T"}) || !slices.Equal(tables.Columns("Stock"), []string{"n"}) ||
		!slices.Equal(tables.Columns("T"), []string{"PK"}) {
		t.Errorf("tables %v", tables)
	}
}
