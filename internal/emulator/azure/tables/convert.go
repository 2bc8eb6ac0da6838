package tables

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/odata"
)

// The limits of an entity.
// https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
const (
	maxProperties  = 252 // besides the keys and Timestamp
	maxNameLength  = 255 // UTF-16 code units
	maxKeyLength   = 512 // UTF-16 code units: 1 KiB
	maxStringValue = 32 << 10
	maxBinaryValue = 64 << 10
	maxEntitySize  = 1 << 20
	maxRequest     = 4 << 20
)

// The properties that every entity has.
const (
	partitionKey      = "PartitionKey"
	rowKey            = "RowKey"
	timestampProperty = "Timestamp"
)

// key is a key as sent in a request; text is nil if there is none.
type key struct{ text []byte }

// encode appends the stored form of what parse has read to dst, with Timestamp 0, and returns the keys that it
// contained. Null properties and Timestamp are left out.
func (r *reader) encode(dst []byte) (stored []byte, partition, row key, problem *azure.Problem) {
	dst = append(dst, make([]byte, timestampSize)...)
	size := entitySize{}
	var scratch [16]byte
	for i := range r.props {
		p := &r.props[i]
		switch {
		case string(p.name) == partitionKey:
			partition, problem = p.key(partitionKey)
		case string(p.name) == rowKey:
			row, problem = p.key(rowKey)
		case string(p.name) == timestampProperty || p.kind == jsonAbsent:
		case !validName(p.name):
			problem = invalidName()
		case tooLong(p.name, maxNameLength):
			problem = nameTooLong()
		case p.kind == jsonNull:
		default:
			var v value
			if v, problem = p.value(scratch[:0]); problem == nil {
				dst = appendProperty(dst, p.name, v)
				problem = size.add(p.name, v)
			}
		}
		if problem != nil {
			return nil, key{}, key{}, problem
		}
	}
	return dst, partition, row, nil
}

// entitySize adds up the size of an entity as Azure counts it.
// https://learn.microsoft.com/archive/blogs/avkashchauhan/how-the-size-of-an-entity-is-caclulated-in-windows-azure-table-storage
type entitySize struct{ properties, bytes int }

func (s *entitySize) add(name []byte, v value) *azure.Problem {
	s.properties++
	s.bytes += 8 + 2*utf16Length(name) + len(v.data)
	if v.typ == edmString {
		s.bytes += 4 + 2*utf16Length(v.data) - len(v.data)
	}
	switch {
	case s.properties > maxProperties:
		return tooManyProperties()
	case s.bytes > maxEntitySize:
		return entityTooLarge()
	}
	return nil
}

func (p *written) key(name string) (key, *azure.Problem) {
	switch {
	case p.kind == jsonAbsent || p.kind == jsonNull:
		return key{}, nil
	case p.kind != jsonString || p.typ != edmNull && p.typ != edmString:
		return key{}, invalidInput()
	}
	text := p.text
	if text == nil {
		text = []byte{}
	}
	return key{text}, checkKey(name, text)
}

// checkKey returns what is wrong with a partition or row key.
// https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model#characters-disallowed-in-key-fields
func checkKey[T string | []byte](name string, text T) *azure.Problem {
	if tooLong(text, maxKeyLength) {
		return keyTooLarge()
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c < 0x20 || c == '/' || c == '\\' || c == '#' || c == '?' || c == 0x7F:
			return outOfRange(name)
		case c == 0xC2 && i+1 < len(text) && text[i+1] < 0xA0: // U+0080 to U+009F
			return outOfRange(name)
		}
	}
	return nil
}

// tooLong reports whether a text has more than limit UTF-16 code units.
func tooLong[T string | []byte](text T, limit int) bool {
	if len(text) <= limit {
		return false // no character takes fewer bytes in UTF-8
	}
	return utf16Length(text) > limit
}

// utf16Length returns the number of UTF-16 code units of a text, in which limits are measured.
func utf16Length[T string | []byte](text T) (n int) {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0xF0: // two surrogates
			n += 2
		case c < 0x80 || c >= 0xC0: // not in the middle of a character
			n++
		}
	}
	return n
}

// validName reports whether a name is an identifier, as property names must be.
// https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model#property-names
func validName(name []byte) bool {
	if len(name) == 0 {
		return false
	}
	for i := 0; i < len(name); {
		c := name[i]
		if c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || i > 0 && c >= '0' && c <= '9' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(name[i:])
		if c < utf8.RuneSelf || !unicode.IsLetter(r) &&
			(i == 0 || !unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc, unicode.Cf)) {
			return false
		}
		i += size
	}
	return true
}

// value converts a property's value to its type: the annotated one, or the one of its JSON. scratch holds the bytes of
// numbers.
func (p *written) value(scratch []byte) (value, *azure.Problem) {
	typ := p.typ
	if typ == edmNull {
		typ = p.plainType()
	}
	v := value{typ: typ}
	ok := false
	switch typ {
	case edmString:
		if tooLong(p.text, maxStringValue) {
			return v, valueTooLarge()
		}
		v.data, ok = p.text, p.kind == jsonString
	case edmBinary:
		data, err := base64.StdEncoding.AppendDecode(nil, p.text)
		v.data, ok = data, err == nil && p.kind == jsonString
		if ok && len(v.data) > maxBinaryValue {
			return v, valueTooLarge()
		}
	case edmBoolean:
		var yes bool
		yes, ok = p.boolean()
		scratch = append(scratch, 0)
		if yes {
			scratch[0] = 1
		}
		v.data = scratch
	case edmInt32: // as a number or, from @azure/data-tables, as a string
		n, err := strconv.ParseInt(string(p.text), 10, 32)
		v.data, ok = binary.BigEndian.AppendUint32(scratch, uint32(n)), err == nil
	case edmInt64: // as a string, since JSON's numbers are doubles; a number is accepted too
		n, err := strconv.ParseInt(string(p.text), 10, 64)
		v.data, ok = binary.BigEndian.AppendUint64(scratch, uint64(n)), err == nil
	case edmDouble:
		var f float64
		f, ok = p.double()
		v.data = binary.BigEndian.AppendUint64(scratch, math.Float64bits(f))
	case edmDateTime:
		var at time.Time
		at, ok = odata.ParseDateTime(string(p.text))
		t := ticksOf(at)
		if ok = ok && p.kind == jsonString; ok && (t < minDateTime || t > maxDateTime) {
			return v, outOfRange(string(p.name))
		}
		v.data = binary.BigEndian.AppendUint64(scratch, uint64(t))
	case edmGUID:
		var g odata.GUID
		g, ok = odata.ParseGUID(p.text)
		scratch, ok = append(scratch, g[:]...), ok && p.kind == jsonString
		v.data = scratch
	}
	if !ok {
		return v, invalidInput()
	}
	return v, nil
}

// plainType returns the type of a value without an annotation. An integer too large for 32 bits is a double: 64-bit
// integers need their annotation.
func (p *written) plainType() edmType {
	switch p.kind {
	case jsonString:
		return edmString
	case jsonNumber:
		if bytes.ContainsAny(p.text, ".eE") {
			return edmDouble
		}
		if _, err := strconv.ParseInt(string(p.text), 10, 32); err == nil {
			return edmInt32
		}
		return edmDouble
	}
	return edmBoolean
}

// boolean returns a boolean, or the string that @azure/data-tables sends for one whose type was given.
func (p *written) boolean() (value, ok bool) {
	switch {
	case p.kind == jsonTrue, p.kind == jsonString && bytes.EqualFold(p.text, []byte("true")):
		return true, true
	case p.kind == jsonFalse, p.kind == jsonString && bytes.EqualFold(p.text, []byte("false")):
		return false, true
	}
	return false, false
}

func (p *written) double() (float64, bool) {
	if p.kind == jsonString {
		switch string(p.text) {
		case "NaN":
			return math.NaN(), true
		case "Infinity", "INF":
			return math.Inf(1), true
		case "-Infinity", "-INF":
			return math.Inf(-1), true
		}
		r := reader{src: p.text} // a quoted number has the syntax of a number
		if len(p.text) == 0 || p.text[0] != '-' && (p.text[0] < '0' || p.text[0] > '9') {
			return 0, false
		}
		if _, ok := r.number(); !ok || r.pos != len(p.text) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(string(p.text), 64)
	return f, err == nil && (p.kind == jsonString || p.kind == jsonNumber)
}
