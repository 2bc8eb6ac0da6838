package value

import (
	"cmp"
	"slices"
	"strings"
)

// Equal says whether both values have one type and are equal: numbers by value, sets whatever their order.
func Equal(a, b Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case S, N, B:
		return a.Text == b.Text // numbers are written in one way only
	case BOOL:
		return a.Bool == b.Bool
	case NULL:
		return true
	case M:
		return slices.EqualFunc(a.Map, b.Map, func(a, b Attribute) bool {
			return a.Name == b.Name && Equal(a.Value, b.Value)
		})
	case L:
		return slices.EqualFunc(a.List, b.List, Equal)
	}
	has := Members(b)
	return len(a.List) == len(b.List) && !slices.ContainsFunc(a.List, func(v Value) bool { return !has(v.Text) })
}

// Members returns a function that says whether a set has an element with this Text.
func Members(set Value) func(text string) bool {
	if len(set.List) <= 8 {
		return func(text string) bool {
			return slices.ContainsFunc(set.List, func(v Value) bool { return v.Text == text })
		}
	}
	members := make(map[string]struct{}, len(set.List))
	for i := range set.List {
		members[set.List[i].Text] = struct{}{}
	}
	return func(text string) bool {
		_, ok := members[text]
		return ok
	}
}

// Compare orders two values of one of the types S, N, B: strings by their UTF-8 bytes, numbers by value, binary by
// unsigned bytes. ok is false if their types differ or have no order.
func Compare(a, b Value) (order int, ok bool) {
	if a.Kind != b.Kind {
		return 0, false
	}
	switch a.Kind {
	case S, B:
		return strings.Compare(a.Text, b.Text), true
	case N:
		return compareNumbers(a.Text, b.Text), true
	}
	return 0, false
}

// compareNumbers orders numbers in DynamoDB's notation.
func compareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	minusA, minusB := a[0] == '-', b[0] == '-'
	switch {
	case minusA && minusB:
		return compareMagnitudes(b[1:], a[1:])
	case minusA:
		return -1
	case minusB:
		return 1
	}
	return compareMagnitudes(a, b)
}

func compareMagnitudes(a, b string) int {
	wholeA, fractionA, _ := strings.Cut(a, ".")
	wholeB, fractionB, _ := strings.Cut(b, ".")
	return cmp.Or(cmp.Compare(len(wholeA), len(wholeB)), strings.Compare(wholeA, wholeB),
		strings.Compare(fractionA, fractionB))
}

// Contains is the function contains: a string or binary with another in it, a set or a list with the operand as an
// element (Developer Guide, "Condition and filter expressions, operators, and functions").
func Contains(container, operand Value) bool {
	switch container.Kind {
	case S, B:
		return container.Kind == operand.Kind && strings.Contains(container.Text, operand.Text)
	case SS, NS, BS, L:
		return slices.ContainsFunc(container.List, func(v Value) bool { return Equal(v, operand) })
	}
	return false
}

// BeginsWith is the function begins_with, of two S or two B.
func BeginsWith(v, prefix Value) bool {
	return (v.Kind == S || v.Kind == B) && v.Kind == prefix.Kind && strings.HasPrefix(v.Text, prefix.Text)
}
