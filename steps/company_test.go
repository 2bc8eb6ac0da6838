package steps

import (
	"testing"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/scenario"
)

// Whoever touches or looks at what all scenarios share runs alone.
func TestWhoRunsAlone(t *testing.T) {
	company := scenario.NewVocabulary(Themes()).Company([]string{"DailyMetrics", "/api/list?limit", "Counts("})
	for text, want := range map[string]bool{
		"Ana is signed in":                                                 false,
		"Ana sends GET /api/me/groups":                                     false,
		"Ana sends GET /api/list?limit=5":                                  true,
		"Ana sends GET /api/list?owner=a":                                  false,
		"Ana sends GET /api/lislimit":                                      false,
		"nothing was written":                                              false,
		"no storage call was made":                                         false,
		"there is no row Groups g / {A}":                                   false,
		"storage is down":                                                  true,
		"the store answers queries in pages of 2 rows":                     true,
		"OpenAI fails with 500":                                            true,
		"OpenAI was asked 1 time":                                          true,
		"the table Groups holds 1 row":                                     true,
		"a fresh target on an account that was never used":                 true,
		"the answer to the 2nd write of the next request is lost":          true,
		"no storage call was made, not even to create a table":             true,
		"there is no row DailyMetrics {month} / {today}":                   true,
		"the log holds no e-mail, session id, token or key":                true,
		"Ana and Ben send GET /api/me/groups at the same moment":           false,
		"Ana sends GET /api/me/groups, and any one storage call fails":     true,
		"Ana sends 50 times at once POST /api/chat {\"groupId\":\"x\"}":    false,
		"the row UserGroups {Ana.userKey} / {Family} has":                  false,
		"the partition {Family} of AppointmentsIndex holds, in this order": false,
	} {
		pickle := &godog.Scenario{Steps: []*godog.Step{{Text: "Ana is signed in"}, {Text: text}}}
		if got := company.Alone(pickle); got != want {
			t.Errorf("%q: alone %v, want %v", text, got, want)
		}
	}
	cells := []*messages.PickleTableCell{{Value: "table"}, {Value: "DailyMetrics"}}
	budget := &godog.Step{Text: "the storage calls are at most", Argument: &messages.PickleStepArgument{
		DataTable: &messages.PickleTable{Rows: []*messages.PickleTableRow{{Cells: cells}}},
	}}
	if !company.Alone(&godog.Scenario{Steps: []*godog.Step{budget}}) ||
		scenario.NewVocabulary(Themes()).Company(nil).Alone(&godog.Scenario{Steps: []*godog.Step{budget}}) {
		t.Error("a budget that names a shared table needs to be alone, and no other")
	}
}
