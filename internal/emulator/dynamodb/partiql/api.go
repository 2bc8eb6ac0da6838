package partiql

import (
	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Verb is the kind of a statement.
type Verb uint8

// The verbs. Exists is SELECT within EXISTS( … ), which ExecuteTransaction takes as a condition check.
const (
	Select Verb = iota + 1
	Insert
	Update
	Delete
	Exists
)

// Statement is a parsed statement.
type Statement struct {
	Verb         Verb
	Table, Index string
	// Projection is what a SELECT selects; nil for *.
	Projection *expression.Projection
	// Where is the whole WHERE clause; nil if there is none.
	Where *expression.Condition
	// Descending is ORDER BY … DESC; OrderBy is the name of the key.
	OrderBy    string
	Descending bool
	// Item is what an INSERT inserts.
	Item value.Item
	// Update is what an UPDATE does.
	Update *expression.Update
	// Returning is "", or the ReturnValues that the RETURNING clause means: ALL_OLD, ALL_NEW, UPDATED_OLD
	// (MODIFIED OLD *), UPDATED_NEW (MODIFIED NEW *).
	Returning string
}

// Parse parses a statement with its parameters, which stand for ? in it, in their order.
func Parse(statement string, parameters []value.Value) (*Statement, error) { panic("todo") }

// Lookup is what a WHERE clause says about keys.
type Lookup struct {
	// Ranges are the ranges of keys that hold every item the statement means: one for pk = x, several for pk IN (…);
	// none if the whole table or index must be read.
	Ranges []expression.KeyRange
	// Exact says that each range is one key: partition and, if the schema has one, sort key by equality.
	Exact bool
	// Rest says that WHERE has conditions other than those of the ranges; the service evaluates Where for each item.
	Rest bool
}

// Lookup returns what the statement's WHERE clause says about the keys of a table or an index.
func (s *Statement) Lookup(schema expression.Schema) (Lookup, error) { panic("todo") }

// Key returns the key of the one item that an UPDATE, DELETE or EXISTS means, or DynamoDB's error if the WHERE clause
// does not give every key attribute by equality.
func (s *Statement) Key(schema expression.Schema) (value.Item, error) { panic("todo") }
