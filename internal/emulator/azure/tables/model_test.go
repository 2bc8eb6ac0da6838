package tables

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// model is the table service as one would describe it: tables of entities of properties.
type model map[string]map[[2]string]*modelEntity

type modelEntity struct {
	properties map[string]string // name → JSON
	etag       string
}

// modelChange is one write.
type modelChange struct {
	method, partition, row string
	match                  string // "", "*", "current" or "old"
	properties             map[string]string
}

func (c modelChange) body() string {
	members := []string{`"PartitionKey":"` + c.partition + `"`, `"RowKey":"` + c.row + `"`}
	for _, name := range slices.Sorted(maps.Keys(c.properties)) {
		members = append(members, `"`+name+`":`+c.properties[name])
	}
	return "{" + strings.Join(members, ",") + "}"
}

const oldETag = `W/"datetime'2020-01-01T00%3A00%3A00Z'"`

func (c modelChange) ifMatch(there *modelEntity) string {
	switch {
	case c.match == "current" && there != nil:
		return there.etag
	case c.match == "current" || c.match == "old":
		return oldETag
	}
	return c.match
}

// apply changes the table, or says with which status it is refused.
func (c modelChange) apply(table map[[2]string]*modelEntity) int {
	key := [2]string{c.partition, c.row}
	there := table[key]
	switch {
	case c.method == "POST" && there != nil:
		return 409
	case c.method == "DELETE" && c.match == "":
		return 400
	case c.method != "POST" && c.match != "" && there == nil:
		return 404
	case c.method != "POST" && c.match == "old":
		return 412
	}
	switch c.method {
	case "DELETE":
		delete(table, key)
		return 204
	case "MERGE":
		merged := map[string]string{}
		if there != nil {
			maps.Copy(merged, there.properties)
		}
		maps.Copy(merged, c.properties)
		table[key] = &modelEntity{properties: merged}
		return 204
	}
	table[key] = &modelEntity{properties: maps.Clone(c.properties)}
	if c.method == "POST" {
		return 201
	}
	return 204
}

// machine runs the service and the model side by side.
type machine struct {
	e     *emulator
	model model
}

var (
	modelTables = []string{"One", "Two"}
	modelKeys   = []string{"", "a", "a'", "b%", "ü"}
)

func (m *machine) table(t *rapid.T) string { return rapid.SampledFrom(modelTables).Draw(t, "table") }

func (m *machine) change(t *rapid.T, partition string) modelChange {
	c := modelChange{
		method:     rapid.SampledFrom([]string{"POST", "PUT", "MERGE", "DELETE"}).Draw(t, "method"),
		partition:  partition,
		row:        rapid.SampledFrom(modelKeys).Draw(t, "row"),
		match:      rapid.SampledFrom([]string{"", "*", "current", "old"}).Draw(t, "match"),
		properties: map[string]string{},
	}
	for _, name := range []string{"A", "B", "C"} {
		if n := rapid.IntRange(0, 3).Draw(t, name); n > 0 {
			c.properties[name] = [...]string{"1", `"text"`, "true"}[n-1]
		}
	}
	return c
}

func (m *machine) partition(t *rapid.T) string {
	return rapid.SampledFrom(modelKeys).Draw(t, "partition")
}

// text is the change as a request.
func (m *machine) text(table string, c modelChange) operationText {
	o := operationText{method: c.method, path: entityPath(table, c.partition, c.row), body: c.body()}
	if c.method == "POST" {
		o.path = table
	} else if match := c.ifMatch(m.model[table][[2]string{c.partition, c.row}]); match != "" {
		o.headers = "If-Match: " + match + "\r\n"
	}
	if c.method == "DELETE" {
		o.body = ""
	}
	return o
}

func (m *machine) one(t *rapid.T) {
	table, c := m.table(t), m.change(t, m.partition(t))
	o := m.text(table, c)
	a := m.e.do(o.method, o.path, o.body, strings.TrimSuffix(o.headers, "\r\n"))
	want := 404
	switch {
	case m.model[table] != nil:
		want = c.apply(m.model[table])
	case c.method == "DELETE" && c.match == "":
		want = 400
	}
	if a.status != want {
		t.Fatalf("%s %s %s: %d, want %d: %s", o.method, o.path, o.headers, a.status, want, a.body)
	}
}

func (m *machine) transaction(t *rapid.T) {
	table, partition := m.table(t), m.partition(t)
	var operations []operationText
	for range rapid.IntRange(1, 6).Draw(t, "n") {
		c := m.change(t, partition)
		if rapid.IntRange(0, 9).Draw(t, "stray") == 0 {
			c.partition = "stray"
		}
		operations = append(operations, m.text(table, c))
	}
	before := m.snapshot(t)
	a := m.e.batch(operations...)
	statuses := strings.Fields(a.statuses())
	if a.status != 202 || len(statuses) == 0 {
		t.Fatalf("transaction: %d %s", a.status, a.body)
	}
	made := statuses[0] < "4"
	if allowed := m.allowed(table, operations); made != allowed || made && len(statuses) != len(operations) {
		t.Fatalf("transaction %v: made %v, want %v: %s", operations, made, allowed, a.body)
	}
	if after := m.snapshot(t); !made && after != before {
		t.Fatalf("a refused transaction changed\n%s\nto\n%s", before, after)
	}
}

// allowed applies the operations to the model if they can be one transaction.
func (m *machine) allowed(table string, operations []operationText) bool {
	trial := maps.Clone(m.model[table])
	if trial == nil {
		return false
	}
	partition, seen := "", map[string]bool{}
	for i, o := range operations {
		c := o.asChange(trial)
		if i == 0 {
			partition = c.partition
		}
		if c.partition != partition || seen[c.row] || c.apply(trial) >= 400 {
			return false
		}
		seen[c.row] = true
	}
	m.model[table] = trial
	return true
}

// asChange reads an operation back into a change of the model.
func (o operationText) asChange(table map[[2]string]*modelEntity) modelChange {
	c := modelChange{method: o.method, properties: map[string]string{}}
	a, _ := parseAddress(o.path)
	c.partition, c.row = a.partition, a.row
	var r reader
	if o.body != "" {
		_ = r.parse([]byte(o.body))
	}
	for _, p := range r.props {
		switch name := string(p.name); name {
		case partitionKey:
			c.partition = string(p.text)
		case rowKey:
			c.row = string(p.text)
		default:
			c.properties[name] = map[jsonKind]string{jsonNumber: "1", jsonString: `"text"`, jsonTrue: "true"}[p.kind]
		}
	}
	match := strings.TrimSuffix(strings.TrimPrefix(o.headers, "If-Match: "), "\r\n")
	switch there := table[[2]string{c.partition, c.row}]; {
	case match == "" || match == "*":
		c.match = match
	case there != nil && there.etag == match:
		c.match = "current"
	default:
		c.match = "old"
	}
	return c
}

// snapshot is everything the service answers.
func (m *machine) snapshot(t *rapid.T) string {
	var b strings.Builder
	for _, table := range modelTables {
		a := m.e.do("GET", table, "")
		if a.status == 200 {
			b.WriteString(a.body + "\n")
		}
	}
	return b.String()
}

// check compares every entity, and takes over the ETags, which must have changed exactly where
// something was written.
func (m *machine) check(t *rapid.T) {
	for _, name := range modelTables {
		table := m.model[name]
		a := m.e.do("GET", name, "")
		if (table != nil) != (a.status == 200) {
			t.Fatalf("table %s: %d", name, a.status)
		}
		if table == nil {
			continue
		}
		rows := a.values(m.e.t)
		if len(rows) != len(table) {
			t.Fatalf("table %s has %v, want %d entities", name, rows, len(table))
		}
		for _, row := range rows {
			want := table[[2]string{row[partitionKey].(string), row[rowKey].(string)}]
			if want == nil {
				t.Fatalf("table %s has %v", name, row)
			}
			if etag := row["odata.etag"].(string); want.etag == "" {
				want.etag = etag
			} else if want.etag != etag {
				t.Fatalf("the ETag of %v was %s", row, want.etag)
			}
			for _, p := range []string{"A", "B", "C"} {
				got := ""
				switch v := row[p].(type) {
				case nil:
				case string:
					got = `"` + v + `"`
				default:
					got = fmt.Sprint(v)
				}
				if got != want.properties[p] {
					t.Fatalf("%s of %v is %s, want %s", p, row, got, want.properties[p])
				}
			}
		}
	}
}

// TestAgainstModel compares the service with the model over random operations, restarts of the
// engine included.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &machine{e: &emulator{t: t, now: time.Now}, model: model{}}
		opts := engine.Options{Dir: "data", FS: vfs.NewMem(), NoSync: true}
		m.e.open(opts)
		defer m.e.close()
		rt.Repeat(map[string]func(*rapid.T){
			"change":       m.one,
			"change again": m.one,
			"transaction":  m.transaction,
			"create": func(t *rapid.T) {
				name, want := m.table(t), 201
				if m.model[name] != nil {
					want = 409
				} else {
					m.model[name] = map[[2]string]*modelEntity{}
				}
				if a := m.e.do("POST", "Tables", `{"TableName":"`+name+`"}`); a.status != want {
					t.Fatalf("create %s: %d", name, a.status)
				}
			},
			"delete": func(t *rapid.T) {
				if rapid.IntRange(0, 4).Draw(t, "rarely") > 0 {
					return
				}
				name, want := m.table(t), 204
				if m.model[name] == nil {
					want = 404
				}
				delete(m.model, name)
				if a := m.e.do("DELETE", "Tables('"+name+"')", ""); a.status != want {
					t.Fatalf("delete %s: %d", name, a.status)
				}
			},
			"reset": func(t *rapid.T) {
				if rapid.IntRange(0, 4).Draw(t, "rarely") > 0 {
					return
				}
				if err := m.e.engine.Account(testAccount).Reset(); err != nil {
					t.Fatal(err)
				}
				for name := range m.model {
					m.model[name] = map[[2]string]*modelEntity{}
				}
			},
			"restart": func(*rapid.T) {
				m.e.close()
				m.e.open(opts)
			},
			"": m.check,
		})
	})
}
