package tables

import (
	"bytes"

	"github.com/storespec/storespec/internal/emulator/engine"
	"github.com/storespec/storespec/internal/emulator/odata"
)

// bounds are the values that a filter's comparisons allow for a key.
type bounds struct {
	lower, upper         string
	hasLower, hasUpper   bool
	openLower, openUpper bool // the bound itself is excluded
}

// narrow applies a comparison; it returns false if the comparison bounds nothing.
func (b *bounds) narrow(op odata.Operator, value string) bool {
	if op == odata.Ne {
		return false
	}
	if op == odata.Eq || op == odata.Ge || op == odata.Gt {
		open := op == odata.Gt
		if !b.hasLower || value > b.lower || value == b.lower && open {
			b.lower, b.openLower, b.hasLower = value, open, true
		}
	}
	if op == odata.Eq || op == odata.Le || op == odata.Lt {
		open := op == odata.Lt
		if !b.hasUpper || value < b.upper || value == b.upper && open {
			b.upper, b.openUpper, b.hasUpper = value, open, true
		}
	}
	return true
}

// single reports whether exactly one value is left.
func (b *bounds) single() bool {
	return b.hasLower && b.hasUpper && b.lower == b.upper && !b.openLower && !b.openUpper
}

// keyRange is the part of a table that a query reads: the engine's keys from lower to upper, and of those the entities
// that rest matches (nil: all).
type keyRange struct {
	lower, upper []byte
	rest         predicate
}

// newKeyRange derives key bounds from a filter's comparisons of PartitionKey and, within one partition, of RowKey, if
// they hold for every entity in the answer: at the top level, joined by and. Comparisons covered by the bounds are not
// evaluated again.
func newKeyRange(space engine.Space, t *table, f odata.Filter) keyRange {
	if everything, ok := f.Root.(odata.Constant); ok {
		var r keyRange
		if r.lower, r.upper = space.Range(t.id); !everything {
			r.upper = r.lower
		}
		return r
	}
	conjuncts, _ := f.Root.(odata.And)
	if conjuncts == nil && f.Root != nil {
		conjuncts = odata.And{f.Root}
	}
	var partitions, rows bounds
	conjuncts = narrow(conjuncts, partitionKey, &partitions)
	prefix := []string{t.id}
	b := &partitions
	if partitions.single() {
		prefix, b = append(prefix, partitions.lower), &rows
		conjuncts = narrow(conjuncts, rowKey, &rows)
	}
	var r keyRange
	r.lower, r.upper = space.Range(prefix...)
	if b.hasLower {
		r.lower = space.Key(nil, append(prefix, b.lower)...)
		if b.openLower {
			r.lower = engine.End(nil, r.lower)
		}
	}
	if b.hasUpper {
		r.upper = space.Key(nil, append(prefix, b.upper)...)
		if !b.openUpper {
			r.upper = engine.End(nil, r.upper)
		}
	}
	if len(conjuncts) > 0 {
		r.rest = newPredicate(conjuncts)
	}
	return r
}

// narrow applies the comparisons of a key with a string to b and returns the remaining conjuncts.
func narrow(conjuncts odata.And, key string, b *bounds) (rest odata.And) {
	for _, e := range conjuncts {
		c, ok := e.(odata.Comparison)
		if ok && c.Property == key {
			if text, ok := c.Value.Value.(string); ok && b.narrow(c.Operator, text) {
				continue
			}
		}
		rest = append(rest, e)
	}
	return rest
}

// from raises the lower bound to a key.
func (r *keyRange) from(key []byte) {
	if bytes.Compare(key, r.lower) > 0 {
		r.lower = key
	}
}

func (r *keyRange) empty() bool { return bytes.Compare(r.lower, r.upper) >= 0 }
