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

func schemaSteps() []Step {
	return []Step{
		{`the row (\S+) (\S+) / (\S+) has the columns`,
			"Then the row Groups group / {Family} has the columns\n| column | type | value |\n| isDeleted | bool | false |\n| opId | string | optional |",
			func(w *World) any { return w.rowHasColumns }},
	}
}

// rowHasColumns holds when a row has these columns, of these types, and no others. Types are bool, int32, string and
// time (a string that is a UTC time). The value "optional" is a column that may be missing.
func (w *World) rowHasColumns(table, partition, key string, columns *godog.Table) error {
	if err := w.writeOut(&table, &partition, &key); err != nil {
		return err
	}
	expected, err := w.rows(columns, "column", "type", "value")
	if err != nil {
		return err
	}
	found, err := w.active().data.row(w.ctx, table, partition, key)
	if err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("there is no row %s %s / %s", table, partition, key)
	}
	var wrong []error
	known := map[string]bool{"PartitionKey": true, "RowKey": true, "Timestamp": true}
	for _, line := range expected {
		known[line["column"]] = true
		if err := found.hasColumn(line["column"], line["type"], line["value"]); err != nil {
			wrong = append(wrong, fmt.Errorf("%s of the row %s %s / %s %w", line["column"], table, partition, key, err))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !known[name] && !strings.Contains(name, "odata.") {
			wrong = append(wrong, fmt.Errorf("the row %s %s / %s has a column %s that the design does not know", table, partition, key, name))
		}
	}
	return errors.Join(wrong...)
}

func (r row) hasColumn(name, kind, value string) error {
	found := r.column(name)
	_, lacks := found.(missing)
	if lacks && (value == "optional" || value == "absent") {
		return nil
	}
	if got := r.typeOf(name); !lacks && got != kind && (kind != "time" || got != "string") {
		return fmt.Errorf("is of type %s, not %s", got, kind)
	}
	if kind == "time" {
		if _, err := instant(found); err != nil {
			return err
		}
	}
	if value == "optional" {
		return nil
	}
	return matches(found, value, r.column)
}

// typeOf is a column's type as the store tells it: JSON says bool, string, and numbers with or without a fraction; for
// every other type there is an annotation.
func (r row) typeOf(name string) string {
	if annotated, ok := r[name+"@odata.type"].(string); ok {
		return strings.ToLower(strings.TrimPrefix(annotated, "Edm."))
	}
	switch value := r[name].(type) {
	case bool:
		return "bool"
	case string:
		return "string"
	case json.Number:
		if _, err := strconv.ParseInt(value.String(), 10, 32); err == nil {
			return "int32"
		}
		return "double"
	}
	return "unknown"
}
