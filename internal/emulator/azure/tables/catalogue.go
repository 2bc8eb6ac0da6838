package tables

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// table is an existing table.
type table struct {
	name string // as it was created; names are case-insensitive
	id   string // the id of its entities' keys: never that of an earlier table
}

// The catalogue's keys: the service's part, the kind of entry, the table's name in lower case.
const (
	catalogueTables   = "table"
	cataloguePolicies = "table-policies"
)

// catalogue lists the tables of an account. It is kept in memory, since every request needs it.
type catalogue struct {
	engine  *engine.Engine
	account *engine.Account

	mu     sync.RWMutex
	loaded bool
	drops  uint64 // of the account, when it was loaded
	exact  map[string]*table
	folded map[string]*table // by name in lower case
	lastID uint64
}

// lookup finds a table; nil: there is none.
func (c *catalogue) lookup(name string) (*table, error) {
	c.mu.RLock()
	if c.current() {
		defer c.mu.RUnlock()
		return c.find(name), nil
	}
	c.mu.RUnlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		return nil, err
	}
	return c.find(name), nil
}

func (c *catalogue) current() bool { return c.loaded && c.drops == c.account.Drops() }

func (c *catalogue) find(name string) *table {
	if t := c.exact[name]; t != nil {
		return t
	}
	return c.folded[strings.ToLower(name)]
}

// load reads the catalogue unless it is in memory.
func (c *catalogue) load() error {
	if c.current() {
		return nil
	}
	c.drops, c.loaded = c.account.Drops(), false
	c.exact, c.folded = map[string]*table{}, map[string]*table{}
	lower, upper := c.account.Catalogue().Range(catalogueTables)
	err := c.engine.Each(lower, upper, nil, func(_, record []byte) (bool, error) {
		id, n := binary.Uvarint(record)
		if n <= 0 {
			return false, errors.New("malformed record")
		}
		c.add(string(record[n:]), id)
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}
	c.loaded = true
	return nil
}

func (c *catalogue) add(name string, id uint64) {
	t := &table{name: name, id: strconv.FormatUint(id, 36)}
	c.exact[name], c.folded[strings.ToLower(name)] = t, t
	c.lastID = max(c.lastID, id)
}

func (c *catalogue) key(kind, name string) []byte {
	return c.account.Catalogue().Key(nil, kind, strings.ToLower(name))
}

// create creates a table; created is false if one with that name exists.
func (c *catalogue) create(name string) (created bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		return false, err
	}
	if c.find(name) != nil {
		return false, nil
	}
	id := c.lastID + 1
	b := c.engine.NewBatch()
	defer b.Discard()
	// Writes that were in flight when a table of this name or number was deleted may have left rows.
	err = errors.Join(
		b.DeleteRange(c.account.Data().Range(strconv.FormatUint(id, 36))),
		b.Delete(c.key(cataloguePolicies, name)),
		b.Set(c.key(catalogueTables, name), append(binary.AppendUvarint(nil, id), name...)),
	)
	if err == nil {
		err = b.Commit()
	}
	if err != nil {
		return false, fmt.Errorf("create a table: %w", err)
	}
	c.add(name, id)
	return true, nil
}

// remove deletes a table with its entities and policies; removed is false if it does not exist.
func (c *catalogue) remove(name string) (removed bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		return false, err
	}
	t := c.find(name)
	if t == nil {
		return false, nil
	}
	b := c.engine.NewBatch()
	defer b.Discard()
	err = errors.Join(
		b.Delete(c.key(catalogueTables, name)),
		b.Delete(c.key(cataloguePolicies, name)),
		b.DeleteRange(c.account.Data().Range(t.id)),
	)
	if err == nil {
		err = b.Commit()
	}
	if err != nil {
		return false, fmt.Errorf("delete a table: %w", err)
	}
	delete(c.exact, t.name)
	delete(c.folded, strings.ToLower(t.name))
	return true, nil
}

// list returns the tables in name order.
func (c *catalogue) list() ([]*table, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		return nil, err
	}
	tables := make([]*table, 0, len(c.folded))
	for _, name := range slices.Sorted(maps.Keys(c.folded)) {
		tables = append(tables, c.folded[name])
	}
	return tables, nil
}
