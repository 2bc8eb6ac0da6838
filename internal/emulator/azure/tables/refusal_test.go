package tables

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// insertRefusal is the body of an insert, and the status and code that refuse it.
type insertRefusal struct {
	name, body string
	status     int
	code       string
}

func refuseInserts(t *testing.T, refusals []insertRefusal) {
	t.Helper()
	e := openEmulator(t, engine.Options{})
	e.createTable("Refusals")
	for _, tt := range refusals {
		t.Run(tt.name, func(t *testing.T) {
			e.do("POST", "Refusals", tt.body).failsWith(t, tt.status, tt.code)
		})
	}
	if rows := e.rows("Refusals", ""); len(rows) != 0 {
		t.Errorf("refused inserts left %d entities", len(rows))
	}
	e.do("POST", "Refusals", `{}`, "Content-Type: application/atom+xml").failsWith(t, 415, "AtomFormatNotSupported")
}

// Bodies that are not what an entity is written as, and invalid keys.
func TestInsertRefusals(t *testing.T) {
	refuseInserts(t, []insertRefusal{
		{"no body", ``, 400, "InvalidInput"},
		{"not JSON", `{"PartitionKey":"p","RowKey":"r"`, 400, "InvalidInput"},
		{"text after it", `{"PartitionKey":"p","RowKey":"r"} x`, 400, "InvalidInput"},
		{"an array", `[]`, 400, "InvalidInput"},
		{"an object inside", `{"PartitionKey":"p","RowKey":"r","A":{"B":1}}`, 400, "InvalidInput"},
		{"an array inside", `{"PartitionKey":"p","RowKey":"r","A":[1]}`, 400, "InvalidInput"},
		{"not UTF-8", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"A\":\"\xff\"}", 400, "InvalidInput"},
		{"control character in a string", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"A\":\"\x01\"}", 400,
			"InvalidInput"},
		{"number with a leading zero", `{"PartitionKey":"p","RowKey":"r","A":01}`, 400, "InvalidInput"},
		{"number without a fraction", `{"PartitionKey":"p","RowKey":"r","A":1.}`, 400, "InvalidInput"},
		{"hexadecimal", `{"PartitionKey":"p","RowKey":"r","A":0x10}`, 400, "InvalidInput"},
		{"a bad escape", `{"PartitionKey":"p","RowKey":"r","A":"\x"}`, 400, "InvalidInput"},
		{"no partition key", `{"RowKey":"r"}`, 400, "PropertiesNeedValue"},
		{"no row key", `{"PartitionKey":"p"}`, 400, "PropertiesNeedValue"},
		{"a null key", `{"PartitionKey":"p","RowKey":null}`, 400, "PropertiesNeedValue"},
		{"a number as key", `{"PartitionKey":"p","RowKey":1}`, 400, "InvalidInput"},
		{"a key of another type", `{"PartitionKey":"p","RowKey":"1","RowKey@odata.type":"Edm.Int64"}`, 400,
			"InvalidInput"},
		{"slash in a key", `{"PartitionKey":"a/b","RowKey":"r"}`, 400, "OutOfRangeInput"},
		{"backslash in a key", `{"PartitionKey":"p","RowKey":"a\\b"}`, 400, "OutOfRangeInput"},
		{"hash in a key", `{"PartitionKey":"p","RowKey":"a#b"}`, 400, "OutOfRangeInput"},
		{"question mark in a key", `{"PartitionKey":"p","RowKey":"a?b"}`, 400, "OutOfRangeInput"},
		{"tab in a key", `{"PartitionKey":"p","RowKey":"a\tb"}`, 400, "OutOfRangeInput"},
		{"U+0085 in a key", `{"PartitionKey":"p","RowKey":"a\u0085b"}`, 400, "OutOfRangeInput"},
		{"a key of 513 characters", `{"PartitionKey":"p","RowKey":"` + strings.Repeat("x", 513) + `"}`, 400,
			"KeyValueTooLarge"},
		{"a key of 513 wide characters", `{"PartitionKey":"p","RowKey":"` + strings.Repeat("ü", 512) + `x"}`, 400,
			"KeyValueTooLarge"},
	})
}

// Properties that an entity cannot have.
func TestPropertyRefusals(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	binary := func(n int) string { return base64.StdEncoding.EncodeToString(make([]byte, n)) }
	refuseInserts(t, []insertRefusal{
		{"a property twice", `{"PartitionKey":"p","RowKey":"r","A":1,"A":2}`, 400, "DuplicatePropertiesSpecified"},
		{"253 properties", `{"PartitionKey":"p","RowKey":"r"` + manyProperties(253) + `}`, 400, "TooManyProperties"},
		{"9,999 properties", `{"PartitionKey":"p","RowKey":"r"` + manyProperties(9999) + `}`, 400, "TooManyProperties"},
		{"a string of 32 K + 1", `{"PartitionKey":"p","RowKey":"r","A":"` + long(32<<10+1) + `"}`, 400,
			"PropertyValueTooLarge"},
		{"a binary of 64 KiB + 1", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.Binary","A":"` +
			binary(64<<10+1) + `"}`, 400, "PropertyValueTooLarge"},
		{"over 1 MiB", `{"PartitionKey":"p","RowKey":"r"` + largeMembers(17) + `}`, 400, "EntityTooLarge"},
		{"over 4 MiB", `{"PartitionKey":"p","RowKey":"r","A":"` + long(4<<20) + `"}`, 413, "RequestBodyTooLarge"},
		{"a name of 256 characters", `{"PartitionKey":"p","RowKey":"r","` + long(256) + `":1}`, 400,
			"PropertyNameTooLong"},
		{"a name with a hyphen", `{"PartitionKey":"p","RowKey":"r","a-b":1}`, 400, "PropertyNameInvalid"},
		{"a name that starts with a digit", `{"PartitionKey":"p","RowKey":"r","1a":1}`, 400, "PropertyNameInvalid"},
		{"an empty name", `{"PartitionKey":"p","RowKey":"r","":1}`, 400, "PropertyNameInvalid"},
		{"an unknown type", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.Decimal","A":"1"}`, 400,
			"InvalidInput"},
		{"int32 out of range", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.Int32","A":2147483648}`, 400,
			"InvalidInput"},
		{"an invalid int64", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.Int64","A":"1.5"}`, 400,
			"InvalidInput"},
		{"an invalid double", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.Double","A":"1x"}`, 400,
			"InvalidInput"},
		{"an invalid GUID", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.Guid","A":"00112233"}`, 400,
			"InvalidInput"},
		{"a binary that is not base64", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.Binary","A":"*"}`, 400,
			"InvalidInput"},
		{"a boolean of another word", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.Boolean","A":"yes"}`, 400,
			"InvalidInput"},
		{"a string that is a number", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.String","A":1}`, 400,
			"InvalidInput"},
		{"an invalid time", `{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.DateTime","A":"yesterday"}`, 400,
			"InvalidInput"},
		{"a time before 1601",
			`{"PartitionKey":"p","RowKey":"r","A@odata.type":"Edm.DateTime","A":"1600-12-31T23:59:59Z"}`, 400,
			"OutOfRangeInput"},
	})
}

// Methods that no resource has, which come without a type.
func TestOtherMethods(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Methods")
	for _, method := range []string{"HEAD", "TRACE", "PROPFIND"} {
		for _, path := range []string{"Tables", "Methods", entityPath("Methods", "p", "r")} {
			a := e.do(method, path, "", "Content-Type: ")
			if a.status != 405 || a.header.Get("X-Ms-Error-Code") != "MethodNotAllowed" {
				t.Errorf("%s %s: %d %s", method, path, a.status, a.header.Get("X-Ms-Error-Code"))
			}
		}
	}
}
