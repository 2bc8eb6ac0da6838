package azure

import (
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/emulator/odata"
	"github.com/storespec/storespec/internal/wire"
)

// queryEntities is also the REST documentation's name for reading one entity.
const queryEntities = "Query Entities"

// table reads a request to the Table service, following its REST documentation ("Operations on the account",
// "Operations on tables", "Operations on entities").
func (rd *reading) table(h wire.Head) {
	a, ok := parseTableAddress(resourcePath(Table, h.Host, h.Path))
	if !ok {
		return
	}
	method := h.Method
	if tunnelled := h.Header.Get("X-HTTP-Method"); method == http.MethodPost && tunnelled != "" {
		method = tunnelled // for clients behind a firewall that blocks MERGE
	}
	comp, _ := azureauth.Lookup(h.Query, "comp")
	switch {
	case a.name == "":
		if restype, _ := azureauth.Lookup(h.Query, "restype"); restype == "service" && comp != "acl" {
			rd.oneOf(tableOperations, method+" "+comp)
		}
	case a.name == "$batch":
		if method == http.MethodPost {
			rd.is("Entity Group Transaction", Transaction)
			rd.batch = newBatchRequest(Table, h)
		}
	case a.name == "Tables":
		rd.tables(h, method, a)
	case comp == "acl":
		rd.call.Resource = a.name
		rd.oneOf(tableOperations, method+" acl")
	case comp == "":
		rd.call.Resource = a.name
		rd.entities(h, method, a)
	}
}

// tableOperations are the requests to the service, with restype=service, and the requests for a table's access
// policies, by method and the comp parameter.
var tableOperations = map[string]operation{
	"GET properties": {"Get Table Service Properties", other, ""},
	"PUT properties": {"Set Table Service Properties", other, ""},
	"GET stats":      {"Get Table Service Stats", other, ""},
	"GET acl":        {"Get Table ACL", other, ""},
	"HEAD acl":       {"Get Table ACL", other, ""},
	"PUT acl":        {"Set Table ACL", other, ""},
}

func (rd *reading) tables(h wire.Head, method string, a tableAddress) {
	rd.call.Resource = a.key
	switch {
	case method == http.MethodGet && a.form == namedAddress:
		rd.is("Query Tables", ListTables)
		rd.found = true
	case method == http.MethodGet && a.form != keyedAddress:
		rd.is("Query Tables", ListTables)
		rd.call.Filter, _ = azureauth.Lookup(h.Query, "$filter")
		rd.counts = jsonList
	case method == http.MethodPost && a.form == bareAddress:
		rd.is("Create Table", CreateTable)
		rd.entity = newJSONScanner("TableName")
	case method == http.MethodDelete && a.form == namedAddress:
		rd.is("Delete Table", DeleteTable)
	}
}

func (rd *reading) entities(h wire.Head, method string, a tableAddress) {
	switch {
	case a.form == namedAddress: // an entity has two keys
	case a.form == keyedAddress:
		rd.call.Key = keyOf(a.partition, a.row)
		rd.entityOperation(method)
	case method == http.MethodGet:
		rd.queryEntities(h)
	case method == http.MethodPost && a.form == bareAddress:
		rd.is("Insert Entity", Insert)
		rd.entity = newJSONScanner(partitionKey, rowKey)
	}
}

// entityOperation classifies a request to one entity. Without If-Match, PUT and MERGE insert an entity that does not
// exist ("Insert Or Replace Entity", "Insert Or Merge Entity").
func (rd *reading) entityOperation(method string) {
	hasMatch := strings.HasPrefix(rd.call.Conditional, "If-Match:")
	switch {
	case method == http.MethodGet:
		rd.is(queryEntities, PointRead)
		rd.found = true
	case method == http.MethodDelete:
		rd.is("Delete Entity", Delete)
	case method == http.MethodPut && hasMatch:
		rd.is("Update Entity", Update)
	case method == http.MethodPut:
		rd.is("Insert Or Replace Entity", Upsert)
	case method != "MERGE" && method != http.MethodPatch:
	case hasMatch:
		rd.is("Merge Entity", Merge)
	default:
		rd.is("Insert Or Merge Entity", Upsert)
	}
}

func (rd *reading) queryEntities(h wire.Head) {
	rd.counts = jsonList
	rd.is(queryEntities, TableScan)
	rd.call.Filter, _ = azureauth.Lookup(h.Query, "$filter")
	if filter, err := odata.ParseFilter(rd.call.Filter); err == nil {
		rd.classed(classOfQuery(filter))
		if partition, ok := filter.PartitionKey(); ok {
			row, _ := filter.RowKey()
			rd.call.Key = keyOf(partition, row)
		}
	}
	_, nextPartition := azureauth.Lookup(h.Query, nextPartitionKey)
	_, nextRow := azureauth.Lookup(h.Query, nextRowKey)
	if nextPartition || nextRow {
		rd.classed(Page)
	}
}

// The key properties of every entity.
const (
	partitionKey = "PartitionKey"
	rowKey       = "RowKey"
)

// classOfQuery determines what a query with this filter makes the Table service read, following "Design for querying"
// in the Azure documentation: a point query, a range query, a partition scan or a table scan.
//
// One equality of PartitionKey with a string keeps the query in that partition; a second one of RowKey makes it a point
// read; RowKey with gt, ge, lt or le makes it a range, on one side or both. Row keys under an or do not form a range.
// Equalities with two partitions contradict each other: that query is a table scan, because nothing determines where
// the store looks.
func classOfQuery(filter odata.Filter) string {
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
