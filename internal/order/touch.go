package order

import "strings"

// Touch is a part of the store that a step reads or writes.
type Touch struct {
	// Path leads from the service to the row: each part lies within the one before it. A step that touches a whole
	// partition, or of which no more is known, has a path that ends there; an empty path is everything.
	Path  []string
	Write bool
}

// commute reports whether two steps come to the same in either order: no part of the store is touched by both, or both
// only read it.
func commute(a, b []Touch) bool {
	for _, one := range a {
		for _, other := range b {
			if (one.Write || other.Write) && one.meets(other) {
				return false
			}
		}
	}
	return true
}

// meets reports whether one of the two parts lies within the other.
func (t Touch) meets(other Touch) bool {
	for i := range min(len(t.Path), len(other.Path)) {
		if t.Path[i] != other.Path[i] {
			return false
		}
	}
	return true
}

// String is the path with slashes, for messages.
func (t Touch) String() string { return strings.Join(t.Path, "/") }
