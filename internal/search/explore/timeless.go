package explore

import (
	"encoding/json"
	"maps"
	"net/http"
)

// timesFree is the freedom of the times that a request leaves that changes nothing else, such as the second of two that
// are the same: one server writes the time again, another one writes nothing.
const timesFree = "times of what changes nothing"

// timeless reports whether a step changes nothing but times on either side, where the spec leaves open which.
func (c *couple) timeless(step *Step, changes, expected []change) bool {
	return step.Method != http.MethodGet && c.spec.free(timesFree, step.route()) && onlyTimes(changes) &&
		onlyTimes(expected)
}

// onlyTimes reports whether records were changed in nothing but times.
func onlyTimes(changes []change) bool {
	for _, one := range changes {
		if one.before == nil || one.after == nil || !sameButTimes(one.before.columns, one.after.columns) {
			return false
		}
	}
	return true
}

// sameButTimes reports whether two JSON values differ in nothing but times.
func sameButTimes(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		other, is := b.(map[string]any)
		if !is || len(a) != len(other) {
			return false
		}
		for name := range maps.Keys(a) {
			if value, has := other[name]; !has || !sameButTimes(a[name], value) {
				return false
			}
		}
		return true
	case []any:
		other, is := b.([]any)
		if !is || len(a) != len(other) {
			return false
		}
		for i := range a {
			if !sameButTimes(a[i], other[i]) {
				return false
			}
		}
		return true
	case string:
		other, is := b.(string)
		return is && (a == other || isTime(a) && isTime(other))
	case json.Number:
		other, is := b.(json.Number)
		return is && a == other
	}
	return a == b
}

// isTime reports whether a text is a time and nothing else.
func isTime(text string) bool {
	found, rest := cutTimes(text)
	return len(found) == 1 && rest == "\x00"
}
