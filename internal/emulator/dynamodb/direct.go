package dynamodb

import (
	"fmt"
	"maps"
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// What a harness does to an account from outside: it is not a request, and sees every write.

// Tables returns the names of the tables, in order.
func (a *Account) Tables() []string {
	a.gate.RLock()
	defer a.gate.RUnlock()
	return slices.Sorted(maps.Keys(a.tables))
}

// Schema returns the key schema of a table; ok is false if there is none of this name.
func (a *Account) Schema(name string) (schema expression.Schema, ok bool) {
	a.gate.RLock()
	defer a.gate.RUnlock()
	t := a.tables[name]
	if t == nil {
		return schema, false
	}
	return t.schema, true
}

// Create creates a table as the request of CreateTable does, which is given as JSON. The error says what DynamoDB says.
func (a *Account) Create(request []byte) error {
	return a.run(&call{account: a, body: request}, tableOperations["CreateTable"])
}

// Get returns the item of a key; nil: there is none. The error says that there is no such table, that the key does not
// fit it, or is the engine's.
func (a *Account) Get(table string, key value.Item) (value.Item, error) {
	a.gate.RLock()
	defer a.gate.RUnlock()
	t, at, err := a.direct(table, key)
	if err != nil {
		return nil, err
	}
	stored, found, err := a.engine.Get(t.at(a.space.Data(), at), nil)
	if err != nil || !found {
		return nil, err
	}
	return value.Stored(stored)
}

// Items calls do with each item of a table until it returns false. The order is that of a Scan.
func (a *Account) Items(table string, do func(value.Item) bool) error {
	a.gate.RLock()
	defer a.gate.RUnlock()
	t := a.tables[table]
	if t == nil {
		return noTable(table)
	}
	lower := t.keysOf(a.space.Data(), nil)
	return a.engine.Each(lower, engine.End(nil, lower), lower, func(_, stored []byte) (bool, error) {
		item, err := value.Stored(stored)
		return err == nil && do(item), err
	})
}

// Put writes an item, with its entries in indexes and its record of a stream. Global secondary indexes have it at once.
func (a *Account) Put(table string, item value.Item) error {
	a.gate.RLock()
	defer a.gate.RUnlock()
	t := a.tables[table]
	if t == nil {
		return noTable(table)
	}
	if err := item.Problem(); err != nil {
		return err
	}
	key, err := t.keyOfItem(item)
	if err != nil {
		return err
	}
	return a.lay(t, key, item)
}

// Delete deletes an item, which need not exist.
func (a *Account) Delete(table string, key value.Item) error {
	a.gate.RLock()
	defer a.gate.RUnlock()
	t, at, err := a.direct(table, key)
	if err != nil {
		return err
	}
	return a.lay(t, at, nil)
}

func (a *Account) lay(t *table, key primaryKey, item value.Item) error {
	space := a.space.Data()
	defer a.space.Lock(t.at(space, key))()
	w, err := a.read(space, t, key)
	if err != nil {
		return err
	}
	w.set(item)
	w.laid = true
	return a.commit(space, w, nil)
}

func (a *Account) direct(name string, key value.Item) (*table, primaryKey, error) {
	t := a.tables[name]
	if t == nil {
		return nil, primaryKey{}, noTable(name)
	}
	at, err := t.lookup(key)
	return t, at, err
}

func noTable(name string) error { return fmt.Errorf("there is no table %s", name) }
