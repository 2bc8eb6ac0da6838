package rows

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// eachWords returns the steps about all rows of a form: what always holds of a design. In them <name> stands for any
// text, and for a column of the row that is found.
func eachWords() []scenario.Step {
	const row = `(\S+) (\S+)(?: / (\S+))?`
	const where = `(?: where (\w+) is (\S+))?`
	return []scenario.Step{
		scenario.On(`for each row `+row+where+` there is the row `+row+` with`,
			"Then for each row UserGroups <user> / <group> there is the row GroupMembers <group> / <user> with\n"+
				"| status | <status> |", eachHas).Alone().Tables(nil, 1, 6),
		scenario.On(`for each row `+row+where+` there is the row `+row,
			"Then for each row GroupMembers <group> / <user> there is the row Groups group / <group>",
			func(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table, partition, key, column,
				value,
				other, otherPartition,
				otherKey string) error {
				return eachHas(ctx, stage, names, table, partition, key, column, value, other, otherPartition, otherKey,
					nil)
			}).Alone().Tables(nil, 1, 6),
		scenario.On(`the answer to `+scenario.MethodAndPath+` shows no <(\w+)> of a row `+row+where,
			"Then the answer to GET /api/me/groups shows no <group> of a row Groups group / <group> where isDeleted "+
				"is true", showsNone).Alone().Tables(nil, 4),
	}
}

// form is what rows are looked for by.
type form struct {
	table         string
	key           []*matching.Pattern
	column, value string // "": whatever a row contains
}

// rowsLike returns the rows that have a form, whose parts are written as in a feature file.
func rowsLike(ctx context.Context, stage *scenario.Stage, names *scenario.Names, f form, partition,
	key string) ([]match, error) {
	if err := names.WriteOut(&f.table, &partition, &key, &f.value); err != nil {
		return nil, err
	}
	for _, part := range []string{partition, key} {
		if part == "" {
			continue
		}
		pattern, err := matching.NewPattern(part)
		if err != nil {
			return nil, scenario.Misused("%s", err)
		}
		f.key = append(f.key, pattern)
	}
	return f.find(ctx, stage)
}

// match is a row that has a form, with what the variables stand for in it.
type match struct {
	row       lane.Row
	key       []string
	variables map[string]string
}

// value returns what a variable stands for: a part of the key, or a column.
func (m match) value(name string) (string, bool) {
	if value, ok := m.variables[name]; ok {
		return value, true
	}
	if column := m.row.Column(name); column != nil {
		return fmt.Sprint(column), true
	}
	return "", false
}

// find returns the rows that have the form.
func (f form) find(ctx context.Context, stage *scenario.Stage) (found []match, err error) {
	rows, err := stage.Lane().Data.Rows(ctx, f.table, nil)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, nil
	}
	columns, err := stage.Lane().Data.Tables.KeyColumns(ctx, f.table)
	if err != nil {
		return nil, err
	}
	if len(f.key) > len(columns) {
		return nil, scenario.Misused("the key of %s has %d columns, not %d", f.table, len(columns), len(f.key))
	}
	for _, row := range rows {
		m := match{row: row, variables: map[string]string{}}
		fits := f.column == "" || matching.Matches(row.Column(f.column), f.value, row.Column) == nil
		for i, pattern := range f.key {
			if !fits {
				break
			}
			part, _ := row.Column(columns[i]).(string)
			values, ok := pattern.Match(part, m.variables)
			maps.Copy(m.variables, values)
			m.key = append(m.key, part)
			fits = ok
		}
		if fits {
			found = append(found, m)
		}
	}
	return found, nil
}

// eachHas checks that for each row of a form there is another row.
func eachHas(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table, partition, key, column, value,
	other, otherPartition,
	otherKey string, columns *godog.Table) error {
	found, err := rowsLike(ctx, stage, names, form{table: table, column: column, value: value}, partition, key)
	if err != nil {
		return err
	}
	var wrong []error
	for _, m := range found {
		if err := m.has(ctx, stage, names, other, otherPartition, otherKey, columns); err != nil {
			wrong = append(wrong, matching.PartOf(fmt.Sprintf("for the row %s %s", table,
				strings.Join(m.key, " / ")), err))
		}
	}
	return errors.Join(wrong...)
}

// has checks that there is the other row of one that was found, and what it contains.
func (m match) has(ctx context.Context, stage *scenario.Stage, names *scenario.Names, table, partition, key string,
	columns *godog.Table) error {
	for _, text := range []*string{&partition, &key} {
		filled, err := matching.Fill(*text, m.value)
		if err != nil {
			return scenario.Misused("%s", err)
		}
		*text = filled
	}
	row, other, err := at(ctx, stage, names, table, partition, key)
	switch {
	case err != nil:
		return err
	case other == nil:
		return matching.IsMissing(row.String())
	case columns == nil:
		return nil
	}
	expected, err := names.Pairs(columns)
	if err != nil {
		return err
	}
	var wrong []error
	for _, one := range expected {
		want, err := matching.Fill(one.Value, m.value)
		if err != nil {
			want = "absent"
		}
		if err := matching.Matches(other.Column(one.Name), want, other.Column); err != nil {
			wrong = append(wrong, matching.Placed(err, "%s of the %s", one.Name, row))
		}
	}
	return errors.Join(wrong...)
}

// showsNone checks that the answers to a route name no row of a form.
func showsNone(ctx context.Context, stage *scenario.Stage, names *scenario.Names, requests *scenario.Requests, method,
	path, variable, table, partition, key, column,
	value string) error {
	answers, err := requests.AnswersTo(method + " " + path)
	if err != nil {
		return err
	}
	found, err := rowsLike(ctx, stage, names, form{table: table, column: column, value: value}, partition, key)
	if err != nil {
		return err
	}
	for _, m := range found {
		name, ok := m.value(variable)
		if !ok {
			return scenario.Misused("nothing gives a value for <%s>", variable)
		}
		for _, answer := range answers {
			if name != "" && answer.Succeeded() && strings.Contains(string(answer.Body), name) {
				return answer.Blame(fmt.Errorf("%s answered with %s, of the row %s %s", answer, name, table,
					strings.Join(m.key, " / ")))
			}
		}
	}
	return nil
}
