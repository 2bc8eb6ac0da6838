package dynamodb

import (
	"encoding/json"
	"net/http"
)

// Pretend answers a write as DynamoDB does if nothing is asked of it. Asked for the attributes of an updated item, it
// knows only the key.
func (p Protocol) Pretend(w http.ResponseWriter, req *http.Request, body []byte) {
	asked, _ := parseObject(body) // nothing is asked for if it cannot be read
	answer := object{}
	switch operationOf(req) {
	case "BatchWriteItem":
		answer = answer.with("UnprocessedItems", object{})
	case "UpdateItem":
		if wants := asked.text("ReturnValues"); wants == "ALL_NEW" || wants == "UPDATED_NEW" {
			answer = answer.with("Attributes", asked.get("Key"))
		}
	}
	reply(w, http.StatusOK, answer.bytes())
}

// conditions are the members of a write that hold its condition.
var conditions = []string{"ConditionExpression", "Expected", "ConditionalOperator",
	"ReturnValuesOnConditionCheckFailure"}

// Unconditional removes the condition of a write, and of every operation of a transaction; operations that are nothing
// but a condition are removed.
func (p Protocol) Unconditional(req *http.Request, body []byte) (*http.Request, []byte, bool) {
	asked, err := parseObject(body)
	if err != nil {
		return req, body, false
	}
	changed, ok := unconditional(asked)
	if operationOf(req) == "TransactWriteItems" {
		changed, ok = unconditionalAll(asked)
	}
	if !ok {
		return req, body, false
	}
	return withBody(req, changed.bytes()), changed.bytes(), true
}

// unconditional removes the condition of a write of one item, with the placeholders that only it uses: DynamoDB refuses
// those that are not used.
func unconditional(asked object) (object, bool) {
	if !asked.has("ConditionExpression") && !asked.has("Expected") {
		return asked, false
	}
	return onlyUsed(asked.without(conditions...)), true
}

func unconditionalAll(asked object) (object, bool) {
	var items []object
	var raw []json.RawMessage
	if json.Unmarshal(asked.get("TransactItems"), &raw) != nil {
		return asked, false
	}
	any := false
	for _, one := range raw {
		item, err := parseObject(one)
		if err != nil || len(item) == 0 {
			return asked, false
		}
		if item.has("ConditionCheck") {
			any = true
			continue
		}
		operation, err := parseObject(item[0].value)
		if err != nil {
			return asked, false
		}
		operation, had := unconditional(operation)
		any = any || had
		items = append(items, item.with(item[0].name, operation))
	}
	if !any || len(items) == 0 {
		return asked, false
	}
	return asked.with("TransactItems", items), true
}

// onlyUsed removes the placeholders that no expression of a request uses.
func onlyUsed(asked object) object {
	uses := used(asked.text("KeyConditionExpression"), asked.text("FilterExpression"),
		asked.text("ProjectionExpression"), asked.text("UpdateExpression"), asked.text("ConditionExpression"))
	for _, member := range []string{"ExpressionAttributeNames", "ExpressionAttributeValues"} {
		if !asked.has(member) {
			continue
		}
		if left := pruned(asked.get(member), uses); left != nil {
			asked = asked.with(member, left)
		} else {
			asked = asked.without(member)
		}
	}
	return asked
}

// selecting are the members of a query that select its items.
var selecting = []string{"KeyConditionExpression", "KeyConditions", "FilterExpression", "QueryFilter", "ScanFilter",
	"ConditionalOperator", "ScanIndexForward"}

// Unfiltered turns a query into a scan without a filter.
func (p Protocol) Unfiltered(req *http.Request, body []byte) (*http.Request, []byte, bool) {
	asked, err := parseObject(body)
	if operation := operationOf(req); err != nil || operation != "Query" && (operation != "Scan" ||
		!asked.has("FilterExpression") && !asked.has("ScanFilter")) {
		return req, body, false
	}
	changed := onlyUsed(asked.without(selecting...)).bytes()
	return asking(req, "Scan", changed), changed, true
}

// Named returns a GetItem for each item that a write names.
func (p Protocol) Named(req *http.Request, body []byte) []*http.Request {
	if call := p.wholeCall(req, body); !call.Writes() {
		return nil
	}
	var reads []*http.Request
	for _, key := range keysIn(req, body, p.Of) {
		get := object{}.with("TableName", key.table).with("Key", key.key).with("ConsistentRead", true)
		reads = append(reads, asking(req, "GetItem", get.bytes()))
	}
	return reads
}
