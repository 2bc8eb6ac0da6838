package dynamodb

import (
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/partiql"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/wire"
)

// statements reads a batch or a transaction of statements, which all read or all write.
func (rd *reading) statements(list []action) {
	writes := false
	for i := range list {
		op := wire.Call{Service: Service, Parts: keyParts}
		rd.statement(&op, &list[i])
		op.Operation = strings.ToUpper(op.Class)
		writes = writes || op.Effect == wire.Writes
		rd.call.Inner = append(rd.call.Inner, op)
	}
	switch transaction := rd.call.Operation == "ExecuteTransaction"; {
	case len(list) == 0:
	case transaction && writes:
		classed(&rd.call, TransactWrite)
	case transaction:
		classed(&rd.call, TransactGet)
	case writes:
		classed(&rd.call, BatchWrite)
	default:
		classed(&rd.call, BatchGet)
	}
	rd.outer()
	for _, op := range rd.call.Inner { // a batch is as broad as the broadest of its statements
		if op.Scans() {
			rd.call.Breadth = wire.Whole
		}
	}
}

// statement classes a statement of PartiQL by what it makes the store do (Developer Guide, "PartiQL select statements":
// without an equality or IN condition on the partition key, it is a full table scan). One that DynamoDB would refuse is
// read as far as it goes.
func (rd *reading) statement(call *wire.Call, a *action) {
	parameters := make([]value.Value, len(a.Parameters))
	for i, raw := range a.Parameters {
		if v, err := value.ParseValue(string(raw)); err == nil {
			parameters[i] = v
		} else {
			parameters[i] = value.Null()
		}
	}
	s, _ := partiql.Read(a.Statement, parameters)
	if s == nil {
		classed(call, wire.Unknown)
		return
	}
	call.Resource, call.Index = tableOf(s.Table), s.Index
	schema := rd.of.key(call.Resource, call.Index)
	if len(schema) == 1 {
		call.Parts = keyParts[:1]
	}
	switch s.Verb {
	case partiql.Select:
		selected(call, s, schema)
	case partiql.Insert:
		classed(call, Put)
		attributes := item{}
		for _, a := range s.Item {
			switch a.Value.Kind {
			case value.S, value.N, value.B:
				attributes[a.Name] = a.Value.AppendJSON(nil)
			}
		}
		call.Key = keyOf(attributes, schema)
		call.Conditional, call.Guard = "INSERT", wire.Guarded // it fails if the item exists
	case partiql.Update:
		classed(call, Update)
		changed(call, s, schema)
	case partiql.Delete:
		classed(call, Delete)
		changed(call, s, schema)
	case partiql.Exists: // a condition of a transaction: EXISTS(SELECT …)
		classed(call, check)
		changed(call, s, schema)
	}
}

func selected(call *wire.Call, s *partiql.Statement, schema []string) {
	classed(call, Scan)
	call.Filter = s.Clause()
	tests, _ := testsOf(s)
	partition := func(t test) bool {
		if len(schema) > 0 {
			return t.attribute == schema[0]
		}
		return rank(t.attribute) == 0
	}
	if !slices.ContainsFunc(tests, func(t test) bool {
		return partition(t) && (t.operator == "=" || t.operator == "in")
	}) {
		return
	}
	classed(call, Query)
	if len(schema) == 0 {
		tests = slices.DeleteFunc(tests, func(t test) bool { return rank(t.attribute) == 1 })
	}
	used := selects(call, tests, schema)
	if call.Index == "" && len(schema) > 0 && len(used) == len(schema) && len(call.Key) == len(schema) {
		classed(call, Get)
	}
}

// changed reads the key that a statement changes, and its other conditions.
func changed(call *wire.Call, s *partiql.Statement, schema []string) {
	tests, conditions := testsOf(s)
	isKey := func(t test) bool {
		if len(schema) > 0 {
			return slices.Contains(schema, t.attribute)
		}
		return rank(t.attribute) != 1
	}
	var keys []test
	var texts []string
	for _, t := range tests {
		if isKey(t) && t.operator == "=" {
			keys = append(keys, t)
		} else {
			texts = append(texts, strings.TrimSpace(t.attribute+" "+t.operator+" "+t.from+" "+t.to))
		}
	}
	if len(keys) > 0 {
		selects(call, keys, schema)
	}
	call.Conditional = strings.Join(append(texts, conditions...), " AND ")
	call.Guard = guardOf(call.Class, call.Conditional)
}

// testsOf returns the conditions of a statement that must all hold, and the texts of those that are not on one
// attribute.
func testsOf(s *partiql.Statement) (tests []test, others []string) {
	found, others := s.Where.Tests()
	for _, one := range found {
		tests = append(tests, testOf(one, expression.Text))
	}
	return tests, others
}
