package steps

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

const holdsRows = `the table (\S+) holds (\d+) rows?`

func tableSteps() []Step {
	return []Step{
		{`the row (\S+) (\S+) / (\S+) is`, "Given the row UserGroups {Ana.userKey} / {Family} is\n| status | removed |",
			func(w *World) any { return w.layRow }},
		{`there are (\d+) rows (\S+) (\S+) / (\S+) like`, "Given there are 16 rows UserGroups {Ana.userKey} / group-{i} like\n| status | active |",
			func(w *World) any { return w.layRows }},
		{`the row (\S+) (\S+) / (\S+) has`, "Then the row GroupMembers {Family} / {Ben.userKey} has\n| status | active |\n| joinedAt | a time |",
			func(w *World) any { return w.rowHas }},
		{`"(\w+)" of the row (\S+) (\S+) / (\S+) is called (\w+)`, `Given "updatedAt" of the row Groups group / {Family} is called Before`,
			func(w *World) any { return w.keepColumn }},
		{`there is no row (\S+) (\S+) / (\S+)`, `Then there is no row GroupMembers {Family} / {Ben.userKey}`,
			func(w *World) any { return w.rowIsMissing }},
		{`the partition (\S+) of (\S+) holds, in this order`, "Then the partition {Family} of AppointmentsIndex holds, in this order\n| RowKey | startTime |",
			func(w *World) any { return w.partitionHolds }},
		{`the partition (\S+) of (\S+) is empty`, `Then the partition {Family} of AppointmentsIndex is empty`,
			func(w *World) any { return w.partitionIsEmpty }},
		{holdsRows, `Then the table Groups holds 1 row`,
			func(w *World) any { return w.tableHolds }},
		{`these tables exist`, "Then these tables exist\n| Groups |\n| UserGroups |",
			func(w *World) any { return w.tablesExist }},
	}
}

// writeOut puts in place of each text what a feature file means by it.
func (w *World) writeOut(texts ...*string) error {
	for _, text := range texts {
		written, err := w.written(*text)
		if err != nil {
			return err
		}
		*text = written
	}
	return nil
}

// layRow sets columns of a row, past the target. A row that is there keeps its other columns. Cells are texts, with
// {byte ff} and the like, but for true, false, "number 3" and absent.
func (w *World) layRow(table, partition, key string, columns *godog.Table) error {
	if err := w.writeOut(&table, &partition, &key); err != nil {
		return err
	}
	found, err := w.active().data.row(w.ctx, table, partition, key)
	if err != nil {
		return err
	}
	values := map[string]any{}
	for name, value := range found {
		if !strings.HasPrefix(name, "odata.") && name != "Timestamp" {
			values[name] = value
		}
	}
	set, err := w.pairs(columns)
	if err != nil {
		return err
	}
	for _, column := range set {
		switch boolean, err := strconv.ParseBool(column.value); {
		case column.value == "absent":
			delete(values, column.name)
		case err == nil && len(column.value) > 1:
			values[column.name] = boolean
		case strings.HasPrefix(column.value, "number "):
			values[column.name] = json.Number(strings.TrimPrefix(column.value, "number "))
		default:
			if values[column.name], err = unfold(column.value); err != nil {
				return err
			}
		}
	}
	return w.active().data.putRow(w.ctx, table, partition, key, values)
}

// layRows lays rows that are alike. {i} counts them, from 0.
func (w *World) layRows(count int, table, partition, key string, columns *godog.Table) error {
	return w.counting(count, func(int) error { return w.layRow(table, partition, key, columns) })
}

func (w *World) rowHas(table, partition, key string, columns *godog.Table) error {
	if err := w.writeOut(&table, &partition, &key); err != nil {
		return err
	}
	found, err := w.active().data.row(w.ctx, table, partition, key)
	if err != nil {
		return err
	}
	if found == nil {
		return isMissing(fmt.Sprintf("row %s %s / %s", table, partition, key))
	}
	expected, err := w.pairs(columns)
	if err != nil {
		return err
	}
	var wrong []error
	for _, column := range expected {
		if err := matches(found.column(column.name), column.value, found.column); err != nil {
			wrong = append(wrong, placed(err, "%s of the row %s %s / %s", column.name, table, partition, key))
		}
	}
	return errors.Join(wrong...)
}

// column is the value of a column, or missing.
func (r row) column(name string) any {
	if value, ok := r[name]; ok {
		return value
	}
	return missing{}
}

// keepColumn is for what a later step compares with.
func (w *World) keepColumn(column, table, partition, key, name string) error {
	if err := w.writeOut(&table, &partition, &key); err != nil {
		return err
	}
	found, err := w.active().data.row(w.ctx, table, partition, key)
	if err != nil {
		return err
	}
	switch value := found.column(column).(type) {
	case string:
		w.kept[name] = value
	case json.Number:
		w.kept[name] = value.String()
	default:
		return fmt.Errorf("the row %s %s / %s has no text or number %s", table, partition, key, column)
	}
	return nil
}

func (w *World) rowIsMissing(table, partition, key string) error {
	if err := w.writeOut(&table, &partition, &key); err != nil {
		return err
	}
	found, err := w.active().data.row(w.ctx, table, partition, key)
	if err == nil && found != nil {
		err = isThere(fmt.Sprintf("row %s %s / %s", table, partition, key))
	}
	return err
}

func (w *World) partitionHolds(partition, table string, expected *godog.Table) error {
	if err := w.writeOut(&table, &partition); err != nil {
		return err
	}
	found, err := w.active().data.rows(w.ctx, table, &partition)
	if err != nil {
		return err
	}
	rows, err := w.rows(expected)
	if err != nil {
		return err
	}
	where := fmt.Sprintf("the partition %s of %s", partition, table)
	if err := holdsSome(where, "row", len(found), len(rows)); err != nil {
		return err
	}
	for i, want := range rows {
		if err := matchesObject(map[string]any(found[i]), want); err != nil {
			return &inner{fmt.Sprintf("row %d of %s", i+1, where), err}
		}
	}
	return nil
}

func (w *World) partitionIsEmpty(partition, table string) error {
	if err := w.writeOut(&table, &partition); err != nil {
		return err
	}
	found, err := w.active().data.rows(w.ctx, table, &partition)
	if err == nil {
		err = holdsSome(fmt.Sprintf("the partition %s of %s", partition, table), "row", len(found), 0)
	}
	return err
}

func (w *World) tableHolds(table string, count int) error {
	if err := w.writeOut(&table); err != nil {
		return err
	}
	found, err := w.active().data.rows(w.ctx, table, nil)
	if err == nil {
		err = holdsSome("the table "+table, "row", len(found), count)
	}
	return err
}

func (w *World) tablesExist(expected *godog.Table) error {
	found, err := w.active().data.tableNames(w.ctx)
	if err != nil {
		return err
	}
	var lacking []string
	for _, line := range expected.Rows {
		if name := line.Cells[0].Value; !found[name] {
			lacking = append(lacking, name)
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("these tables do not exist: %s; there are %s", strings.Join(lacking, ", "), strings.Join(slices.Sorted(maps.Keys(found)), ", "))
	}
	return nil
}
