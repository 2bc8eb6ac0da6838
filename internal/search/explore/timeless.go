package explore

import (
	"net/http"
	"reflect"
	"time"
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
func sameButTimes(a, b any) bool { return reflect.DeepEqual(withoutTimes(a), withoutTimes(b)) }

// withoutTimes returns a JSON value in which all texts that are times are the same.
func withoutTimes(value any) any {
	switch value := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, member := range value {
			object[name] = withoutTimes(member)
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = withoutTimes(item)
		}
		return list
	case string:
		if isTime(value) {
			return time.Time{}
		}
	}
	return value
}

// isTime reports whether a text is a time and nothing else.
func isTime(text string) bool {
	found, rest := cutTimes(text)
	return len(found) == 1 && rest == "\x00"
}
