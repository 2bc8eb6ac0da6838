package value

import "strings"

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
		return equalItems(a.Map, b.Map)
	case L:
		if len(a.List) != len(b.List) {
			return false
		}
		for i := range a.List {
			if !Equal(a.List[i], b.List[i]) {
				return false
			}
		}
		return true
	}
	if len(a.List) != len(b.List) {
		return false
	}
	has := Members(b)
	for i := range a.List {
		if !has(a.List[i].Text) {
			return false
		}
	}
	return true
}

func equalItems(a, b Item) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || !Equal(a[i].Value, b[i].Value) {
			return false
		}
	}
	return true
}

// Members returns a function that says whether a set has an element with this Text.
func Members(set Value) func(text string) bool {
	if len(set.List) <= 8 {
		return func(text string) bool {
			for i := range set.List {
				if set.List[i].Text == text {
					return true
				}
			}
			return false
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
	if order := compareInts(len(wholeA), len(wholeB)); order != 0 {
		return order
	}
	if order := strings.Compare(wholeA, wholeB); order != 0 {
		return order
	}
	return strings.Compare(fractionA, fractionB)
}

// Contains is the function contains: a string or binary with another in it, a set or a list with the operand as an
// element (Developer Guide, "Condition and filter expressions, operators, and functions").
func Contains(container, operand Value) bool {
	switch container.Kind {
	case S, B:
		return container.Kind == operand.Kind && strings.Contains(container.Text, operand.Text)
	case SS, NS, BS, L:
		for i := range container.List {
			if Equal(container.List[i], operand) {
				return true
			}
		}
	}
	return false
}

// BeginsWith is the function begins_with, of two S or two B.
func BeginsWith(v, prefix Value) bool {
	return (v.Kind == S || v.Kind == B) && v.Kind == prefix.Kind && strings.HasPrefix(v.Text, prefix.Text)
}
