package dynamodb

import (
	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// itemRequest is a request, or an action of a transaction, on one item.
type itemRequest struct {
	op expression.Operation
	// action is that of a transaction: Put, Update, Delete, ConditionCheck, Get.
	action    string
	tableName *string
	key       value.Item // nil: not given
	item      value.Item // nil: not given
	in        expression.Input
	parsed    expression.Parsed

	returnValues, capacity, metrics, onFailure *string
	consistent                                 bool
}

// readItemRequest reads the body of a request on one item.
func readItemRequest(body []byte, op expression.Operation) (*itemRequest, error) {
	r := value.NewReader(body)
	q := &itemRequest{op: op, in: expression.Input{Operation: op}}
	return q, r.Object(func(name string) error { return q.member(r, name) })
}

// member reads one member. Those that the operation does not have are dropped.
func (q *itemRequest) member(r *value.Reader, name string) (err error) {
	switch name {
	case "TableName":
		return readText(r, &q.tableName)
	case "ExpressionAttributeNames":
		q.in.Names, err = r.StringMap()
		return err
	case "ReturnConsumedCapacity":
		return readText(r, &q.capacity)
	}
	if q.op == expression.GetItem || q.action == "Get" {
		return q.readMember(r, name)
	}
	switch name {
	case "ConditionExpression":
		return readText(r, &q.in.Condition)
	case "ExpressionAttributeValues":
		q.in.Values, err = r.Item()
		return err
	case "ReturnValuesOnConditionCheckFailure":
		return readText(r, &q.onFailure)
	}
	if q.op == expression.Transaction {
		return q.writeMember(r, name)
	}
	switch name {
	case "Expected":
		q.in.Expected, err = expression.ReadExpected(r)
	case "ConditionalOperator":
		err = readText(r, &q.in.ConditionalOperator)
	case "ReturnValues":
		err = readText(r, &q.returnValues)
	case "ReturnItemCollectionMetrics":
		err = readText(r, &q.metrics)
	default:
		return q.writeMember(r, name)
	}
	return err
}

func (q *itemRequest) readMember(r *value.Reader, name string) (err error) {
	switch name {
	case "Key":
		q.key, err = r.Item()
	case "ConsistentRead":
		q.consistent, err = r.Bool()
	case "ProjectionExpression":
		err = readText(r, &q.in.Projection)
	case "AttributesToGet":
		q.in.AttributesToGet, err = r.Strings()
	default:
		err = r.Skip()
	}
	return err
}

func (q *itemRequest) writeMember(r *value.Reader, name string) (err error) {
	switch {
	case name == "Item" && q.puts():
		q.item, err = r.Item()
	case name == "Key" && !q.puts():
		q.key, err = r.Item()
	case name == "UpdateExpression" && q.updates():
		err = readText(r, &q.in.Update)
	case name == "AttributeUpdates" && q.op == expression.UpdateItem:
		q.in.AttributeUpdates, err = expression.ReadUpdates(r)
	default:
		err = r.Skip()
	}
	return err
}

func (q *itemRequest) puts() bool { return q.op == expression.PutItem || q.action == "Put" }

func (q *itemRequest) updates() bool { return q.op == expression.UpdateItem || q.action == "Update" }

func readText(r *value.Reader, into **string) error {
	text, err := r.String()
	*into = &text
	return err
}

// dataTable checks the name of a table that an operation on items has: an ARN will do, too.
func (c *checks) dataTable(name *string, at string) {
	if name == nil {
		c.missing(at)
		return
	}
	text := tableNameOf(*name)
	if !isName(text) && text != "" {
		c.add("'"+text+"'", at, "Member must satisfy regular expression pattern: "+namePattern)
	}
	c.length(len(text), text, at, 1, 255)
}

func (c *checks) capacity(mode *string) {
	c.optional(mode, "returnConsumedCapacity", "INDEXES", "TOTAL", "NONE")
}

func (c *checks) metrics(mode *string) {
	c.optional(mode, "returnItemCollectionMetrics", "SIZE", "NONE")
}

// text is what an optional string says, or otherwise the default.
func text(given *string, otherwise string) string {
	if given == nil {
		return otherwise
	}
	return *given
}

// check checks a request of PutItem, UpdateItem or DeleteItem as far as it can be without the table.
func (q *itemRequest) check() error {
	var found checks
	found.capacity(q.capacity)
	found.dataTable(q.tableName, "tableName")
	if q.puts() && q.item == nil {
		found.missing("item")
	}
	if !q.puts() && q.key == nil {
		found.missing("key")
	}
	for _, each := range q.in.Expected {
		found.optional(each.Operator, "expected."+each.Name+".member.comparisonOperator",
			expression.ComparisonOperators...)
	}
	found.optional(q.returnValues, "returnValues", "ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW")
	found.optional(q.onFailure, "returnValuesOnConditionCheckFailure", "ALL_OLD", "NONE")
	found.metrics(q.metrics)
	if p := found.problem(); p != nil {
		return p
	}
	if err := q.in.CheckUse(); err != nil {
		return enveloped(err)
	}
	if err := q.problem(); err != nil {
		return enveloped(err)
	}
	if q.op != expression.UpdateItem && q.returnValues != nil && *q.returnValues != "ALL_OLD" &&
		*q.returnValues != "NONE" {
		return invalid("ReturnValues can only be ALL_OLD or NONE")
	}
	if q.op == expression.PutItem && q.item.Size() > maxItem {
		return itemTooLarge()
	}
	return enveloped(q.parse())
}

func (q *itemRequest) problem() error {
	if err := q.key.Problem(); err != nil {
		return err
	}
	return q.item.Problem()
}

// parse parses the expressions and the legacy parameters.
func (q *itemRequest) parse() (err error) {
	if err := q.in.CheckLegacy(); err != nil {
		return err
	}
	q.parsed, err = q.in.Parse()
	return err
}

func itemTooLarge() error { return invalid("Item size has exceeded the maximum allowed size") }
