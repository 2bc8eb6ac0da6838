package expression

import "github.com/storespec/storespec/internal/emulator/dynamodb/value"

// KeyRange is a range of keys in a partition.
type KeyRange struct {
	Partition value.Value
	Sort      Operator
	Low, High value.Value // operands; High only with Between
}

// Match says whether a sort key is in the range.
func (r KeyRange) Match(sort value.Value) bool {
	switch r.Sort {
	case Any:
		return true
	case BeginsWith:
		return value.BeginsWith(sort, r.Low)
	}
	order, ok := value.Compare(sort, r.Low)
	if !ok {
		return false
	}
	switch r.Sort {
	case Equal:
		return order == 0
	case Less:
		return order < 0
	case LessEqual:
		return order <= 0
	case Greater:
		return order > 0
	case GreaterEqual:
		return order >= 0
	case Between:
		high, _ := value.Compare(sort, r.High)
		return order >= 0 && high <= 0
	}
	return false
}

// Bounds returns the range as keys made by value.AppendKey: from lower, inclusive, to upper, exclusive. Without an
// upper bound, bounded is false; without a lower one, lower is "". Empty ranges have lower >= upper.
func (r KeyRange) Bounds() (lower, upper string, bounded bool) {
	key := value.KeyString(r.Low)
	switch r.Sort {
	case Equal:
		return key, after(key), true
	case Less:
		return "", key, true
	case LessEqual:
		return "", after(key), true
	case Greater:
		return after(key), "", false
	case GreaterEqual:
		return key, "", false
	case Between:
		return key, after(value.KeyString(r.High)), true
	case BeginsWith:
		upper, bounded = afterPrefix(key)
		return key, upper, bounded
	}
	return "", "", false
}

// after returns the least key that is greater.
func after(key string) string { return key + "\x00" }

// afterPrefix returns the least key that is greater than all that begin with the prefix, if there is one.
func afterPrefix(prefix string) (string, bool) {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xFF {
			return prefix[:i] + string([]byte{prefix[i] + 1}), true
		}
	}
	return "", false
}
