package azure

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

// tableTypes are the types of properties and what their values may be.
func tableTypes() []tableCase {
	same := func(name, member string) tableCase {
		return tableCase{name, nil, func(p *tableProbe) {
			p.has("p", "r", member)
			r := p.answers(p.raw("GET", p.entity("p", "r"), ""), 200)
			if !strings.Contains(strings.ReplaceAll(r.body, " ", ""), strings.ReplaceAll(member, " ", "")) {
				p.Fatalf("%s came back as %s", member, r.body)
			}
		}}
	}
	invalid := func(name string, needs *conformance.Capability, member, code string) tableCase {
		return tableCase{name, needs, func(p *tableProbe) { p.refuses(p.insert("p", "r", member), 400, code) }}
	}
	return []tableCase{
		same("a string", `"A":"x\"y\\z é 😀"`),
		same("a boolean", `"A":true`),
		same("an int32", `"A":-2147483648`),
		same("an int64", `"A@odata.type":"Edm.Int64","A":"9223372036854775807"`),
		same("a double", `"A":2.5`),
		same("a double that is not a number", `"A@odata.type":"Edm.Double","A":"NaN"`),
		same("a guid", `"A@odata.type":"Edm.Guid","A":"00112233-4455-6677-8899-aabbccddeeff"`),
		same("a binary", `"A@odata.type":"Edm.Binary","A":"AAH/"`),
		same("a time", `"A@odata.type":"Edm.DateTime","A":"2024-02-29T12:34:56.1234567Z"`),
		{"a whole double stays a double", nil, func(p *tableProbe) {
			p.has("p", "r", `"A@odata.type":"Edm.Double","A":2`)
			r := p.answers(p.raw("GET", p.entity("p", "r"), ""), 200)
			if !strings.Contains(r.body, `"A":2.0`) && !strings.Contains(r.body, `"A@odata.type":"Edm.Double"`) {
				p.Fatalf("it came back as %s", r.body)
			}
		}},
		{"null properties are dropped", nil, func(p *tableProbe) {
			p.has("p", "r", `"A":null,"B":1`)
			got := p.get("p", "r")
			if _, there := got["A"]; there || got["B"] == nil {
				p.Fatalf("entity %v", got)
			}
		}},
		{"a merge with null keeps the property", nil, func(p *tableProbe) {
			p.has("p", "r", `"A":1`)
			p.answers(p.raw("MERGE", p.entity("p", "r"), `{"A":null,"B":2}`), 204)
			p.is("A", p.get("p", "r")["A"], 1)
		}},
		{"a boolean and an int32 in strings", nil, func(p *tableProbe) {
			p.has("p", "r", `"A@odata.type":"Edm.Boolean","A":"false","B@odata.type":"Edm.Int32","B":"32"`)
			r := p.answers(p.raw("GET", p.entity("p", "r"), ""), 200)
			if !strings.Contains(r.body, `"A":false`) || !strings.Contains(r.body, `"B":32`) {
				p.Fatalf("they came back as %s", r.body)
			}
		}},
		invalid("an invalid boolean", nil, `"A@odata.type":"Edm.Boolean","A":"x"`, "InvalidInput"),
		invalid("an invalid int32", nil, `"A@odata.type":"Edm.Int32","A":"x"`, "InvalidInput"),
		invalid("an invalid int64", ChecksValues, `"A@odata.type":"Edm.Int64","A":"x"`, "InvalidInput"),
		invalid("an invalid guid", ChecksValues, `"A@odata.type":"Edm.Guid","A":"x"`, "InvalidInput"),
		invalid("an invalid time", ChecksValues, `"A@odata.type":"Edm.DateTime","A":"x"`, "InvalidInput"),
		invalid("a binary that is not base64", ChecksValues, `"A@odata.type":"Edm.Binary","A":"***"`, "InvalidInput"),
		invalid("a time before 1601", BoundsTimes, `"A@odata.type":"Edm.DateTime","A":"1600-12-31T23:59:59Z"`,
			"OutOfRangeInput"),
		invalid("an unknown type", RefusesUnknownTypes, `"A@odata.type":"Edm.Decimal","A":"1"`, "InvalidInput"),
		invalid("an object as a value", nil, `"A":{"B":1}`, "InvalidInput"),
		invalid("an array as a value", nil, `"A":[1]`, "InvalidInput"),
	}
}
