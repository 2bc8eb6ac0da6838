package dynamodb

import (
	"encoding/json"
	"net/http"

	"github.com/storespec/storespec/internal/wire"
)

// Leave passes BatchWriteItem and BatchGetItem on without their last n items, and returns those as UnprocessedItems or
// UnprocessedKeys. DynamoDB leaves items when it is throttled or has read 16 MiB, and refuses a batch of which it
// could do nothing (API Reference, BatchWriteItem).
func (p Protocol) Leave(n int, service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		member, batch := map[string]string{"BatchWriteItem": "UnprocessedItems",
			"BatchGetItem": "UnprocessedKeys"}[operationOf(req)]
		if !batch {
			service.ServeHTTP(w, req)
			return
		}
		req, body := take(req)
		asked, err := parseObject(body)
		if err != nil {
			service.ServeHTTP(w, req)
			return
		}
		done, left := divided(asked.get("RequestItems"), n)
		if len(left) == 0 {
			service.ServeHTTP(w, req)
			return
		}
		req = withBody(req, asked.with("RequestItems", done).bytes())
		p.Of.sign(req)
		edited(wire.AnswerOf(service, w, req), w, func(answer object) object {
			unprocessed, _ := parseObject(answer.get(member)) // none if it is missing
			for _, table := range left {
				unprocessed = joined(unprocessed, table)
			}
			return answer.with(member, unprocessed)
		})
	})
}

// divided splits the items of a batch: the last n are left, but never all of them.
func divided(raw json.RawMessage, n int) (done, left object) {
	tables, err := parseObject(raw)
	if err != nil {
		return nil, nil
	}
	total := 0
	for _, table := range tables {
		total += len(itemsOf(table.value))
	}
	n = min(n, total-1)
	done = object{}
	for i := len(tables) - 1; i >= 0; i-- {
		items := itemsOf(tables[i].value)
		leaves := max(0, min(n, len(items)))
		n -= leaves
		cut := len(items) - leaves
		if cut > 0 {
			done = append(object{{tables[i].name, withItems(tables[i].value, items[:cut])}}, done...)
		}
		if leaves > 0 {
			left = append(left, member{tables[i].name, withItems(tables[i].value, items[cut:])})
		}
	}
	return done, left
}

// itemsOf returns what a batch asks for of one table: a list of writes, or an object with Keys.
func itemsOf(raw json.RawMessage) (items []json.RawMessage) {
	if json.Unmarshal(raw, &items) == nil {
		return items
	}
	asked, err := parseObject(raw)
	if err != nil || json.Unmarshal(asked.get("Keys"), &items) != nil {
		return nil
	}
	return items
}

// withItems returns what a batch asks for of one table, with other items.
func withItems(raw json.RawMessage, items []json.RawMessage) json.RawMessage {
	if asked, err := parseObject(raw); err == nil {
		return asked.with("Keys", items).bytes()
	}
	list, _ := marshal(items) // raw JSON can always be encoded
	return list
}

// joined adds what is left of one table to what the store itself has left.
func joined(unprocessed object, table member) object {
	if there := unprocessed.get(table.name); there != nil {
		return unprocessed.with(table.name, withItems(there,
			append(itemsOf(there), itemsOf(table.value)...)))
	}
	return append(unprocessed, table)
}
