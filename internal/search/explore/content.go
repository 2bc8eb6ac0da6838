package explore

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/kv"
)

// content is what the store of a side contains, read again where something was written.
type content struct {
	lane  *lane.Lane
	keys  map[string][]string // the columns of a resource that are a row's key, outermost first
	words map[string]string   // what features call a resource, by its name in this lane
	at    map[string]map[string]*record
	paths map[string]bool // the resources that hold objects
}

// record is a row or an object.
type record struct {
	key     []string
	columns map[string]any    // by name; of an object: content, and expires
	types   map[string]string // of a row's columns
	raw     string            // equal for equal records
}

// change is a record before and after a step; nil: there was none.
type change struct {
	resource      string
	key           string
	before, after *record
}

// readContent reads everything.
func readContent(ctx context.Context, l *lane.Lane) (*content, error) {
	c := &content{lane: l, keys: map[string][]string{}, words: map[string]string{},
		at: map[string]map[string]*record{}, paths: map[string]bool{}}
	for word := range l.Maker.System.Names {
		c.words[l.Called(word)] = word
	}
	if l.Lease.Rows() != nil {
		names, err := l.Lease.Rows().Resources(ctx)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if _, err := c.readRows(ctx, name, nil); err != nil {
				return nil, err
			}
		}
	}
	if l.Lease.Objects() != nil {
		resource := l.Maker.System.Container
		if l.Maker.System.Store == string(kv.Service) {
			resource = kv.Namespace // as calls name it
		}
		if _, err := c.readObjects(ctx, resource, nil); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// word returns what the features call a resource.
func (c *content) word(name string) string {
	if word, ok := c.words[name]; ok {
		return word
	}
	return name
}

// written is what calls may have changed, by resource: the keys of rows or objects; nil: any.
type written map[string][][]string

// add notes a call. what it names is a row or an object, unless it does not say which.
func (w written) add(call wire.Call) {
	known, seen := w[call.Resource]
	switch {
	case !call.NamesOne() && len(call.Inner) > 0: // each of those names its own
	case !call.NamesOne(), seen && known == nil, len(known) == mostNamed:
		w[call.Resource] = nil
	default:
		w[call.Resource] = append(known, call.Key)
	}
}

// mostNamed is how many rows or objects are read one by one, instead of all of them.
const mostNamed = 8

// update reads what calls may have written and returns what has changed.
func (c *content) update(ctx context.Context, calls []wire.Call) (changed []change, err error) {
	rows, objects := written{}, written{}
	for _, call := range calls {
		refused := call.Status >= http.StatusBadRequest && call.Status < http.StatusInternalServerError
		if refused && call.Attempts <= 1 {
			continue // nothing was written
		}
		for _, one := range append([]wire.Call{call}, call.Inner...) {
			switch {
			case !one.Writes() || one.Resource == "":
			case one.Path():
				objects.add(one)
			default:
				rows.add(one)
			}
		}
	}
	for _, of := range []struct {
		named written
		read  func(context.Context, string, [][]string) ([]change, error)
	}{{rows, c.readRows}, {objects, c.readObjects}} {
		for _, name := range slices.Sorted(maps.Keys(of.named)) {
			found, err := of.read(ctx, name, of.named[name])
			if err != nil {
				return nil, err
			}
			changed = append(changed, found...)
		}
	}
	return changed, nil
}

// all reads everything that it knows of once more.
func (c *content) all(ctx context.Context) ([]change, error) {
	var changed []change
	for _, word := range slices.Sorted(maps.Keys(c.at)) {
		name := word
		for actual, w := range c.words {
			if w == word {
				name = actual
			}
		}
		read := c.readRows
		if c.paths[word] {
			read = c.readObjects
		}
		found, err := read(ctx, name, nil)
		if err != nil {
			return nil, err
		}
		changed = append(changed, found...)
	}
	return changed, nil
}

// readRows reads rows of a resource by their keys; all of them if keys is nil.
func (c *content) readRows(ctx context.Context, name string, keys [][]string) ([]change, error) {
	var found []store.Row
	now := map[string]*record{}
	if keys == nil {
		var err error
		if found, err = c.lane.Lease.Rows().List(ctx, name, nil); err != nil {
			return nil, fmt.Errorf("read the rows of %s: %w", name, err)
		}
	} else {
		maps.Copy(now, c.at[c.word(name)])
	}
	for _, key := range keys {
		delete(now, strings.Join(key, "\x00"))
		row, err := c.lane.Lease.Rows().Get(ctx, name, key)
		if err != nil {
			return nil, fmt.Errorf("read a row of %s: %w", name, err)
		}
		if row != nil {
			found = append(found, row)
		}
	}
	if len(found) > 0 && c.keys[name] == nil {
		var err error
		if c.keys[name], err = c.lane.Lease.Rows().KeyColumns(ctx, name); err != nil {
			return nil, fmt.Errorf("read the key of %s: %w", name, err)
		}
	}
	for _, row := range found {
		one := newRecord(row, c.keys[name])
		now[strings.Join(one.key, "\x00")] = one
	}
	return c.replace(c.word(name), now), nil
}

// newRecord converts a row.
func newRecord(row store.Row, keys []string) *record {
	one := &record{columns: make(map[string]any, len(row)), types: make(map[string]string, len(row))}
	for name, value := range row {
		one.columns[name], one.types[name] = unfold(value.Is), value.Type
	}
	for _, column := range keys {
		one.key = append(one.key, asText(row[column].Is))
	}
	raw := &strings.Builder{}
	for _, name := range slices.Sorted(maps.Keys(row)) {
		if name != "Timestamp" {
			fmt.Fprintf(raw, "%s\x00%s\x00%v\x00", name, row[name].Type, row[name].Is)
		}
	}
	delete(one.columns, "Timestamp") // the service's own
	one.raw = raw.String()
	return one
}

// unfold returns the JSON in a text, if it is an object or a list.
func unfold(value any) any {
	text, is := value.(string)
	if !is || len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return value
	}
	if parsed, ok := parse([]byte(text)); ok {
		return parsed
	}
	return value
}

func parse(text []byte) (value any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	return value, err == nil && !decoder.More()
}

// readObjects reads objects of a resource by their keys; all of them if keys is nil.
func (c *content) readObjects(ctx context.Context, name string, keys [][]string) ([]change, error) {
	objects := c.lane.Lease.Objects()
	c.paths[c.word(name)] = true
	now := map[string]*record{}
	if keys == nil {
		listed, err := objects.List(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("list the objects of %s: %w", name, err)
		}
		for _, key := range listed {
			keys = append(keys, []string{key})
		}
	} else {
		maps.Copy(now, c.at[c.word(name)])
	}
	for _, of := range keys {
		key := of[0]
		text, err := objects.Get(ctx, name, key)
		if err != nil {
			return nil, fmt.Errorf("read an object of %s: %w", name, err)
		}
		if delete(now, key); text != nil {
			now[key] = c.object(ctx, name, key, text)
		}
	}
	return c.replace(c.word(name), now), nil
}

// object converts an object. When it expires is known of some stores.
func (c *content) object(ctx context.Context, resource, key string, text []byte) *record {
	one := &record{key: []string{key}, columns: map[string]any{}, raw: string(text)}
	switch parsed, ok := parse(text); {
	case ok:
		one.columns["content"] = parsed
	case utf8.Valid(text):
		one.columns["content"] = string(text)
	default:
		one.columns["content"] = base64.StdEncoding.EncodeToString(text)
	}
	if expiring, ok := c.lane.Lease.Objects().(store.Expiring); ok {
		if at, now, err := expiring.Expires(ctx, resource, key); err == nil && !at.IsZero() {
			shifted := time.Now().Add(at.Sub(now)) // the store's clock may have been moved
			one.columns["expires"] = shifted.UTC().Format("2006-01-02T15:04:05Z")
			one.raw += "\x00" + at.Format(time.RFC3339)
		}
	}
	return one
}

// replace makes records the content of a resource and returns what has changed.
func (c *content) replace(resource string, now map[string]*record) (changed []change) {
	before := c.at[resource]
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if old := before[key]; old == nil || old.raw != now[key].raw {
			changed = append(changed, change{resource, key, old, now[key]})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if now[key] == nil {
			changed = append(changed, change{resource, key, before[key], nil})
		}
	}
	c.at[resource] = now
	return changed
}
