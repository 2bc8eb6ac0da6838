package tables

import (
	"encoding/binary"
	"math"
)

// The stored form of an entity is its Timestamp (8 bytes) and then its properties, each as name
// length, name, type, value. The keys are in the engine's key. Lengths are uvarints, numbers are
// big-endian.

// edmType is the type of a property's value; it is stored, so the numbers stay.
// https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model#property-types
type edmType byte

const (
	edmNull     edmType = iota // in requests only: null properties are not stored
	edmString                  // length, UTF-8
	edmBinary                  // length, bytes
	edmBoolean                 // 1 byte
	edmInt32                   // 4 bytes
	edmInt64                   // 8 bytes
	edmDouble                  // 8 bytes
	edmDateTime                // 8 bytes, ticks
	edmGUID                    // 16 bytes, as written
)

const timestampSize = 8

// fixedSize is how many bytes a value takes, or -1 when its length stands before it.
func (t edmType) fixedSize() int {
	switch t {
	case edmBoolean:
		return 1
	case edmInt32:
		return 4
	case edmInt64, edmDouble, edmDateTime:
		return 8
	case edmGUID:
		return 16
	}
	return -1
}

// edmTypes are the names of the types in annotations.
var edmTypes = [...]struct {
	name string
	typ  edmType
}{
	{"Edm.String", edmString}, {"Edm.Int64", edmInt64}, {"Edm.DateTime", edmDateTime}, {"Edm.Guid", edmGUID},
	{"Edm.Binary", edmBinary}, {"Edm.Boolean", edmBoolean}, {"Edm.Int32", edmInt32}, {"Edm.Double", edmDouble},
}

func edmTypeOf(name []byte) (edmType, bool) {
	for _, t := range edmTypes {
		if string(name) == t.name {
			return t.typ, true
		}
	}
	return 0, false
}

func (t edmType) name() string {
	for _, named := range edmTypes {
		if named.typ == t {
			return named.name
		}
	}
	return ""
}

// value is a property's value, in the stored bytes without a length.
type value struct {
	typ  edmType
	data []byte
}

func (v value) bool() bool          { return v.data[0] != 0 }
func (v value) int32() int32        { return int32(binary.BigEndian.Uint32(v.data)) }
func (v value) int64() int64        { return int64(binary.BigEndian.Uint64(v.data)) }
func (v value) double() float64     { return math.Float64frombits(binary.BigEndian.Uint64(v.data)) }
func (v value) dateTime() ticks     { return ticks(binary.BigEndian.Uint64(v.data)) }
func (v value) guid() (g guid)      { copy(g[:], v.data); return g }
func timestamp(stored []byte) ticks { return ticks(binary.BigEndian.Uint64(stored)) }

func setTimestamp(stored []byte, t ticks) { binary.BigEndian.PutUint64(stored, uint64(t)) }

// appendProperty appends a property to the stored form.
func appendProperty(dst, name []byte, v value) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(name)))
	dst = append(dst, name...)
	dst = append(dst, byte(v.typ))
	if v.typ.fixedSize() < 0 {
		dst = binary.AppendUvarint(dst, uint64(len(v.data)))
	}
	return append(dst, v.data...)
}

// properties walks the properties of a stored entity, from what follows its Timestamp. Only this
// package writes the stored form and the engine checks its sums, so it is not doubted here.
type properties []byte

func propertiesOf(stored []byte) properties { return properties(stored[timestampSize:]) }

// next takes off the first property; false: there is none.
func (p *properties) next() (name []byte, v value, ok bool) {
	rest := *p
	if len(rest) == 0 {
		return nil, value{}, false
	}
	name, rest = cutBytes(rest)
	v.typ = edmType(rest[0])
	rest = rest[1:]
	if n := v.typ.fixedSize(); n >= 0 {
		v.data, rest = rest[:n], rest[n:]
	} else {
		v.data, rest = cutBytes(rest)
	}
	*p = rest
	return name, v, true
}

// cutBytes takes a length and as many bytes off.
func cutBytes(b []byte) (head, rest []byte) {
	n, size := binary.Uvarint(b)
	return b[size : size+int(n)], b[size+int(n):]
}

// property finds a property by its name.
func property(stored []byte, name string) (value, bool) {
	p := propertiesOf(stored)
	for {
		n, v, ok := p.next()
		if !ok {
			return value{}, false
		}
		if string(n) == name {
			return v, true
		}
	}
}
