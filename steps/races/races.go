package races

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cases"
)

var aRequest = regexp.MustCompile(`^` + scenario.MethodAndPath + `$`)

// checkRace checks the lines of a race as written in the file, placeholders included.
func checkRace(table *godog.Table) error {
	columns, err := cases.RaceColumns(table)
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, cell := range table.Rows[0].Cells {
		at[cell.Value] = i
	}
	for _, name := range columns {
		if _, ok := at[name]; !ok {
			return fmt.Errorf("the table has no column %q", name)
		}
	}
	var wrong []error
	for i, row := range table.Rows[1:] {
		cell := func(column string) string {
			if at, ok := at[column]; ok {
				return row.Cells[at].Value
			}
			return ""
		}
		refuse := func(column string, err error) {
			wrong = append(wrong, &scenario.CellError{Row: i + 1, Column: at[column], Err: err})
		}
		if sent := cell("method") + " " + cell("path"); !aRequest.MatchString(sent) {
			refuse("method", fmt.Errorf("%q is not a request", sent))
		}
		if body := cell("body"); body != "" {
			if _, err := scenario.NotJSON(body); err != nil {
				refuse("body", err)
			}
		}
		if header := cell("header"); header != "" {
			if _, err := cases.Header(header); err != nil {
				refuse("header", err)
			}
		}
	}
	return errors.Join(wrong...)
}

// aRace is the text of the step that runs the requests of a table at the same time.
const aRace = `these run at the same time`

// Words returns the steps that send requests at the same time, in each order of their storage calls, and judge the
// answers.
func Words() []scenario.Step {
	return []scenario.Step{
		scenario.On(aRace,
			"When these run at the same time\n| who | method | path | body |\n| Ben | POST | "+
				"/api/group/join | {\"groupId\":\"{Family}\"} |\n| Ana | POST | /api/group/remove-member | "+
				"{\"groupId\":\"{Family}\",\"userKey\":\"{Ben.userKey}\"} |", cases.RunTogether).Checked(checkRace).
			Rows().Sends(2).InCases(),
		scenario.On(`each answer is one of (\d{3}(?:, \d{3})*)`, `Then each answer is one of 200, 409`,
			eachAnswerIsOneOf).After(1),
		scenario.On(`some answer is (\d{3})`, `Then some answer is 200`, someAnswerIs).After(1),
		scenario.On(`where (\w+) was answered (\d{3}), (the row .+ has|the blob .+ has|the partition .+ holds, in `+
			`this order)`,
			"Then where Ana was answered 200, the row Groups {Family} / {Family} has\n| groupName | Smiths |",
			whereAnswered).After(1).Rows().Reviewed(oneOfThem),
	}
}

func eachAnswerIsOneOf(_ context.Context, requests *scenario.Requests, statuses string) error {
	all, err := requests.Together()
	for _, e := range all {
		if !slices.Contains(strings.Split(statuses, ", "), strconv.Itoa(e.Status)) {
			code, _ := e.JSON(e.System.ErrorCode).(string)
			err = errors.Join(err,
				fmt.Errorf("%s's %s answered %s, none of %s", e.Person, e, scenario.Answered(e.Status, code), statuses))
		}
	}
	return err
}

func someAnswerIs(_ context.Context, requests *scenario.Requests, status int) error {
	all, err := requests.Together()
	if err != nil || slices.ContainsFunc(all, func(e *scenario.RoundTrip) bool { return e.Status == status }) {
		return err
	}
	return fmt.Errorf("none of %d requests was answered %d", len(all), status)
}

// oneOfThem checks that a person sends exactly one of the requests that run at the same time.
func oneOfThem(d *scenario.Draft, _ *godog.Step, groups []string) error {
	race := d.LatestSender()
	if race == nil || race.Text != aRace {
		return nil
	}
	theirs := slices.DeleteFunc(scenario.Column(race.Argument.DataTable, "who"),
		func(who string) bool { return who != groups[0] })
	return sendsOne(groups[0], len(theirs))
}

// sendsOne returns an error unless the person sent one request: each has an answer of its own.
func sendsOne(name string, requests int) error {
	switch {
	case requests == 0:
		return scenario.Misused("%s sent nothing at the same time as others", name)
	case requests > 1:
		return scenario.Misused("%s sent %d of these requests, each with an answer of its own: let different people "+
			"send them", name, requests)
	}
	return nil
}

// whereAnswered checks the store against what a person was answered: the step after the comma is judged if that was the
// answer.
func whereAnswered(ctx context.Context, w *scenario.World, name string, status int, claim string,
	table *godog.Table) error {
	all, err := w.Requests.Together()
	if err != nil {
		return err
	}
	theirs := slices.DeleteFunc(all, func(e *scenario.RoundTrip) bool { return e.Person != name })
	if err := sendsOne(name, len(theirs)); err != nil {
		return err
	}
	if theirs[0].Status != status {
		return nil
	}
	return w.Stage.Suite().Vocabulary.Run(ctx,
		&godog.Step{Text: claim, Argument: &messages.PickleStepArgument{DataTable: table}}, w)
}
