package wire

import (
	"net/http"
	"time"
)

// Service names the storage service a call was made to.
type Service string

// The services whose protocols this package decodes.
const (
	Table Service = "table"
	Blob  Service = "blob"
)

// Class says what a call makes the store do. Budgets are written in classes.
type Class string

// Classes of Azure Tables calls. A query is classed by its parsed $filter, see classOfQuery.
const (
	PointRead      Class = "point read"      // one entity by both keys, as an address or as a filter
	PartitionQuery Class = "partition query" // one PartitionKey, every row of it
	PartitionRange Class = "partition range" // one PartitionKey, a bounded range of RowKeys
	TableScan      Class = "table scan"      // anything else: the store may read the whole table
	Page           Class = "page"            // a query that continues an earlier one by its token
	Insert         Class = "insert"
	Update         Class = "update" // replace, conditional (If-Match)
	Merge          Class = "merge"  // merge, conditional (If-Match)
	Upsert         Class = "upsert" // insert-or-replace or insert-or-merge, unconditional
	Delete         Class = "delete" // an entity, or a blob
	Transaction    Class = "transaction"
	CreateTable    Class = "create table"
	DeleteTable    Class = "delete table"
	ListTables     Class = "list tables"
)

// Classes of Azure Blobs calls (Delete is shared with tables).
const (
	Read            Class = "read"
	Head            Class = "head"
	Write           Class = "write"
	List            Class = "list"
	Lease           Class = "lease"
	Copy            Class = "copy"
	CreateContainer Class = "create container"
	DeleteContainer Class = "delete container"
)

// Other is a call that is understood but is none of the classes a budget speaks of: service
// properties, statistics, access policies, container properties.
const Other Class = "other"

// Unknown is a call the decoder could not read. It is never within a budget.
const Unknown Class = "unknown"

// Call is one storage call as the store saw it. Its JSON form is that of event streams.
type Call struct {
	Service   Service `json:"service"`
	Class     Class   `json:"class"`
	Operation string  `json:"operation,omitempty"` // the REST operation's own name, such as "Insert Entity" or "Put Blob"

	Resource  string `json:"resource,omitempty"`  // table or container; empty for calls on the service
	Partition string `json:"partition,omitempty"` // PartitionKey, where the call names exactly one
	Row       string `json:"row,omitempty"`       // RowKey, where the call names exactly one
	Blob      string `json:"blob,omitempty"`      // blob name
	Filter    string `json:"filter,omitempty"`    // $filter as sent, decoded
	Prefix    string `json:"prefix,omitempty"`    // prefix of a blob listing

	Conditional string `json:"conditional,omitempty"` // the conditional header as sent, such as `If-Match: W/"…"`; empty if none
	Entities    int    `json:"entities,omitempty"`    // entities, blobs or tables in the answer, or EntitiesUnknown
	More        bool   `json:"more,omitempty"`        // a query of a table that the answer says is not at its end
	Inner       []Call `json:"inner,omitempty"`       // the operations of a transaction or blob batch, without times

	Status        int           `json:"status"`              // 0: no answer was given
	ErrorCode     string        `json:"errorCode,omitempty"` // x-ms-error-code, or the code in the error body where it is known
	RequestBytes  int64         `json:"requestBytes,omitempty"`
	ResponseBytes int64         `json:"responseBytes,omitempty"`
	Start         time.Time     `json:"start,omitzero"` // when the request's header had arrived
	Duration      time.Duration `json:"durationNs,omitempty"`
	Attempts      int           `json:"attempts,omitempty"` // 1 plus the SDK's retries that were folded into this call

	ClientID string `json:"-"` // x-ms-client-request-id as sent: the same for all attempts of a call, where an SDK sends one
	Trace    string `json:"-"` // trace id of the traceparent as sent, whoever began the trace; empty if none

	Request int  `json:"-"`                 // number of the client request it belongs to, from 1; 0: none was sent before it
	ByTrace bool `json:"byTrace,omitempty"` // it is that request's because it carries its trace, not because of when it arrived
	Late    bool `json:"late,omitempty"`    // it arrived after that request had been answered
}

// Writes reports whether the call is of a class that changes entities or blobs. Creating tables and
// containers is not a write: the provisioning rule judges it.
func (c Call) Writes() bool {
	switch c.Class {
	case Insert, Update, Merge, Upsert, Delete, Transaction, Write, Copy, DeleteTable, DeleteContainer:
		return true
	}
	return false
}

// Provisions reports whether the call only creates or looks up tables and containers.
func (c Call) Provisions() bool {
	switch c.Class {
	case CreateTable, ListTables, CreateContainer:
		return true
	}
	return false
}

// Succeeded reports whether the store answered with a status below 400. A transaction whose inner
// operation failed did not succeed, although its own status is 202.
func (c Call) Succeeded() bool {
	if c.Status == 0 || c.Status >= http.StatusBadRequest {
		return false
	}
	for _, op := range c.Inner {
		if op.Status >= http.StatusBadRequest {
			return false
		}
	}
	return true
}
