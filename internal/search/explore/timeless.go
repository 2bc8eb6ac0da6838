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
func sameButTimes(a, b any) bool {
	return reflect.DeepEqual(eachText(a, withoutTimes), eachText(b, withoutTimes))
}

// withoutTimes returns a text, or the same value for all that are times.
func withoutTimes(text string) any {
	if isTime(text) {
		return time.Time{}
	}
	return text
}

// isTime reports whether a text is a time and nothing else.
func isTime(text string) bool {
	found, rest := cutTimes(text)
	return len(found) == 1 && rest == "\x00"
}
