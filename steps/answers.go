package steps

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

// lookup finds the value at a path such as `groups[0].groupName` in decoded JSON.
func lookup(value any, path string) (any, bool) {
	for _, part := range strings.Split(strings.ReplaceAll(path, "[", ".["), ".") {
		switch {
		case part == "":
			continue
		case strings.HasPrefix(part, "["):
			list, isList := value.([]any)
			index, err := strconv.Atoi(strings.Trim(part, "[]"))
			if !isList || err != nil || index < 0 || index >= len(list) {
				return nil, false
			}
			value = list[index]
		default:
			object, isObject := value.(map[string]any)
			if !isObject {
				return nil, false
			}
			found, ok := object[part]
			if !ok {
				return nil, false
			}
			value = found
		}
	}
	return value, true
}

func (w *World) answerHas(table *godog.Table) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	expected, err := w.pairs(table)
	if err != nil {
		return err
	}
	for _, pair := range expected {
		found, ok := lookup(e.parsed, pair.name)
		if !ok {
			found = missing{}
		}
		parent := func(sibling string) any { return e.json(sibling) }
		if err := matches(found, pair.value, parent); err != nil {
			return placed(err, "%s of the answer to %s", pair.name, e)
		}
	}
	return nil
}

type pair struct{ name, value string }

// pairs reads a table of two columns without a header: name and expectation.
func (w *World) pairs(table *godog.Table) ([]pair, error) {
	var list []pair
	for _, row := range table.Rows {
		if len(row.Cells) != 2 {
			return nil, fmt.Errorf("the table has %d columns; it needs two: a name and what it is", len(row.Cells))
		}
		value, err := w.written(row.Cells[1].Value)
		if err != nil {
			return nil, err
		}
		list = append(list, pair{row.Cells[0].Value, value})
	}
	return list, nil
}

// answerLists compares a list of objects with a table whose header names members. Every row must be
// there and no other.
func (w *World) answerLists(path string, table *godog.Table, ordered bool) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	list, ok := e.json(path).([]any)
	if !ok {
		return fmt.Errorf("the answer to %s has no list %q", e, path)
	}
	expected, err := w.rows(table)
	if err != nil {
		return err
	}
	if err := holdsSome(fmt.Sprintf("%q of the answer to %s", path, e), "item", len(list), len(expected)); err != nil {
		return fmt.Errorf("%w: %s", err, brief(list))
	}
	used := make([]bool, len(list))
	for i, row := range expected {
		found := -1
		var why error
		for j, item := range list {
			if used[j] || ordered && j != i {
				continue
			}
			if err := matchesObject(item, row); err != nil {
				why = err
				continue
			}
			found = j
			break
		}
		if found < 0 {
			return fmt.Errorf("%q of the answer to %s has no item like row %d of the table: %w", path, e, i+1, why)
		}
		used[found] = true
	}
	return nil
}

func matchesObject(item any, row map[string]string) error {
	object, ok := item.(map[string]any)
	if !ok {
		return fmt.Errorf("an item is no object: %s", brief(item))
	}
	for name, want := range row {
		found, ok := lookup(object, name)
		if !ok {
			found = missing{}
		}
		if err := matches(found, want, func(sibling string) any { return object[sibling] }); err != nil {
			return placed(err, "%s", name)
		}
	}
	return nil
}

func (w *World) answerListIsEmpty(path string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	list, ok := e.json(path).([]any)
	if !ok {
		return fmt.Errorf("the answer to %s has no list %q", e, path)
	}
	if err := holdsSome(fmt.Sprintf("%q of the answer to %s", path, e), "item", len(list), 0); err != nil {
		return fmt.Errorf("%w: %s", err, brief(list))
	}
	return nil
}

func (w *World) answerLacks(text string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	expanded, err := w.expand(text)
	if err != nil {
		return err
	}
	if strings.Contains(string(e.body), expanded) {
		return fmt.Errorf("the answer to %s contains %q", e, text)
	}
	return nil
}

func (w *World) answerContains(text string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	if err := w.writeOut(&text); err != nil {
		return err
	}
	if !strings.Contains(string(e.body), text) {
		return fmt.Errorf("the answer to %s does not contain %q", e, brief(text))
	}
	return nil
}

func (w *World) answerSaysRetry() error {
	e, err := w.last()
	if err != nil {
		return err
	}
	if seconds, err := strconv.Atoi(e.header.Get("Retry-After")); err != nil || seconds < 1 {
		return fmt.Errorf("the answer to %s has the Retry-After %q, not a number of seconds", e, e.header.Get("Retry-After"))
	}
	return nil
}

func (w *World) keep(path, name string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	switch value := e.json(path).(type) {
	case string:
		w.kept[name] = value
	case json.Number:
		w.kept[name] = value.String()
	default:
		return fmt.Errorf("the answer to %s (%d) has no text or number %q", e, e.status, path)
	}
	return nil
}

// keepOf keeps a member of one item of a list: the one in which another member has a value.
func (w *World) keepOf(member, list, key, value, name string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	if value, err = w.expand(value); err != nil {
		return err
	}
	items, _ := e.json(list).([]any)
	for i, item := range items {
		if found, _ := lookup(item, key); found == value {
			return w.keep(fmt.Sprintf("%s[%d].%s", list, i, member), name)
		}
	}
	return fmt.Errorf("%q of the answer to %s has no item whose %s is %s", list, e, key, value)
}

// brief is a value as JSON, cut to a line that fits a report.
func brief(value any) string {
	if value == (missing{}) {
		return "absent"
	}
	text := mustJSON(value)
	if len(text) > 300 {
		text = text[:300] + "…"
	}
	return text
}
