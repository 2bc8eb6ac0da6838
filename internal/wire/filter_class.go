package wire

// The key properties of every entity.
const (
	partitionKey = "PartitionKey"
	rowKey       = "RowKey"
)

// Class says what a query with this filter makes the Table service read, after "Design for querying"
// of the Azure documentation: a point query, a range query, a partition scan or a table scan.
//
// Only the conjuncts at the top count, since only they hold for every entity in the answer. One
// equality of PartitionKey with a string keeps the query in that partition; one of RowKey too makes
// it a point read; RowKey with gt, ge, lt or le makes it a range, on one side or both. Row keys
// under an or are not a range. Equalities with two partitions contradict each other: that query is
// a table scan, because nothing says where the store looks.
func (f Filter) Class() Class {
	k := f.keys()
	switch {
	case k.partition.count != 1:
		return TableScan
	case k.row.count == 1:
		return PointRead
	case k.row.count == 0 && k.rowBound:
		return PartitionRange
	}
	return PartitionQuery
}

// PartitionKey gives the partition the filter keeps to, and whether it keeps to one.
func (f Filter) PartitionKey() (string, bool) {
	k := f.keys()
	return k.partition.value, k.partition.count == 1
}

// RowKey gives the row key every answered entity has, and whether the filter names exactly one.
func (f Filter) RowKey() (string, bool) {
	k := f.keys()
	return k.row.value, k.row.count == 1
}

// keyValues counts the different values a key is set equal to, up to two.
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
			continue // keys are strings: another type selects nothing and says nothing
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
