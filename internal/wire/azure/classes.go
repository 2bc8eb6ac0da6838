package azure

import (
	"slices"

	"github.com/storespec/storespec/internal/wire"
)

// Classes of Azure Tables calls. A query is classed by its parsed $filter, see classOfQuery.
const (
	PointRead      = "point read"      // one entity by both keys, as an address or as a filter
	PartitionQuery = "partition query" // one PartitionKey, every row of it
	PartitionRange = "partition range" // one PartitionKey, a bounded range of RowKeys
	TableScan      = "table scan"      // anything else: the store may read the whole table
	Page           = "page"            // a query that continues an earlier one by its continuation token
	Insert         = "insert"
	Update         = "update" // replace, conditional (If-Match)
	Merge          = "merge"  // merge, conditional (If-Match)
	Upsert         = "upsert" // insert-or-replace or insert-or-merge, unconditional
	Delete         = "delete" // an entity, or a blob
	Transaction    = "transaction"
	CreateTable    = "create table"
	DeleteTable    = "delete table"
	ListTables     = "list tables"
)

// Classes of Azure Blobs calls (Delete is shared with tables).
const (
	Read            = "read"
	Head            = "head"
	Write           = "write"
	List            = "list"
	Lease           = "lease"
	Copy            = "copy"
	CreateContainer = "create container"
	DeleteContainer = "delete container"
)

// other is a call that is understood but has no class that budgets use: service properties, statistics, access
// policies, container properties.
const other = "other"

// anyWrite is the budget word for any single change of one entity.
const anyWrite = "write"

// Classes returns the classes of tables, ordered by how much they make the store read.
func (Tables) Classes() []wire.Class {
	write := []string{anyWrite}
	return []wire.Class{
		{Name: PointRead, Effect: wire.Reads, Breadth: wire.One},
		{Name: PartitionQuery, Effect: wire.Reads, Breadth: wire.Some},
		{Name: PartitionRange, Effect: wire.Reads, Breadth: wire.Some},
		{Name: TableScan, Effect: wire.Reads, Breadth: wire.Whole},
		{Name: Page, Effect: wire.Reads, Breadth: wire.Some},
		{Name: Insert, Effect: wire.Writes, Breadth: wire.One, In: write},
		{Name: Update, Effect: wire.Writes, Breadth: wire.One, In: write},
		{Name: Merge, Effect: wire.Writes, Breadth: wire.One, In: write},
		{Name: Upsert, Effect: wire.Writes, Breadth: wire.One, In: write},
		{Name: Delete, Effect: wire.Writes, Breadth: wire.One},
		{Name: Transaction, Effect: wire.Writes, Breadth: wire.Some},
	}
}

// Classes returns the classes of blobs.
func (Blobs) Classes() []wire.Class {
	return []wire.Class{
		{Name: Read, Effect: wire.Reads, Breadth: wire.One},
		{Name: Head, Effect: wire.Reads, Breadth: wire.One},
		{Name: Write, Effect: wire.Writes, Breadth: wire.One},
		{Name: Delete, Effect: wire.Writes, Breadth: wire.One},
		{Name: List, Effect: wire.Reads, Breadth: wire.Some},
		{Name: Lease, Effect: wire.Other, Breadth: wire.One},
		{Name: Copy, Effect: wire.Writes, Breadth: wire.One},
	}
}

// beyondBudgets returns the classes that budgets do not use.
func beyondBudgets() []wire.Class {
	return []wire.Class{
		{Name: CreateTable, Effect: wire.Provisions, Breadth: wire.One},
		{Name: CreateContainer, Effect: wire.Provisions, Breadth: wire.One},
		{Name: ListTables, Effect: wire.Surveys, Breadth: wire.Some},
		{Name: DeleteTable, Effect: wire.Writes, Breadth: wire.Whole},
		{Name: DeleteContainer, Effect: wire.Writes, Breadth: wire.Whole},
		{Name: other, Effect: wire.Other, Breadth: wire.Whole},
		{Name: wire.Unknown, Effect: wire.Other, Breadth: wire.Whole},
	}
}

// known maps names to classes: those that tables and blobs share are the same in both.
var known = func() map[string]wire.Class {
	all := map[string]wire.Class{}
	for _, class := range slices.Concat(Tables{}.Classes(), Blobs{}.Classes(), beyondBudgets()) {
		all[class.Name] = class
	}
	return all
}()

// The names of the parts of a key in each service.
var (
	entityKey = []string{"partition", "row"}
	blobKey   = []string{"blob"}
)

func partsOf(service wire.Service) []string {
	if service == Blob {
		return blobKey
	}
	return entityKey
}
