package order

import (
	"slices"
	"strings"
)

// Touch is a part of the store that a step reads or writes.
type Touch struct {
	// Path leads from the service to the row: each part lies within the previous one. If a step touches a whole
	// partition, or no more is known about it, its path ends there; an empty path means everything.
	Path  []string
	Write bool
}

// commute reports whether two steps have the same result in either order: they touch no common part of the store, or
// both only read it.
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
	common := min(len(t.Path), len(other.Path))
	return slices.Equal(t.Path[:common], other.Path[:common])
}

// String returns the path with slashes, for messages.
func (t Touch) String() string { return strings.Join(t.Path, "/") }
