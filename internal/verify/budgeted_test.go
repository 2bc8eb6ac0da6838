package verify

import (
	"testing"
	"testing/fstest"

	"github.com/storespec/storespec/internal/system"
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
	catalogue, err := Load(fstest.MapFS{"x/f.feature": {Data: []byte(whole)}}, []string{"x"})
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
		"x/f.feature:3: the budgeted routes lack POST /other/{id}, which the contract has" {
		t.Errorf("a contract with another route: %v", err)
	}
}
