package matching

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Lookup finds the value at a path such as `groups[0].groupName` in decoded JSON.
func Lookup(value any, path string) (any, bool) {
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
			object, _ := value.(map[string]any)
			found, ok := object[part]
			if !ok {
				return nil, false
			}
			value = found
		}
	}
	return value, true
}

// Nearest returns the index of the object that differs from a row of a table in the fewest members, the first of
// several, and how it differs; nil if it does not. The index is -1 if there are no objects.
func Nearest(items []any, row map[string]string) (index int, err error) {
	index = -1
	fewest := 0
	for i, item := range items {
		if all := differing(item, row); index < 0 || len(all) < fewest {
			index, fewest, err = i, len(all), errors.Join(all...)
		}
	}
	return index, err
}

// MatchesObject compares an object with a row of a table: the value at each path with its cell, as Matches does. The
// error is about the first difference.
func MatchesObject(item any, row map[string]string) error {
	return cmp.Or(append(differing(item, row), nil)...)
}

// differing returns how an object differs from a row, in the order of the paths.
func differing(item any, row map[string]string) (all []error) {
	object, ok := item.(map[string]any)
	if !ok {
		return []error{fmt.Errorf("an item is not an object: %s", Brief(item))}
	}
	for _, name := range slices.Sorted(maps.Keys(row)) {
		if err := MatchesMember(object, name, row[name]); err != nil {
			all = append(all, Placed(err, "%s", name))
		}
	}
	return all
}

// MatchesMember compares the value at a path of an object with a cell of a table, as Matches does.
func MatchesMember(object any, path, want string) error {
	found, ok := Lookup(object, path)
	if !ok {
		found = Missing{}
	}
	return Matches(found, want, func(name string) any { sibling, _ := Lookup(object, name); return sibling })
}

// Brief returns a value as JSON, Cut.
func Brief(value any) string {
	if value == (Missing{}) {
		return "absent"
	}
	return Cut(MustJSON(value))
}

// Cut shortens a text to fit a line of a report. Secrets must be removed before: half of one would stay.
func Cut(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// Abridged shortens lines of a message that are too long to read: the start and the end of a line stay, and
// between them stands how many bytes were left out. Secrets must be removed before, as for Cut.
func Abridged(message string) string {
	const start, end = 1500, 200
	if len(message) <= start+end {
		return message
	}
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		if left := len(line) - start - end; left > 0 {
			lines[i] = fmt.Sprintf("%s … %d bytes … %s", strings.ToValidUTF8(line[:start], ""), left,
				strings.ToValidUTF8(line[len(line)-end:], ""))
		}
	}
	return strings.Join(lines, "\n")
}

// MustJSON encodes a value that can always be encoded.
func MustJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
