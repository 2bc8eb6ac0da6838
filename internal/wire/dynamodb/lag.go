package dynamodb

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/storespec/storespec/internal/wire"
)

// Lagging answers reads from before the last write: items that it changed are as they were, and those that it added are
// missing. Those that it deleted are put back where they are asked for by their keys, not in queries.
func (p Protocol) Lagging(resource string, sign func(*http.Request), service http.Handler) http.Handler {
	return &lag{of: p, resource: resource, sign: sign, next: service}
}

// MayLag reports whether DynamoDB may answer a read without the last writes (Developer Guide, "DynamoDB read
// consistency"): it does not ask for strong consistency, or is of an index.
func (Protocol) MayLag(call wire.Call) bool {
	return call.Effect == wire.Reads && !call.Consistent && call.Class != TransactGet && call.Class != check
}

type lag struct {
	of       Protocol
	resource string
	sign     func(*http.Request)
	next     http.Handler

	mu     sync.Mutex
	former map[string]json.RawMessage // what the last write changed, as it was, by key; null: there was no such item
}

func (l *lag) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	req, body := take(req)
	call := l.of.wholeCall(req, body)
	switch {
	case call.Resource != l.resource:
		l.next.ServeHTTP(w, req)
	case call.Writes():
		l.write(w, req, body)
	case call.Effect == wire.Reads && call.Class != check:
		l.read(w, req, body)
	default:
		l.next.ServeHTTP(w, req)
	}
}

// write remembers what a write changes, if it succeeds.
func (l *lag) write(w http.ResponseWriter, req *http.Request, body []byte) {
	former := map[string]json.RawMessage{}
	keys := keysIn(req, body, l.of.Of)
	for i, read := range l.of.Named(req, body) {
		l.sign(read)
		answer, err := parseObject(wire.Discard(l.next, read).Body)
		if err != nil {
			continue
		}
		was := answer.get("Item")
		if was == nil {
			was = json.RawMessage("null")
		}
		former[keys[i].String()] = was
	}
	answer := wire.AnswerOf(l.next, w, req)
	if answer.Status < http.StatusBadRequest {
		l.mu.Lock()
		l.former = former
		l.mu.Unlock()
	}
	answer.Send(w)
}

// was returns an item as it was before the last write; changed is false for one that it did not change.
func (l *lag) was(key named) (before json.RawMessage, changed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before, changed = l.former[key.String()]
	return before, changed
}

func (l *lag) read(w http.ResponseWriter, req *http.Request, body []byte) {
	keys := keysIn(req, body, l.of.Of)
	operation := operationOf(req)
	edited(wire.AnswerOf(l.next, w, req), w, func(answer object) object {
		switch operation {
		case "GetItem":
			if len(keys) == 1 {
				return l.item(answer, keys[0])
			}
		case "Query", "Scan":
			items := l.items(answer.get("Items"))
			answer = answer.with("Items", items)
			if answer.has("Count") {
				answer = answer.with("Count", json.RawMessage(strconv.Itoa(len(items))))
			}
		case "BatchGetItem":
			tables, err := parseObject(answer.get("Responses"))
			if err != nil {
				return answer
			}
			for _, table := range tables {
				tables = tables.with(table.name, l.items(table.value))
			}
			return answer.with("Responses", tables)
		case "TransactGetItems":
			return l.responses(answer, keys)
		}
		return answer
	})
}

// item changes the item of an answer into what it was.
func (l *lag) item(answer object, key named) object {
	before, changed := l.was(key)
	switch {
	case !changed:
		return answer
	case string(before) == "null":
		return answer.without("Item")
	}
	return answer.with("Item", before)
}

func (l *lag) responses(answer object, keys []named) object {
	var list []json.RawMessage
	if json.Unmarshal(answer.get("Responses"), &list) != nil || len(list) != len(keys) {
		return answer
	}
	for i, raw := range list {
		if one, err := parseObject(raw); err == nil {
			list[i] = l.item(one, keys[i]).bytes()
		}
	}
	return answer.with("Responses", list)
}

// items changes a list of items into what they were.
func (l *lag) items(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return []json.RawMessage{}
	}
	schema := l.of.Of.key(l.resource, "")
	for i, raw := range list {
		var whole item
		if json.Unmarshal(raw, &whole) != nil {
			continue
		}
		if before, changed := l.was(named{l.resource, keyIn(whole, schema)}); changed {
			list[i] = before
		}
	}
	return slices.DeleteFunc(list, func(one json.RawMessage) bool { return string(one) == "null" })
}
