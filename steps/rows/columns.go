package rows

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// Columns returns the steps that check rows for their columns and types.
func Columns() []scenario.Step {
	return []scenario.Step{
		scenario.On(`the row (\S+) (\S+)(?: / (\S+))? has the columns`,
			"Then the row Groups group / {Family} has the columns\n| column | type | value |\n| isDeleted | bool | "+
				"false |\n| opId | string | optional |", rowHasColumns).Rows().Tables(scenario.FirstBelowHeader, 1),
		scenario.On(`(\w+) of the row (\S+) (\S+)(?: / (\S+))? is of the type (\w+)`,
			`Then createdAt of the row Groups group / {Family} is of the type datetime`, columnIsOfType).Tables(nil, 2),
	}
}

// rowHasColumns checks that a row has these columns, of these types, and no others. Types are those of
// lane.Row.HasColumn. The value "optional" is a column that may be missing and may hold anything of its type; one that
// is x or missing is "x or absent", as in other tables.
func rowHasColumns(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table, partition, key string,
	columns *godog.Table) error {
	expected, err := names.Table(columns, "column", "type", "value")
	if err != nil {
		return err
	}
	row, found, err := at(ctx, stage, names, table, partition, key)
	if err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("there is no %s", row)
	}
	var wrong []error
	known := map[string]bool{"PartitionKey": true, "RowKey": true, "Timestamp": true}
	for _, line := range expected {
		known[line["column"]] = true
		if err := found.HasColumn(line["column"], line["type"], line["value"]); err != nil {
			wrong = append(wrong, fmt.Errorf("%s of the %s %w", line["column"], row, err))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !known[name] {
			wrong = append(wrong, fmt.Errorf("the %s has a column %s that the design does not know", row, name))
		}
	}
	return errors.Join(wrong...)
}

// columnIsOfType checks the type of one column, by the store's name for it in small letters: string, bool, int32,
// int64, double, datetime, binary, guid.
func columnIsOfType(ctx context.Context, stage *scenario.Stage, names *scenario.Names, column, table, partition, key,
	kind string) error {
	row, found, err := at(ctx, stage, names, table, partition, key)
	if err != nil {
		return err
	}
	where := fmt.Sprintf("%s of the %s", column, row)
	value, there := found[column]
	if !there {
		return matching.IsMissing(where)
	}
	if value.Type != kind {
		return matching.Differ(where, kind, value.Type,
			fmt.Sprintf("%s is of the type %s, not %s", where, value.Type, kind))
	}
	return nil
}
