package wire

import "github.com/storespec/storespec/internal/odata"

// The key properties of every entity.
const (
	partitionKey = "PartitionKey"
	rowKey       = "RowKey"
)

// classOfQuery says what a query with this filter makes the Table service read, after "Design for
// querying" of the Azure documentation: a point query, a range query, a partition scan or a table
// scan.
//
// One equality of PartitionKey with a string keeps the query in that partition; one of RowKey too
// makes it a point read; RowKey with gt, ge, lt or le makes it a range, on one side or both. Row keys
// under an or are not a range. Equalities with two partitions contradict each other: that query is
// a table scan, because nothing says where the store looks.
func classOfQuery(filter odata.Filter) Class {
	if _, one := filter.PartitionKey(); !one {
		return TableScan
	}
	if _, one := filter.RowKey(); one {
		return PointRead
	}
	if filter.BoundsRowKey() {
		return PartitionRange
	}
	return PartitionQuery
}
