package tables

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// table is a table that exists.
type table struct {
	name string // as it was created; names are the same in any case
	id   string // under which its entities lie: never that of an earlier table
}

// The catalogue's keys: the service's part, what it is about, the table's name in small letters.
const (
	catalogueTables   = "table"
	cataloguePolicies = "table-policies"
)

// catalogue says which tables an account has. It is kept in memory, since every request asks.
type catalogue struct {
	engine  *engine.Engine
	account *engine.Account

	mu     sync.RWMutex
	loaded bool
	drops  uint64 // of the account, when it was loaded
	exact  map[string]*table
	folded map[string]*table // by name in small letters
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
	it, err := c.engine.Iter(c.account.Catalogue().Range(catalogueTables))
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		record, err := it.Value()
		if err != nil {
			return errors.Join(fmt.Errorf("list tables: %w", err), it.Close())
		}
		id, n := binary.Uvarint(record)
		if n <= 0 {
			return errors.Join(errors.New("list tables: malformed record"), it.Close())
		}
		c.add(string(record[n:]), id)
	}
	if err := it.Close(); err != nil {
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

// create makes a table; false: there is one of that name.
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
	// Writes that were under way when a table of this name or number was deleted may have left
	// something.
	err = errors.Join(
		b.DeleteRange(c.account.Data().Range(strconv.FormatUint(id, 36))),
		b.Delete(c.key(cataloguePolicies, name)),
	)
	if err == nil {
		err = b.Set(c.key(catalogueTables, name), append(binary.AppendUvarint(nil, id), name...))
	}
	if err == nil {
		err = b.Commit()
	}
	if err != nil {
		return false, fmt.Errorf("create a table: %w", err)
	}
	c.add(name, id)
	return true, nil
}

// remove deletes a table with its entities and policies; false: there is none.
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

// list gives the tables in the order of their names.
func (c *catalogue) list() ([]*table, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(c.folded))
	for name := range c.folded {
		names = append(names, name)
	}
	sort.Strings(names)
	tables := make([]*table, len(names))
	for i, name := range names {
		tables[i] = c.folded[name]
	}
	return tables, nil
}
