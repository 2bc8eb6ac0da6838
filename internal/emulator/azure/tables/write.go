package tables

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// metadata is the level of metadata in an answer.
// https://learn.microsoft.com/rest/api/storageservices/payload-format-for-table-service-operations
type metadata byte

const (
	minimalMetadata metadata = iota
	noMetadata
	fullMetadata
)

// contentTypes are the types of answers, by their metadata.
var contentTypes = [...]string{
	minimalMetadata: "application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
	noMetadata:      "application/json;odata=nometadata;streaming=true;charset=utf-8",
	fullMetadata:    "application/json;odata=fullmetadata;streaming=true;charset=utf-8",
}

// form is the format of the entities of an answer.
type form struct {
	metadata metadata
	account  string
	base     string   // the address of the service, with a trailing slash
	table    string   // as it was created
	selected []string // nil: everything
}

// appendContext starts an object with its odata.metadata. element is /@Element for one entity.
func (f *form) appendContext(dst []byte, element string) []byte {
	dst = append(dst, '{')
	if f.metadata == noMetadata {
		return dst
	}
	dst = append(dst, `"odata.metadata":`...)
	where := f.base + "$metadata#" + f.table + element
	if f.selected != nil {
		where += "&$select=" + strings.Join(f.selected, ",")
	}
	dst = appendString(dst, []byte(where))
	return append(dst, ',')
}

// appendEntity appends the members of an entity, without braces.
func (f *form) appendEntity(dst []byte, partition, row, stored []byte) []byte {
	var text [dateTimeSize]byte
	at := timestamp(stored).appendTime(text[:0])
	if f.metadata == fullMetadata {
		dst = f.appendLinks(dst, entityPath(f.table, string(partition), string(row)))
	}
	if f.metadata != noMetadata {
		dst = append(dst, `"odata.etag":"W/\"datetime'`...)
		dst = appendEscaped(dst, at)
		dst = append(dst, `'\"",`...)
	}
	if f.selected != nil {
		for _, name := range f.selected {
			dst = f.appendSelected(dst, name, &entity{partition, row, stored}, at)
		}
		return trimComma(dst)
	}
	dst = append(dst, `"PartitionKey":`...)
	dst = appendString(dst, partition)
	dst = append(dst, `,"RowKey":`...)
	dst = appendString(dst, row)
	dst = append(dst, ',')
	dst = f.appendTimestamp(dst, at)
	for name, v := range propertiesOf(stored).all {
		dst = f.appendProperty(dst, name, v)
	}
	return trimComma(dst)
}

// trimComma removes the comma after the last member.
func trimComma(dst []byte) []byte {
	if dst[len(dst)-1] == ',' {
		return dst[:len(dst)-1]
	}
	return dst
}

func (f *form) appendTimestamp(dst, at []byte) []byte {
	if f.metadata == fullMetadata {
		dst = append(dst, `"Timestamp@odata.type":"Edm.DateTime",`...)
	}
	dst = append(dst, `"Timestamp":"`...)
	return append(append(dst, at...), '"', ',')
}

// appendSelected appends one property selected by name: null if the entity does not have it.
func (f *form) appendSelected(dst []byte, name string, e *entity, at []byte) []byte {
	if name == timestampProperty {
		return f.appendTimestamp(dst, at)
	}
	if v, ok := e.value(name); ok {
		return f.appendProperty(dst, []byte(name), v)
	}
	dst = appendString(dst, []byte(name))
	return append(dst, ":null,"...)
}

// appendProperty appends a property and a comma, with its type if the value does not show it.
func (f *form) appendProperty(dst, name []byte, v value) []byte {
	if f.metadata != noMetadata && !v.showsType() {
		dst = append(dst, '"')
		dst = append(dst, name...) // an identifier
		dst = append(dst, `@odata.type":"`...)
		dst = append(dst, edmTypes[v.typ].name...)
		dst = append(dst, '"', ',')
	}
	dst = append(dst, '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return append(v.appendJSON(dst), ',')
}

func (v value) showsType() bool {
	switch v.typ {
	case edmString, edmBoolean, edmInt32:
		return true
	case edmDouble:
		return !math.IsNaN(v.double()) && !math.IsInf(v.double(), 0)
	}
	return false
}

func (v value) appendJSON(dst []byte) []byte {
	switch v.typ {
	case edmString:
		return appendString(dst, v.data)
	case edmBoolean:
		return strconv.AppendBool(dst, v.bool())
	case edmInt32:
		return strconv.AppendInt(dst, int64(v.int32()), 10)
	case edmDouble:
		return appendDouble(dst, v.double())
	}
	dst = append(dst, '"')
	switch v.typ {
	case edmInt64:
		dst = strconv.AppendInt(dst, v.int64(), 10)
	case edmDateTime:
		dst = v.dateTime().appendTime(dst)
	case edmGUID:
		dst = azure.AppendGUID(dst, [16]byte(v.data))
	case edmBinary:
		dst = base64.StdEncoding.AppendEncode(dst, v.data)
	}
	return append(dst, '"')
}

// appendDouble appends a double so that it is not read back as an integer.
func appendDouble(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	start, style := len(dst), byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		style = 'e' // plain digits would be long
	}
	dst = strconv.AppendFloat(dst, f, style, -1, 64)
	for _, c := range dst[start:] {
		if c == '.' || c == 'e' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

const hexDigits = "0123456789abcdef"

// appendString appends a JSON string. The text is valid UTF-8.
func appendString(dst, text []byte) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(text); i++ {
		if i+8 <= len(text) && plain(binary.LittleEndian.Uint64(text[i:])) {
			i += 7
			continue
		}
		c := text[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[start:i]...)
		start = i + 1
		if at := strings.IndexByte("\"\\\b\f\n\r\t", c); at >= 0 {
			dst = append(dst, '\\', `"\bfnrt`[at])
		} else {
			dst = append(dst, `\u00`...)
			dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, text[start:]...)
	return append(dst, '"')
}

// plain reports whether none of eight bytes needs an escape in JSON. It may return false for bytes that do not. Each
// term has the high bit of a byte set if that byte is zero, or below 0x20: the usual SWAR arithmetic.
func plain(eight uint64) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quotes, slashes := eight^(ones*'"'), eight^(ones*'\\')
	return ((eight-ones*0x20)|(quotes-ones)|(slashes-ones))&^eight&highs == 0 && eight&highs == 0
}

// appendLinks appends what only full metadata has, for an address below the service's.
func (f *form) appendLinks(dst []byte, link string) []byte {
	dst = append(dst, `"odata.type":`...)
	dst = appendString(dst, []byte(f.account+"."+f.table))
	dst = append(dst, `,"odata.id":`...)
	dst = appendString(dst, []byte(f.base+link))
	dst = append(dst, `,"odata.editLink":`...)
	dst = appendString(dst, []byte(link))
	return append(dst, ',')
}

// entityPath returns the address of an entity below the service's.
func entityPath(table, partition, row string) string {
	quote := func(key string) string {
		return "'" + url.PathEscape(strings.ReplaceAll(key, "'", "''")) + "'"
	}
	return table + "(PartitionKey=" + quote(partition) + ",RowKey=" + quote(row) + ")"
}
