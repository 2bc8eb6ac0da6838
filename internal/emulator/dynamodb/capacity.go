package dynamodb

import (
	"strconv"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// What requests consume (Developer Guide, "DynamoDB read and write operations", "Global secondary indexes: throughput
// considerations").
const (
	readUnit  = 4096
	writeUnit = 1024
)

// The values of ReturnConsumedCapacity.
const (
	capacityNone    = "NONE"
	capacityTotal   = "TOTAL"
	capacityIndexes = "INDEXES"
)

// usage is what a request has consumed of a table.
type usage struct {
	table   *table
	units   float64   // of the table
	indexes []float64 // by table.indexes; nil: none
	// kind is "Read" or "Write" in transactions, which report it.
	kind string
}

func newUsage(t *table) *usage { return &usage{table: t} }

func (u *usage) total() float64 {
	sum := u.units
	for _, each := range u.indexes {
		sum += each
	}
	return sum
}

func (u *usage) addIndex(i int, units float64) {
	if u.indexes == nil {
		u.indexes = make([]float64, len(u.table.indexes))
	}
	u.indexes[i] += units
}

// scale multiplies everything, for transactions.
func (u *usage) scale(by float64) {
	u.units *= by
	for i := range u.indexes {
		u.indexes[i] *= by
	}
}

// writeUnits are the units of writing an item of this size.
func writeUnits(size int) float64 { return float64(max(1, (size+writeUnit-1)/writeUnit)) }

// readUnits are the units of reading so many bytes.
func readUnits(size int, consistent bool) float64 {
	units := float64(max(1, (size+readUnit-1)/readUnit))
	if !consistent {
		units /= 2
	}
	return units
}

// appendUsage appends a ConsumedCapacity.
func appendUsage(dst []byte, u *usage, mode string) []byte {
	dst = value.AppendString(append(dst, `{"TableName":`...), u.table.TableName)
	dst = append(dst, ',')
	dst = appendUnits(dst, u.total(), u.kind)
	if mode == capacityIndexes {
		dst = appendUnits(append(dst, `,"Table":{`...), u.units, u.kind)
		dst = append(dst, '}')
		dst = u.appendIndexes(dst, `,"LocalSecondaryIndexes":{`, false)
		dst = u.appendIndexes(dst, `,"GlobalSecondaryIndexes":{`, true)
	}
	return append(dst, '}')
}

func (u *usage) appendIndexes(dst []byte, member string, global bool) []byte {
	some := false
	for i, units := range u.indexes {
		x := u.table.indexes[i]
		if units == 0 || x.global != global {
			continue
		}
		if !some {
			dst = append(dst, member...)
		}
		some = true
		dst = append(value.AppendString(value.Comma(dst), x.IndexName), ":{"...)
		dst = append(appendUnits(dst, units, u.kind), '}')
	}
	if some {
		dst = append(dst, '}')
	}
	return dst
}

func appendUnits(dst []byte, units float64, kind string) []byte {
	dst = appendFloat(append(dst, `"CapacityUnits":`...), units)
	if kind != "" {
		dst = appendFloat(append(append(append(dst, `,"`...), kind...), `CapacityUnits":`...), units)
	}
	return dst
}

func appendFloat(dst []byte, f float64) []byte { return strconv.AppendFloat(dst, f, 'f', 1, 64) }

// usages are those of several tables, in the order of their first use.
type usages struct{ all []*usage }

func (s *usages) of(t *table) *usage {
	for _, u := range s.all {
		if u.table == t {
			return u
		}
	}
	u := newUsage(t)
	s.all = append(s.all, u)
	return u
}

// append appends a list of ConsumedCapacity as the member of that name.
func (s *usages) append(dst []byte, mode string) []byte {
	dst = append(dst, `"ConsumedCapacity":[`...)
	for _, u := range s.all {
		dst = appendUsage(value.Comma(dst), u, mode)
	}
	return append(dst, ']')
}

// finish ends an answer, with what was consumed if the request asks for it.
func (c *call) finish(out []byte, used *usages, asked *string) error {
	if mode := text(asked, capacityNone); mode != capacityNone {
		out = used.append(value.Comma(out), mode)
	}
	out = append(out, '}')
	c.out = out
	return nil
}

// appendConsumed appends the member ConsumedCapacity of a request on one table.
func appendConsumed(out []byte, u *usage, mode string) []byte {
	return appendUsage(append(value.Comma(out), `"ConsumedCapacity":`...), u, mode)
}
