package dynamodb

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// named is the key of an item, with the types of its attributes.
type named struct {
	table string
	key   item
}

// String is the same for keys of the same item, whatever the order of their attributes.
func (n named) String() string {
	text := n.table
	for _, name := range slices.Sorted(maps.Keys(n.key)) {
		text += "\x00" + name + "\x00" + shown(n.key[name])
	}
	return text
}

// keysIn returns the keys of the items that a request names. The key of an item that is put whole is in the item: where
// the schema is not known, it is left out.
func keysIn(req *http.Request, body []byte, of *Tables) (list []named) {
	var r request
	if json.Unmarshal(body, &r) != nil {
		return nil
	}
	add := func(table string, key, whole item) {
		if len(key) == 0 {
			key = keyIn(whole, of.key(tableOf(table), ""))
		}
		if len(key) > 0 {
			list = append(list, named{tableOf(table), key})
		}
	}
	switch operationOf(req) {
	case "GetItem", "PutItem", "UpdateItem", "DeleteItem":
		add(r.TableName, r.Key, r.Item)
	case "TransactWriteItems", "TransactGetItems":
		for _, one := range r.TransactItems {
			_, a := one.operation()
			add(a.TableName, a.Key, a.Item)
		}
	case "BatchWriteItem", "BatchGetItem":
		for _, table := range slices.Sorted(maps.Keys(r.RequestItems)) {
			for _, one := range itemsOf(r.RequestItems[table]) {
				var write struct {
					PutRequest    struct{ Item item }
					DeleteRequest struct{ Key item }
				}
				if json.Unmarshal(one, &write) == nil &&
					(write.PutRequest.Item != nil || write.DeleteRequest.Key != nil) {
					add(table, write.DeleteRequest.Key, write.PutRequest.Item)
					continue
				}
				var key item
				_ = json.Unmarshal(one, &key) // without one, the key stays empty
				add(table, key, nil)
			}
		}
	}
	return list
}

// keyIn returns the key of an item.
func keyIn(whole item, schema []string) item {
	if len(schema) == 0 {
		schema = customary(whole)
	}
	key := item{}
	for _, name := range schema {
		if whole[name] == nil {
			return nil
		}
		key[name] = whole[name]
	}
	return key
}
