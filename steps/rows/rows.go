package rows

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/store"
)

// Words returns the steps that write rows directly to the store and read them back.
func Words() []scenario.Step {
	return append([]scenario.Step{
		scenario.On(`the row (\S+) (\S+)(?: / (\S+))? is`,
			"Given the row UserGroups {Ana.userKey} / {Family} is\n| status | removed |", layRow).
			Tables(scenario.FirstCells, 1),
		scenario.On(`there are (\d+) rows (\S+) (\S+)(?: / (\S+))? like`,
			"Given there are 16 rows UserGroups {Ana.userKey} / group-{i} like\n| status | active |", layRows).Counts().
			Tables(scenario.FirstCells, 2),
		scenario.On(`the row (\S+) (\S+)(?: / (\S+))? has`,
			"Then the row GroupMembers {Family} / {Ben.userKey} has\n| status | active |\n| joinedAt | a time |",
			rowHas).Tables(scenario.FirstCells, 1),
		scenario.On(`"(\w+)" of the row (\S+) (\S+)(?: / (\S+))? is called (\w+)`,
			`Given "updatedAt" of the row Groups group / {Family} is called Before`, keepColumn).Keeps("$5").
			Tables(nil, 2),
		scenario.On(`there is no row (\S+) (\S+)(?: / (\S+))?`,
			`Then there is no row GroupMembers {Family} / {Ben.userKey}`, rowIsMissing).Tables(nil, 1),
		scenario.On(`the partition (\S+) of (\S+) holds, in this order`,
			"Then the partition {Family} of AppointmentsIndex holds, in this order\n| RowKey | startTime |",
			partitionHolds).Rows().Tables(scenario.HeaderCells, 2),
		scenario.On(`the partition (\S+) of (\S+) is empty`,
			`Then the partition {Family} of AppointmentsIndex is empty`, partitionIsEmpty).
			Tables(nil, 2),
		scenario.On(`the table (\S+) holds (\d+) rows?`, `Then the table Groups holds 1 row`, tableHolds).Alone().
			Tables(nil, 1),
		scenario.On(`the table (\S+) holds (\d+) rows? within (\d+) seconds`,
			`Then the table Groups holds 1 row within 5 seconds`, tableHoldsWithin).Alone().Tables(nil, 1),
		scenario.On(`these tables exist`, "Then these tables exist\n| Groups |\n| UserGroups |", tablesExist).
			Cells(scenario.EveryCell),
	}, eachWords()...)
}

// place says where a row is: its table and the parts of its key.
type place struct {
	table string
	key   []string
}

// String returns the place as messages show it, such as "row Notes ana / milk".
func (p place) String() string { return "row " + p.table + " " + strings.Join(p.key, " / ") }

// at returns a place whose parts are written as in a feature file, and its row; nil if the row does not exist. Without
// a key inside its partition, the partition is the whole key.
func at(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table, partition, key string) (place,
	lane.Row, error) {
	if err := names.WriteOut(&table, &partition, &key); err != nil {
		return place{}, nil, err
	}
	row := place{table, []string{partition}}
	if key != "" {
		row.key = append(row.key, key)
	}
	found, err := stage.Lane().Data.Row(ctx, row.table, row.key...)
	return row, found, err
}

// layRow sets columns of a row, directly in the store. An existing row keeps its other columns. Cells are texts, with
// {byte ff} and the like, except for true, false, "number 3" and absent.
func layRow(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table, partition, key string,
	columns *godog.Table) error {
	row, found, err := at(ctx, stage, names, table, partition, key)
	if err != nil {
		return err
	}
	values := store.Row{}
	maps.Copy(values, found)
	set, err := names.Pairs(columns)
	if err != nil {
		return err
	}
	for _, column := range set {
		switch boolean, err := strconv.ParseBool(column.Value); {
		case column.Value == "absent":
			delete(values, column.Name)
		case err == nil && len(column.Value) > 1:
			values.Set(column.Name, boolean)
		case strings.HasPrefix(column.Value, "number "):
			values.Set(column.Name, json.Number(strings.TrimPrefix(column.Value, "number ")))
		default:
			text, err := scenario.Unfold(column.Value)
			if err != nil {
				return err
			}
			values.Set(column.Name, text)
		}
	}
	return stage.Lane().Data.Put(ctx, row.table, row.key, values)
}

// layRows writes similar rows. {i} is the index, from 0.
func layRows(ctx context.Context, stage *scenario.Stage, names *scenario.Names, count int, table, partition, key string,
	columns *godog.Table) error {
	return names.Counting(count, func(int) error { return layRow(ctx, stage, names, table, partition, key, columns) })
}

func rowHas(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table, partition, key string,
	columns *godog.Table) error {
	row, found, err := at(ctx, stage, names, table, partition, key)
	if err != nil {
		return err
	}
	if found == nil {
		return matching.IsMissing(row.String())
	}
	expected, err := names.Pairs(columns)
	if err != nil {
		return err
	}
	var wrong []error
	for _, column := range expected {
		if err := matching.Matches(found.Column(column.Name), column.Value, found.Column); err != nil {
			wrong = append(wrong, matching.Placed(err, "%s of the %s", column.Name, row))
		}
	}
	return errors.Join(wrong...)
}

// keepColumn keeps a value for a later step to compare with.
func keepColumn(ctx context.Context, stage *scenario.Stage, names *scenario.Names, column, table, partition, key,
	name string) error {
	row, found, err := at(ctx, stage, names, table, partition, key)
	if err != nil {
		return err
	}
	if !names.KeepValue(name, found.Column(column)) {
		return fmt.Errorf("the %s has no text or number %s", row, column)
	}
	return nil
}

func rowIsMissing(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table, partition,
	key string) error {
	row, found, err := at(ctx, stage, names, table, partition, key)
	if err == nil && found != nil {
		err = matching.IsThere(row.String())
	}
	return err
}

// partitionHolds compares the rows of a partition with a table. Without a table there must be none.
func partitionHolds(ctx context.Context, stage *scenario.Stage, names *scenario.Names, partition, table string,
	expected *godog.Table) error {
	if err := names.WriteOut(&table, &partition); err != nil {
		return err
	}
	found, err := stage.Lane().Data.Rows(ctx, table, &partition)
	if err != nil {
		return err
	}
	var rows []map[string]string
	if expected != nil {
		if rows, err = names.Table(expected); err != nil {
			return err
		}
	}
	where := fmt.Sprintf("the partition %s of %s", partition, table)
	if err := matching.HoldsSome(where, "row", len(found), len(rows)); err != nil {
		return err
	}
	for i, want := range rows {
		if err := matching.MatchesObject(found[i].Members(), want); err != nil {
			return matching.PartOf(fmt.Sprintf("row %d of %s", i+1, where), err)
		}
	}
	return nil
}

func partitionIsEmpty(ctx context.Context, stage *scenario.Stage, names *scenario.Names, partition,
	table string) error {
	return partitionHolds(ctx, stage, names, partition, table, nil)
}

func tableHolds(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table string, count int) error {
	if err := names.WriteOut(&table); err != nil {
		return err
	}
	found, err := stage.Lane().Data.Rows(ctx, table, nil)
	if err == nil {
		err = matching.HoldsSome("the table "+table, "row", len(found), count)
	}
	return err
}

// tableHoldsWithin waits for what a server does by itself: a busy machine is slower.
func tableHoldsWithin(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table string, count,
	seconds int) error {
	deadline := time.After(time.Duration(seconds) * time.Second)
	for {
		err := tableHolds(ctx, stage, names, table, count)
		if err == nil {
			return nil
		}
		select {
		case <-deadline:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func tablesExist(ctx context.Context, stage *scenario.Stage, names *scenario.Names, expected *godog.Table) error {
	found, err := stage.Lane().Data.TableNames(ctx)
	if err != nil {
		return err
	}
	var lacking []string
	for _, line := range expected.Rows {
		name := line.Cells[0].Value
		if err := names.WriteOut(&name); err != nil {
			return err
		}
		if !slices.Contains(found, name) {
			lacking = append(lacking, name)
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("these tables do not exist: %s; there are %s", strings.Join(lacking, ", "),
			strings.Join(slices.Sorted(slices.Values(found)), ", "))
	}
	return nil
}
