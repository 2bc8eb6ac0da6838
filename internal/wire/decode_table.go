package wire

import (
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/odata"
)

// table reads a request to the Table service, after its REST documentation ("Operations on the
// account", "Operations on tables", "Operations on entities").
func (rd *reading) table(h head) {
	a, ok := parseTableAddress(resourcePath(h.service, h.host, h.path))
	if !ok {
		return
	}
	method := h.method
	if tunnelled := h.header.Get("X-HTTP-Method"); method == http.MethodPost && tunnelled != "" {
		method = tunnelled // for clients whose firewall passes no MERGE
	}
	comp, _ := queryValue(h.query, "comp")
	switch {
	case a.name == "":
		rd.tableService(h, method, comp)
	case a.name == "$batch":
		if method == http.MethodPost {
			rd.is("Entity Group Transaction", Transaction)
			rd.batch = newBatchRequest(h)
		}
	case a.name == "Tables":
		rd.tables(h, method, a)
	case comp == "acl":
		rd.call.Resource = a.name
		rd.accessPolicy(method, "Table")
	case comp == "":
		rd.call.Resource = a.name
		rd.entities(h, method, a)
	}
}

func (rd *reading) accessPolicy(method, resource string) {
	switch method {
	case http.MethodGet, http.MethodHead:
		rd.is("Get "+resource+" ACL", Other)
	case http.MethodPut:
		rd.is("Set "+resource+" ACL", Other)
	}
}

func (rd *reading) tableService(h head, method, comp string) {
	if restype, _ := queryValue(h.query, "restype"); restype != "service" {
		return
	}
	switch method + " " + comp {
	case "GET properties":
		rd.is("Get Table Service Properties", Other)
	case "PUT properties":
		rd.is("Set Table Service Properties", Other)
	case "GET stats":
		rd.is("Get Table Service Stats", Other)
	}
}

func (rd *reading) tables(h head, method string, a tableAddress) {
	rd.call.Resource = a.key
	switch {
	case method == http.MethodGet && a.form == namedAddress:
		rd.is("Query Tables", ListTables)
		rd.found = true
	case method == http.MethodGet && a.form != keyedAddress:
		rd.is("Query Tables", ListTables)
		rd.call.Filter, _ = queryValue(h.query, "$filter")
		rd.counts = jsonList
	case method == http.MethodPost && a.form == bareAddress:
		rd.is("Create Table", CreateTable)
		rd.entity = newJSONScanner("TableName")
	case method == http.MethodDelete && a.form == namedAddress:
		rd.is("Delete Table", DeleteTable)
	}
}

func (rd *reading) entities(h head, method string, a tableAddress) {
	switch {
	case a.form == namedAddress: // an entity has two keys
	case a.form == keyedAddress:
		rd.call.Partition, rd.call.Row = a.partition, a.row
		rd.entityOperation(method)
	case method == http.MethodGet:
		rd.queryEntities(h)
	case method == http.MethodPost && a.form == bareAddress:
		rd.is("Insert Entity", Insert)
		rd.entity = newJSONScanner(partitionKey, rowKey)
	}
}

// entityOperation classes a request to one entity. Without If-Match, PUT and MERGE insert what is
// not there ("Insert Or Replace Entity", "Insert Or Merge Entity").
func (rd *reading) entityOperation(method string) {
	hasMatch := strings.HasPrefix(rd.call.Conditional, "If-Match:")
	switch {
	case method == http.MethodGet:
		rd.is("Query Entities", PointRead)
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

func (rd *reading) queryEntities(h head) {
	rd.counts = jsonList
	rd.is("Query Entities", TableScan)
	rd.call.Filter, _ = queryValue(h.query, "$filter")
	if filter, err := odata.ParseFilter(rd.call.Filter); err == nil {
		rd.call.Class = classOfQuery(filter)
		if partition, ok := filter.PartitionKey(); ok {
			rd.call.Partition = partition
			if row, ok := filter.RowKey(); ok {
				rd.call.Row = row
			}
		}
	}
	_, nextPartition := queryValue(h.query, "NextPartitionKey")
	_, nextRow := queryValue(h.query, "NextRowKey")
	if nextPartition || nextRow {
		rd.call.Class = Page
	}
}
