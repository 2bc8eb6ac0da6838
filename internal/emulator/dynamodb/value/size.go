package value

import "strings"

// Size returns the item's size in bytes as DynamoDB counts it: names and values (Developer Guide, "DynamoDB item sizes
// and formats").
func (it Item) Size() int {
	size := 0
	for i := range it {
		size += len(it[i].Name) + it[i].Value.Size()
	}
	return size
}

// Size returns the value's size in bytes as DynamoDB counts it. Sets cost what their elements cost; lists and maps
// cost 3 bytes, 1 for each element, and the names and values in them.
func (v Value) Size() int {
	switch v.Kind {
	case S, B:
		return len(v.Text)
	case N:
		return numberSize(v.Text)
	case BOOL, NULL:
		return 1
	case L:
		size := 3
		for i := range v.List {
			size += 1 + v.List[i].Size()
		}
		return size
	case M:
		return 3 + len(v.Map) + v.Map.Size()
	}
	size := 0
	for i := range v.List {
		size += v.List[i].Size()
	}
	return size
}

// numberSize returns the size of a number in DynamoDB's notation. The Guide says about 1 byte per two significant
// digits, plus 1. As measured, the digits before and after the point are counted apart, each half rounded up, and a
// negative number has 1 byte more.
func numberSize(s string) int {
	if s == "0" || s == "" {
		return 1
	}
	size := 1
	if s[0] == '-' {
		size, s = 2, s[1:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	switch {
	case fraction == "":
		whole = strings.TrimRight(whole, "0")
	case whole == "0":
		whole, fraction = "", strings.TrimLeft(fraction, "0")
	}
	return size + (len(whole)+1)/2 + (len(fraction)+1)/2
}
