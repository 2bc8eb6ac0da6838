package identity

import (
	"context"
	"errors"
	"fmt"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
)

// Words returns the steps that give a target a managed identity, and judge whether it uses it.
func Words() []scenario.Step {
	return []scenario.Step{
		scenario.On(`a fresh target starts with a managed identity instead of a key, and with`,
			"When a fresh target starts with a managed identity instead of a key, and with\n| TABLES_URL | {tables} |",
			startWithIdentity).Checked(areVariables).Cells(func(*godog.Table) []string { return nil }),
		scenario.On(`every storage call carried a token of the managed identity`,
			`Then every storage call carried a token of the managed identity`, everyCallCarriedToken).After(1),
	}
}

// variables reads a table with the names of variables and their templates. Errors: a *scenario.CellError for each row
// that is wrong.
func variables(table *godog.Table) (list []system.Mapping, _ error) {
	var wrong []error
	for i, row := range table.Rows {
		if len(row.Cells) != 2 {
			return nil, errors.New("the table needs two columns: a variable, and its value, such as {tables}")
		}
		one, err := system.NewMapping(row.Cells[0].Value, row.Cells[1].Value, companion.Addresses())
		if err != nil {
			wrong = append(wrong, &scenario.CellError{Row: i, Column: 1,
				Err: fmt.Errorf("%w: known are {tables} and {blobs}", err)})
		}
		list = append(list, one)
	}
	return list, errors.Join(wrong...)
}

func areVariables(table *godog.Table) error {
	_, err := variables(table)
	return err
}

// startWithIdentity gives a cold start's lane a managed identity. The lane's gateway serves https, without which no SDK
// sends a token.
func startWithIdentity(ctx context.Context, stage *scenario.Stage, storage *scenario.Storage,
	table *godog.Table) error {
	added, err := variables(table)
	if err != nil {
		return err
	}
	maker := stage.Lane().Maker.OverTLS()
	if maker == nil {
		return fmt.Errorf("%w: SDKs send tokens over https only, which needs --tls", godog.ErrSkip)
	}
	i := &companion.Identity{}
	err = storage.StartColdBy(ctx, maker, 1, lane.Special{With: []lane.Companion{i}, Env: i.Environment, Added: added,
		Withheld: i.Replaces(), Unset: i.Excludes()})
	if lane.NeverReady(err) { // it is ready with a key: this is the scenario's outcome
		return fmt.Errorf("the server is not ready with a managed identity instead of a key%s: %s", hint(i),
			err.Error())
	}
	return err
}

// hint says what the identity's endpoint has refused.
func hint(i *companion.Identity) string {
	if why := i.Refused(); why != "" {
		return " (its endpoint refused a token: " + why + ")"
	}
	return ""
}

func everyCallCarriedToken(ctx context.Context, stage *scenario.Stage, storage *scenario.Storage) error {
	i, ok := lane.CompanionOf[*companion.Identity](stage.Lane())
	if !ok {
		return &scenario.MisuseError{Reason: "the scenario has no managed identity"}
	}
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	carried, others := i.Carried()
	switch {
	case len(others) > 0:
		return fmt.Errorf("a storage call carried no token of the managed identity that Azure takes, but %s%s: %s",
			others[0].Had, hint(i), budget.Describe(others[0].Call))
	case carried == 0:
		return fmt.Errorf("no storage call carried a token of the managed identity%s", hint(i))
	}
	return nil
}
