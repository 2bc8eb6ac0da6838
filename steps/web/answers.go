package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// Answers returns the steps that judge the answer to a request.
func Answers() []scenario.Step {
	return []scenario.Step{
		scenario.On(`the answer is (\d{3})`, `Then the answer is 200`,
			func(_ context.Context, e *scenario.RoundTrip, status int) error {
				return e.Is(status, "")
			}),
		scenario.On(`the answer is (\d{3}(?:, \d{3})*) or (\d{3})`, `Then the answer is 200 or 201`, answerIsEither),
		scenario.On(`the answer is not a 5xx`, `Then the answer is not a 5xx`, answerIsNoServerError),
		scenario.On(`the answer is (\d{3}) (\w+)`, `Then the answer is 403 not_allowed`, answerIs),
		scenario.On(`both answers are (\d{3})(?: (\w+))?`, `Then both answers are 403 not_allowed`, bothAnswersAre).
			After(2),
		scenario.On(`one answer is (\d{3}) and the other (\d{3})`, `Then one answer is 200 and the other 400`,
			answersAre).After(2),
		scenario.On(`both answers are the same except for the trace id`,
			`Then both answers are the same except for the trace id`, answersEqual).After(2),
		scenario.On(`the answer has`, "Then the answer has\n| groupName | Smiths |\n| ok | true |", answerHas),
		scenario.On(`the answer lists, in this order`, "Then the answer lists, in this order\n| name |\n| checkout |",
			func(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, table *godog.Table) error {
				return answerLists(names, e, "", table, true)
			}).Rows(),
		scenario.On(`"([^"]+)" of the answer lists, in this order`,
			"Then \"groups\" of the answer lists, in this order\n| groupName | myStatus |",
			func(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, path string,
				table *godog.Table) error {
				return answerLists(names, e, path, table, true)
			}).Rows().Literal(1),
		scenario.On(`"([^"]+)" of the answer lists`, "Then \"groups\" of the answer lists\n| groupName | myStatus |",
			func(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, path string,
				table *godog.Table) error {
				return answerLists(names, e, path, table, false)
			}).Rows().Literal(1),
		scenario.On(`"([^"]+)" of the answer is empty`, `Then "groups" of the answer is empty`,
			func(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, path string) error {
				return answerLists(names, e, path, nil, false)
			}).Literal(1),
		scenario.On(`"([^"]+)" of the answer has the items`,
			"Then \"chats\" of the answer has the items\n| {Family} |", answerHasItems).Literal(1).
			Cells(scenario.EveryCell),
		scenario.On(`"([^"]+)" of the answer is in ascending order of "([^"]+)"`,
			`Then "groups" of the answer is in ascending order of "groupId"`, answerIsSorted(false)).Literal(1, 2),
		scenario.On(`"([^"]+)" of the answer is in descending order of "([^"]+)"`,
			`Then "events" of the answer is in descending order of "bot_event_uid"`, answerIsSorted(true)).
			Literal(1, 2),
		scenario.On(`"([^"]+)" of the answer matches "([^"]+)"`, `Then "id" of the answer matches "^[0-9A-Z]{26}$"`,
			answerMatches).Literal(1, 2),
		scenario.On(`the answer contains "([^"]*)"`, `Then the answer contains "owner"`, answerContains),
		scenario.On(`the answer does not contain "([^"]+)"`, `Then the answer does not contain "{Family}"`,
			answerLacks),
		scenario.On(`the answer says to retry later`, `Then the answer says to retry later`, answerSaysRetry),
		scenario.On(`"(\w+)" of the item of "([^"]+)" with "(\w+)" (\S+) is called (\w+)`,
			`And "userKey" of the item of "members" with "memberKey" {Gus} is called GusRow`, keepOf).Keeps("$5").
			Literal(2),
		scenario.On(`"([^"]+)" of the answer is called (\w+)`, `And "sessionId" of the answer is called Hunt`,
			keepMember).After(1).Keeps("$2").Literal(1),
	}
}

func answerHas(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, table *godog.Table) error {
	expected, err := names.Pairs(table)
	if err != nil {
		return err
	}
	for _, pair := range expected {
		if err := matching.MatchesMember(e.Parsed, pair.Name, pair.Value); err != nil {
			return matching.Placed(err, "%s of the answer to %s", pair.Name, e)
		}
	}
	return nil
}

// answerLists compares a list of objects with a table whose header names members. Every row must be in the list, and
// nothing else. Without a table the list must be empty.
func answerLists(names *scenario.Names, e *scenario.RoundTrip, path string, table *godog.Table, ordered bool) error {
	list, ok := e.JSON(path).([]any)
	if !ok {
		return fmt.Errorf("the answer to %s has no list %q", e, path)
	}
	var expected []map[string]string
	if table != nil {
		var err error
		if expected, err = names.Table(table); err != nil {
			return err
		}
	}
	if err := matching.HoldsSome(fmt.Sprintf("%q of the answer to %s", path, e), "item", len(list),
		len(expected)); err != nil {
		return fmt.Errorf("%w: %s", err, leftOver(names, list, expected))
	}
	if !ordered {
		i, err := matching.Pair(list, expected)
		return unlike(names, e, path, list, i, err)
	}
	for i, row := range expected {
		if _, err := matching.Nearest(list[i:i+1], row); err != nil {
			return unlike(names, e, path, list, i, err)
		}
	}
	return nil
}

// answerHasItems compares a list of texts with a table of one column, in any order.
func answerHasItems(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, path string,
	table *godog.Table) error {
	list, ok := e.JSON(path).([]any)
	if !ok {
		return fmt.Errorf("the answer to %s has no list %q", e, path)
	}
	if err := names.HasItems(list, table); err != nil {
		return matching.Placed(err, "%q of the answer to %s", path, e)
	}
	return nil
}

// unlike says that a row of the table, counted from 0, is like no item of a list; err is how the nearest one differs.
func unlike(names *scenario.Names, e *scenario.RoundTrip, path string, list []any, row int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%q of the answer to %s has no item like row %d of the table; the list is %s; "+
		"the nearest item differs: %w", path, e, row+1, shownList(names, list), err)
}

// leftOver says which items of a list the table does not expect, with the members that it names, and which rows have no
// item.
func leftOver(names *scenario.Names, list []any, expected []map[string]string) string {
	if len(expected) == 0 {
		return shownList(names, list)
	}
	left, lone := matching.Unpaired(list, expected)
	var said []string
	for _, item := range left {
		said = append(said, "not expected: "+names.Shown(matching.Only(item, expected[0])))
	}
	for _, row := range lone {
		said = append(said, fmt.Sprintf("row %d of the table has no item", row+1))
	}
	return strings.Join(said, "; ")
}

// shownList returns a list of an answer without secrets, cut to fit a line.
func shownList(names *scenario.Names, list []any) string {
	return matching.Cut(names.Shown(matching.MustJSON(list)))
}

func answerLacks(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, text string) error {
	expanded, err := names.Expand(text)
	if err != nil {
		return err
	}
	if strings.Contains(string(e.Body), expanded) {
		return fmt.Errorf("the answer to %s contains %q", e, text)
	}
	return nil
}

func answerContains(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, text string) error {
	if err := names.WriteOut(&text); err != nil {
		return err
	}
	if !strings.Contains(string(e.Body), text) {
		return fmt.Errorf("the answer to %s does not contain %q", e, matching.Brief(text))
	}
	return nil
}

func answerSaysRetry(_ context.Context, e *scenario.RoundTrip) error {
	if seconds, err := strconv.Atoi(e.Header.Get("Retry-After")); err != nil || seconds < 1 {
		return fmt.Errorf("the answer to %s has the Retry-After %q, not a number of seconds", e,
			e.Header.Get("Retry-After"))
	}
	return nil
}

// keepOf keeps a member of one item of a list: the item in which another member has a given value.
func keepOf(ctx context.Context, names *scenario.Names, requests *scenario.Requests, e *scenario.RoundTrip, member,
	list, key, value,
	name string) error {
	value, err := names.Expand(value)
	if err != nil {
		return err
	}
	items, _ := e.JSON(list).([]any)
	for i, item := range items {
		if found, _ := matching.Lookup(item, key); found == value {
			return keepMember(ctx, names, requests, fmt.Sprintf("%s[%d].%s", list, i, member), name)
		}
	}
	return fmt.Errorf("%q of the answer to %s has no item whose %s is %s", list, e, key, value)
}

func answerIs(_ context.Context, e *scenario.RoundTrip, status int, code string) error {
	return e.Is(status, code)
}

func answerIsNoServerError(_ context.Context, e *scenario.RoundTrip) error {
	if e.Status >= http.StatusInternalServerError {
		return e.Blame(fmt.Errorf("%s answered %d", e, e.Status))
	}
	return nil
}

// answerIsEither is for a request that may have been executed before.
func answerIsEither(_ context.Context, e *scenario.RoundTrip, some, last string) error {
	if slices.Contains(append(strings.Split(some, ", "), last), strconv.Itoa(e.Status)) {
		return nil
	}
	return fmt.Errorf("%s answered %d, neither %s nor %s", e, e.Status, some, last)
}
