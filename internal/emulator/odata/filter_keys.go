package odata

// The key properties of every entity.
const (
	partitionKey = "PartitionKey"
	rowKey       = "RowKey"
)

// PartitionKey returns the partition that the filter is limited to, and whether it is limited to one. Only the
// top-level conjuncts count, since only they hold for every entity in the answer.
func (f Filter) PartitionKey() (string, bool) {
	k := f.keys()
	return k.partition.value, k.partition.count == 1
}

// RowKey returns the row key of every returned entity, and whether the filter names exactly one.
func (f Filter) RowKey() (string, bool) {
	k := f.keys()
	return k.row.value, k.row.count == 1
}

// BoundsRowKey reports whether the filter bounds the row key on one side or both, with gt, ge, lt or le, without an
// equality. Row keys under an or bound nothing.
func (f Filter) BoundsRowKey() bool {
	k := f.keys()
	return k.rowBound && k.row.count == 0
}

// keyValues counts the distinct values that a key is compared with for equality, up to two.
type keyValues struct {
	value string
	count int
}

func (k *keyValues) add(value string) {
	switch {
	case k.count == 0:
		k.value, k.count = value, 1
	case k.value != value:
		k.value, k.count = "", 2
	}
}

type filterKeys struct {
	partition, row keyValues
	rowBound       bool
}

func (f Filter) keys() filterKeys {
	var k filterKeys
	if f.Root == nil {
		return k
	}
	for _, conjunct := range conjuncts(f.Root) {
		c, ok := conjunct.(Comparison)
		if !ok {
			continue
		}
		value, ok := c.Value.Value.(string)
		if !ok {
			continue // keys are strings: a constant of another type selects nothing
		}
		switch {
		case c.Property == partitionKey && c.Operator == Eq:
			k.partition.add(value)
		case c.Property == rowKey && c.Operator == Eq:
			k.row.add(value)
		case c.Property == rowKey && c.Operator != Ne:
			k.rowBound = true
		}
	}
	return k
}
