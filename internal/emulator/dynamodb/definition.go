package dynamodb

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// The members of requests and answers about tables (API Reference, "CreateTable", "TableDescription").

type keyElement struct {
	AttributeName string
	KeyType       string // HASH, RANGE
}

type attributeDefinition struct {
	AttributeName string
	AttributeType string // S, N, B
}

type throughput struct {
	ReadCapacityUnits  int64
	WriteCapacityUnits int64
}

type onDemand struct {
	MaxReadRequestUnits  *int64 `json:",omitempty"`
	MaxWriteRequestUnits *int64 `json:",omitempty"`
}

type projection struct {
	ProjectionType   string   `json:",omitempty"` // ALL, KEYS_ONLY, INCLUDE
	NonKeyAttributes []string `json:",omitempty"`
}

// definition is what the catalogue has of a table, as JSON.
type definition struct {
	TableName string
	TableID   string
	// Short is the table's name in the keys of its items.
	Short                string
	Created              time.Time
	AttributeDefinitions []attributeDefinition
	KeySchema            []keyElement
	OnDemand             bool      // its BillingMode is PAY_PER_REQUEST
	SwitchedToOnDemand   time.Time // zero: never
	Throughput           throughput
	Increased, Decreased time.Time // of the throughput; zero: never
	Local, Global        []indexDefinition
	Streams              []streamDefinition // the last is the latest
	Protected            bool               // from deletion
	Class                string
	Encrypted            bool
	MaxOnDemand          *onDemand
	TTL                  string // the attribute; empty: disabled
	Tags                 map[string]string
	Recovery             bool // point in time, only described
	RecoverySince        time.Time
}

// indexDefinition is a secondary index of a definition.
type indexDefinition struct {
	IndexName   string
	Short       string
	KeySchema   []keyElement
	Projection  projection
	Throughput  throughput
	MaxOnDemand *onDemand
}

// streamDefinition is a stream of a table. A table has at most one that is enabled.
type streamDefinition struct {
	Label   string // when it was enabled
	View    string // KEYS_ONLY, NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES
	Enabled bool
	Short   string
	Since   time.Time
	Ended   time.Time
}

// table is a table in use. It does not change: UpdateTable makes another that shares what is counted.
type table struct {
	definition
	schema  expression.Schema
	indexes []*index // global, then local
	stream  *stream  // nil: none is enabled
	counts  *counts
	expiry  *expiry // nil: TTL is disabled
}

// index is a secondary index in use.
type index struct {
	indexDefinition
	schema expression.Schema
	global bool
	// projected are the names of the attributes that it has, in order; nil: all.
	projected []string
	counts    *counts
}

// counts are the items and their size, for descriptions.
type counts struct{ items, bytes atomic.Int64 }

func (c *counts) add(items, bytes int64) {
	c.items.Add(items)
	c.bytes.Add(bytes)
}

// newTable makes a definition usable. was is the table before a change, nil if there was none.
func newTable(d definition, was *table) *table {
	t := &table{definition: d, schema: d.schemaOf(d.KeySchema), counts: &counts{}}
	if was != nil {
		t.counts, t.stream, t.expiry = was.counts, was.stream, was.expiry
	}
	for _, each := range d.Global {
		t.indexes = append(t.indexes, newIndex(&d, each, true, was))
	}
	for _, each := range d.Local {
		t.indexes = append(t.indexes, newIndex(&d, each, false, was))
	}
	switch n := len(d.Streams); {
	case n == 0 || !d.Streams[n-1].Enabled:
		t.stream = nil
	case t.stream == nil || t.stream.Label != d.Streams[n-1].Label:
		t.stream = newStream(d.Streams[n-1])
	}
	if d.TTL == "" {
		t.expiry = nil
	} else if t.expiry == nil {
		t.expiry = &expiry{}
	}
	return t
}

func newIndex(d *definition, each indexDefinition, global bool, was *table) *index {
	x := &index{indexDefinition: each, schema: d.schemaOf(each.KeySchema), global: global, counts: &counts{}}
	if was != nil {
		if old := was.index(each.IndexName); old != nil && old.Short == each.Short {
			x.counts = old.counts
		}
	}
	if each.Projection.ProjectionType != "ALL" {
		for _, key := range append(slices.Clone(d.KeySchema), each.KeySchema...) {
			x.projected = append(x.projected, key.AttributeName)
		}
		x.projected = append(x.projected, each.Projection.NonKeyAttributes...)
		slices.Sort(x.projected)
		x.projected = slices.Compact(x.projected)
	}
	return x
}

// schemaOf returns a key schema with the types of its attributes.
func (d *definition) schemaOf(keys []keyElement) expression.Schema {
	var s expression.Schema
	for _, key := range keys {
		kind := value.Invalid
		for _, a := range d.AttributeDefinitions {
			if a.AttributeName == key.AttributeName {
				kind = value.KindOf(a.AttributeType)
			}
		}
		if key.KeyType == "HASH" {
			s.Partition, s.PartitionKind = key.AttributeName, kind
		} else {
			s.Sort, s.SortKind = key.AttributeName, kind
		}
	}
	return s
}

// index returns the index of a name; nil: there is none.
func (t *table) index(name string) *index {
	for _, x := range t.indexes {
		if x.IndexName == name {
			return x
		}
	}
	return nil
}

// has says whether the index has an attribute.
func (x *index) has(name string) bool {
	if x.projected == nil {
		return true
	}
	_, found := slices.BinarySearch(x.projected, name)
	return found
}

// project returns what the index has of an item.
func (x *index) project(item value.Item) value.Item {
	if x.projected == nil {
		return item
	}
	var some value.Item
	for _, a := range item {
		if x.has(a.Name) {
			some = append(some, a)
		}
	}
	return some
}

// local says whether the table has local indexes, and so item collections.
func (t *table) local() bool { return len(t.Local) > 0 }

// keyNames returns the names of the key attributes of the table and, if x is not nil, of the index, without repeats.
func (t *table) keyNames(x *index) []string {
	names := []string{t.schema.Partition}
	if t.schema.Sort != "" {
		names = append(names, t.schema.Sort)
	}
	if x != nil {
		for _, key := range x.KeySchema {
			if !slices.Contains(names, key.AttributeName) {
				names = append(names, key.AttributeName)
			}
		}
	}
	return names
}
