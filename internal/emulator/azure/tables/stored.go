package tables

import (
	"encoding/binary"
	"math"
)

// The stored form of an entity is its Timestamp (8 bytes) followed by its properties, each as name length, name, type,
// value. The keys are in the engine's key. Lengths are uvarints, numbers are big-endian.

// edmType is the type of a property's value; it is stored, so the numbers must not change.
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

// edmTypes are the names of the types in annotations, and the sizes of their values in bytes: -1 if a value is preceded
// by its length.
var edmTypes = [...]struct {
	name string
	size int
}{
	edmNull: {"", -1}, edmString: {"Edm.String", -1}, edmBinary: {"Edm.Binary", -1}, edmBoolean: {"Edm.Boolean", 1},
	edmInt32: {"Edm.Int32", 4}, edmInt64: {"Edm.Int64", 8}, edmDouble: {"Edm.Double", 8},
	edmDateTime: {"Edm.DateTime", 8}, edmGUID: {"Edm.Guid", 16},
}

func edmTypeOf(name []byte) (edmType, bool) {
	for t := edmString; t <= edmGUID; t++ {
		if string(name) == edmTypes[t].name {
			return t, true
		}
	}
	return edmNull, false
}

// value is a property's value, in its stored bytes without a length.
type value struct {
	typ  edmType
	data []byte
}

func (v value) bool() bool          { return v.data[0] != 0 }
func (v value) int32() int32        { return int32(binary.BigEndian.Uint32(v.data)) }
func (v value) int64() int64        { return int64(binary.BigEndian.Uint64(v.data)) }
func (v value) double() float64     { return math.Float64frombits(binary.BigEndian.Uint64(v.data)) }
func (v value) dateTime() ticks     { return ticks(binary.BigEndian.Uint64(v.data)) }
func timestamp(stored []byte) ticks { return ticks(binary.BigEndian.Uint64(stored)) }

func setTimestamp(stored []byte, t ticks) { binary.BigEndian.PutUint64(stored, uint64(t)) }

// appendProperty appends a property to the stored form.
func appendProperty(dst, name []byte, v value) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(name)))
	dst = append(dst, name...)
	dst = append(dst, byte(v.typ))
	if edmTypes[v.typ].size < 0 {
		dst = binary.AppendUvarint(dst, uint64(len(v.data)))
	}
	return append(dst, v.data...)
}

// properties iterates over the properties of a stored entity, after its Timestamp. Only this package writes the stored
// form and the engine verifies checksums, so it is not validated here.
type properties []byte

func propertiesOf(stored []byte) properties { return properties(stored[timestampSize:]) }

// all is for range: it yields each property's name and value.
func (p properties) all(yield func(name []byte, v value) bool) {
	for rest := []byte(p); len(rest) > 0; {
		var name []byte
		name, rest = cutBytes(rest)
		v := value{typ: edmType(rest[0])}
		rest = rest[1:]
		if n := edmTypes[v.typ].size; n >= 0 {
			v.data, rest = rest[:n], rest[n:]
		} else {
			v.data, rest = cutBytes(rest)
		}
		if !yield(name, v) {
			return
		}
	}
}

// cutBytes cuts off a length and that many bytes.
func cutBytes(b []byte) (head, rest []byte) {
	n, size := binary.Uvarint(b)
	return b[size : size+int(n)], b[size+int(n):]
}

// property finds a property by name.
func property(stored []byte, name string) (value, bool) {
	for n, v := range propertiesOf(stored).all {
		if string(n) == name {
			return v, true
		}
	}
	return value{}, false
}
