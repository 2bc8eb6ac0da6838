package dynamodb

import (
	"encoding/json"
	"net/http"

	"github.com/storespec/storespec/internal/wire"
)

// metered are the operations that say what they have cost if they are asked to.
var metered = map[string]bool{"GetItem": true, "PutItem": true, "UpdateItem": true, "DeleteItem": true, "Query": true,
	"Scan": true, "BatchGetItem": true, "BatchWriteItem": true, "TransactGetItems": true, "TransactWriteItems": true,
	"ExecuteStatement": true, "BatchExecuteStatement": true, "ExecuteTransaction": true}

// Metered passes calls on to a store and lets it say what each has cost: where a client does not ask, the store is
// asked (ReturnConsumedCapacity) and the figure is taken out of the answer again. Only the store knows it: the size of
// what a filter drops or a condition looks at, and the writes to indexes, are in no answer. A call that the store
// refuses has no figure, also where it has cost something.
//
// It belongs behind the recorder: the call stays recorded as the client made it. The other members of an answer stay as
// they were, but the answer does not stream.
func (p Protocol) Metered(store http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !metered[operationOf(req)] {
			store.ServeHTTP(w, req)
			return
		}
		req, body := take(req)
		asked, err := parseObject(body)
		if wants := asked.text("ReturnConsumedCapacity"); err != nil || wants != "" && wants != "NONE" {
			store.ServeHTTP(w, req) // the answer says it to the client too
			return
		}
		changed := withBody(req, asked.with("ReturnConsumedCapacity", "TOTAL").bytes())
		p.Of.sign(changed)
		edited(wire.AnswerOf(store, w, changed), w, func(answer object) object {
			if units, ok := unitsOf(answer.get("ConsumedCapacity")); ok {
				wire.Consumed(req.Context(), units)
			}
			return answer.without("ConsumedCapacity")
		})
	})
}

// unitsOf adds the units in ConsumedCapacity: an object, or a list of one for each table.
func unitsOf(raw json.RawMessage) (units float64, ok bool) {
	type capacity struct{ CapacityUnits *float64 }
	var list []capacity
	if json.Unmarshal(raw, &list) != nil {
		var one capacity
		if json.Unmarshal(raw, &one) != nil {
			return 0, false
		}
		list = []capacity{one}
	}
	for _, one := range list {
		if one.CapacityUnits != nil {
			units, ok = units+*one.CapacityUnits, true
		}
	}
	return units, ok
}
