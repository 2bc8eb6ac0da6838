package dynamodb

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// action is what a request, or an operation of a transaction, asks for: one item.
type action struct {
	TableName           string
	Key, Item           item
	ConditionExpression string
	placeholders
	Expected            map[string]legacyCondition
	ConditionalOperator string
	// set by an operation of PartiQL
	Statement  string
	Parameters []attribute
}

// request is the body of any operation, as far as it is needed.
type request struct {
	action
	IndexName               string
	KeyConditionExpression  string
	FilterExpression        string
	KeyConditions           map[string]legacyCondition
	QueryFilter, ScanFilter map[string]legacyCondition
	ExclusiveStartKey       item
	NextToken               string
	ConsistentRead          bool
	Limit                   int
	Segment, TotalSegments  *int
	RequestItems            map[string]json.RawMessage
	TransactItems           []transactItem
	TransactStatements      []action // of ExecuteTransaction
	Statements              []action // of BatchExecuteStatement
}

// transactItem is one operation of a transaction.
type transactItem struct{ Get, Put, Update, Delete, ConditionCheck *action }

// kinds are the classes of one operation, by the members of a transactItem.
func (t transactItem) operation() (class string, of *action) {
	switch {
	case t.Get != nil:
		return Get, t.Get
	case t.Put != nil:
		return Put, t.Put
	case t.Update != nil:
		return Update, t.Update
	case t.Delete != nil:
		return Delete, t.Delete
	case t.ConditionCheck != nil:
		return check, t.ConditionCheck
	}
	return wire.Unknown, &action{}
}

// fill completes a call with what its body says. A body that is not JSON, or not that of a request, makes it unknown.
func (rd *reading) fill() {
	var r request
	if json.Unmarshal(rd.body.Data, &r) != nil {
		classed(&rd.call, wire.Unknown)
		return
	}
	call := &rd.call
	call.Resource, call.Index = tableOf(r.TableName), r.IndexName
	call.Consistent, call.Limit = r.ConsistentRead, r.Limit
	switch call.Operation {
	case "Query":
		rd.query(&r)
	case "Scan":
		rd.scan(&r)
	case "GetItem", "PutItem", "UpdateItem", "DeleteItem":
		rd.one(call, &r.action)
	case "BatchGetItem":
		rd.batchGet(r.RequestItems)
	case "BatchWriteItem":
		rd.batchWrite(r.RequestItems)
	case "TransactGetItems", "TransactWriteItems":
		for _, t := range r.TransactItems {
			class, of := t.operation()
			rd.inner(class, of)
		}
		rd.outer()
	case "ExecuteStatement":
		rd.statement(call, &r.action)
		if r.NextToken != "" && call.Effect == wire.Reads {
			classed(call, Page)
		}
	case "BatchExecuteStatement", "ExecuteTransaction":
		rd.statements(append(r.Statements, r.TransactStatements...))
	}
}

// query reads a Query. It is as broad as its key condition: DynamoDB reads what a filter drops.
func (rd *reading) query(r *request) {
	call := &rd.call
	tests, ok := r.keyCondition(r.KeyConditionExpression)
	call.Filter = r.expand(r.KeyConditionExpression)
	if r.KeyConditionExpression == "" {
		tests, ok = legacyKey(r.KeyConditions)
		call.Filter = legacyText(r.KeyConditions, "")
	}
	schema := rd.of.key(call.Resource, call.Index)
	if ok {
		selects(call, tests, schema)
	}
	if filter := r.filter(r.QueryFilter); filter != "" {
		call.Filter += " filter " + filter
	}
	if call.Index == "" && len(schema) > 0 && len(call.Key) == len(schema) {
		call.Breadth = wire.One
	}
	if len(r.ExclusiveStartKey) > 0 {
		classed(call, Page)
	}
}

func (r *request) filter(legacy map[string]legacyCondition) string {
	if r.FilterExpression != "" {
		return r.expand(r.FilterExpression)
	}
	return legacyText(legacy, r.ConditionalOperator)
}

func (rd *reading) scan(r *request) {
	rd.call.Filter = r.filter(r.ScanFilter)
	if r.Segment != nil && r.TotalSegments != nil {
		rd.call.Segment = strconv.Itoa(*r.Segment+1) + "/" + strconv.Itoa(*r.TotalSegments)
	}
	if len(r.ExclusiveStartKey) > 0 {
		classed(&rd.call, Page)
	}
}

// one reads the key, the condition and the guard of an operation on one item.
func (rd *reading) one(call *wire.Call, a *action) {
	schema := rd.of.key(tableOf(a.TableName), "")
	switch {
	case len(a.Key) > 0:
		call.Key = keyOf(a.Key, schema)
		if len(a.Key) == 1 {
			call.Parts = keyParts[:1]
		}
	case len(a.Item) > 0:
		if len(schema) == 0 {
			schema = customary(a.Item)
		}
		if call.Key = keyOf(a.Item, schema); len(schema) == 1 {
			call.Parts = keyParts[:1]
		}
	}
	if call.Conditional = a.expand(a.ConditionExpression); a.ConditionExpression == "" {
		call.Conditional = legacyText(a.Expected, a.ConditionalOperator)
	}
	call.Guard, call.Contends = guardOf(call.Class, call.Conditional), call.Writes()
}

// customary returns the attributes of an item that are the key by their names, if it has just one pair of such.
func customary(attributes item) []string {
	for _, pair := range [][]string{{"PK", "SK"}, {"pk", "sk"}} {
		if attributes[pair[0]] != nil && attributes[pair[1]] != nil {
			return pair
		}
	}
	return nil
}

// guardOf says what keeps a write of one item from replacing what its caller has not seen: its condition, or nothing.
// What a write without one replaces is only known to the store.
func guardOf(class, conditional string) wire.Guard {
	switch {
	case class != Put && class != Update && class != Delete:
		return wire.Unjudged
	case conditional != "":
		return wire.Guarded
	case class == Put:
		return wire.Blind
	}
	return wire.Unguarded
}

// inner adds an operation to a batch or a transaction.
func (rd *reading) inner(class string, a *action) *wire.Call {
	op := wire.Call{Service: Service, Resource: tableOf(a.TableName), Parts: keyParts, Operation: innerNames[class]}
	classed(&op, class)
	rd.one(&op, a)
	rd.call.Inner = append(rd.call.Inner, op)
	return &rd.call.Inner[len(rd.call.Inner)-1]
}

// innerNames are DynamoDB's names of operations in a batch or a transaction.
var innerNames = map[string]string{Get: "Get", Put: "Put", Update: "Update", Delete: "Delete",
	check: "ConditionCheck"}

// outer completes a call with what its operations have in common: their table, and their conditions.
func (rd *reading) outer() {
	var tables, conditions []string
	for _, op := range rd.call.Inner {
		if !slices.Contains(tables, op.Resource) {
			tables = append(tables, op.Resource)
		}
		if op.Conditional != "" {
			conditions = append(conditions, op.Conditional)
		}
	}
	if rd.call.Resource = ""; len(tables) == 1 {
		rd.call.Resource = tables[0]
	}
	rd.call.Conditional, rd.call.Contends = strings.Join(conditions, "; "), rd.call.Class == TransactWrite
}

func (rd *reading) batchGet(tables map[string]json.RawMessage) {
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		var asked struct {
			Keys           []item
			ConsistentRead bool
		}
		_ = json.Unmarshal(tables[table], &asked) // what cannot be read is not there
		for _, key := range asked.Keys {
			rd.inner(Get, &action{TableName: table, Key: key}).Consistent = asked.ConsistentRead
		}
		rd.call.Consistent = rd.call.Consistent || asked.ConsistentRead
	}
	rd.outer()
}

// batchWrite reads a BatchWriteItem. It takes no conditions: its deletes, which replace nothing, are not judged.
func (rd *reading) batchWrite(tables map[string]json.RawMessage) {
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		var asked []struct {
			PutRequest    *struct{ Item item }
			DeleteRequest *struct{ Key item }
		}
		_ = json.Unmarshal(tables[table], &asked) // what cannot be read is not there
		for _, one := range asked {
			switch {
			case one.PutRequest != nil:
				rd.inner(Put, &action{TableName: table, Item: one.PutRequest.Item})
			case one.DeleteRequest != nil:
				rd.inner(Delete, &action{TableName: table, Key: one.DeleteRequest.Key}).Guard = wire.Unjudged
			}
		}
	}
	rd.outer()
}
