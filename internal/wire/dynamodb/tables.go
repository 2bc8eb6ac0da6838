package dynamodb

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// Tables is what a protocol has to know of one store besides its calls. The zero value knows what the calls themselves
// say. It is safe for concurrent use.
type Tables struct {
	// Describe looks up the keys of a table of which no call has said anything; nil, and false: they are not known.
	Describe func(table string) (Schema, bool)
	// Sign signs a request that was changed; nil: the store checks no signatures.
	Sign func(*http.Request)

	mu    sync.Mutex
	known map[string]Schema
}

// Schema is the keys of a table and of its indexes: names of attributes, the partition key's first.
type Schema struct {
	Key     []string
	Indexes map[string][]string
}

// Learn notes the keys of a table.
func (t *Tables) Learn(table string, schema Schema) {
	if t == nil || len(schema.Key) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[string]Schema{}
	}
	t.known[table] = schema
}

// key returns the names of the key's attributes of a table, or of one of its indexes; none: not known.
func (t *Tables) key(table, index string) []string {
	if t == nil || table == "" {
		return nil
	}
	t.mu.Lock()
	schema, ok := t.known[table]
	t.mu.Unlock()
	if !ok && t.Describe != nil {
		if schema, ok = t.Describe(table); ok {
			t.Learn(table, schema)
		}
	}
	if index == "" {
		return schema.Key
	}
	return schema.Indexes[index]
}

func (t *Tables) sign(req *http.Request) {
	if t != nil && t.Sign != nil {
		t.Sign(req)
	}
}

// keyElement is an attribute of a key in the definition of a table.
type keyElement struct{ AttributeName, KeyType string }

// definition is what a definition of a table says of keys: the body of CreateTable, and Table in what DescribeTable
// answers.
type definition struct {
	TableName              string
	KeySchema              []keyElement
	GlobalSecondaryIndexes []indexDefinition
	LocalSecondaryIndexes  []indexDefinition
}

type indexDefinition struct {
	IndexName string
	KeySchema []keyElement
}

// SchemaOf reads the keys of a table from its definition, as CreateTable takes it and DescribeTable gives it.
func SchemaOf(raw []byte) (table string, schema Schema, ok bool) {
	var d definition
	if json.Unmarshal(raw, &d) != nil || len(d.KeySchema) == 0 {
		return "", Schema{}, false
	}
	schema = Schema{Key: names(d.KeySchema), Indexes: map[string][]string{}}
	for _, index := range append(d.GlobalSecondaryIndexes, d.LocalSecondaryIndexes...) {
		schema.Indexes[index.IndexName] = names(index.KeySchema)
	}
	return tableOf(d.TableName), schema, true
}

// names returns the attributes of a key, the partition key's first.
func names(elements []keyElement) (list []string) {
	for _, kind := range []string{"HASH", "RANGE"} {
		for _, one := range elements {
			if one.KeyType == kind {
				list = append(list, one.AttributeName)
			}
		}
	}
	return list
}

// tableOf returns the name of a table that is given as a name or as an ARN.
func tableOf(name string) string {
	if !strings.HasPrefix(name, "arn:") {
		return name
	}
	_, after, _ := strings.Cut(name, ":table/")
	table, _, _ := strings.Cut(after, "/")
	return table
}

// guess orders the names of two attributes of a key whose schema is not known, the partition key's first: by the names
// that are customary, else by the alphabet, since SDKs send the members of a key in any order.
func guess(a, b string) (partition, sort string) {
	if rank(a) > rank(b) || rank(a) == rank(b) && a > b {
		a, b = b, a
	}
	return a, b
}

func rank(name string) int {
	name = strings.ToLower(name)
	for _, part := range []string{"pk", "partition", "hash"} {
		if strings.Contains(name, part) {
			return 0
		}
	}
	for _, part := range []string{"sk", "sort", "range"} {
		if strings.Contains(name, part) {
			return 2
		}
	}
	return 1
}
