package azure

import (
	"fmt"
	"strings"
)

// long is a text of n characters.
func long(n int) string { return strings.Repeat("x", n) }

// members writes n properties as members of a JSON object, all with the same value.
func members(n int, value string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"P%d":%s`, i, value))
	}
	return strings.Join(list, ",")
}

// tableSizes are the largest properties, entities and requests, and those beyond.
func tableSizes() []tableCase {
	strings32K := func(n int) string { return members(n, `"`+long(32<<10)+`"`) }
	return []tableCase{
		{"252 properties", nil, func(p *tableProbe) { p.has("p", "r", members(252, "1")) }},
		{"253 properties are too many", LimitsProperties,
			func(p *tableProbe) { p.refuses(p.insert("p", "r", members(253, "1")), 400, "TooManyProperties") }},
		{"a merge to 253 properties", LimitsProperties, func(p *tableProbe) {
			p.has("p", "r", members(252, "1"))
			p.refuses(p.raw("MERGE", p.entity("p", "r"), `{"Another":1}`), 400, "TooManyProperties")
		}},
		{"a string of 32 K characters", nil,
			func(p *tableProbe) { p.has("p", "r", `"A":"`+strings.Repeat("ü", 32<<10)+`"`) }},
		{"a string of 32 K + 1 characters", nil, func(p *tableProbe) {
			p.refuses(p.insert("p", "r", `"A":"`+long(32<<10+1)+`"`), 400, "PropertyValueTooLarge")
		}},
		{"a binary of 64 KiB", nil, func(p *tableProbe) {
			p.has("p", "r", `"A@odata.type":"Edm.Binary","A":"`+strings.Repeat("AAAA", 21845)+`AA=="`)
		}},
		{"a binary of 64 KiB + 1", nil, func(p *tableProbe) {
			p.refuses(p.insert("p", "r", `"A@odata.type":"Edm.Binary","A":"`+strings.Repeat("AAAA", 21845)+`AAA="`),
				400, "PropertyValueTooLarge")
		}},
		{"an entity of nearly 1 MiB", nil, func(p *tableProbe) { p.has("p", "r", strings32K(15)) }},
		{"an entity over 1 MiB", LimitsEntities,
			func(p *tableProbe) { p.refuses(p.insert("p", "r", strings32K(17)), 400, "EntityTooLarge") }},
		{"a request over 4 MiB", nil,
			func(p *tableProbe) { p.answers(p.insert("p", "r", `"A":"`+long(4<<20)+`"`), 413) }},
	}
}

// tableNames are the keys and the names of properties that an entity may have, and must have.
func tableNames() []tableCase {
	badKey := func(name, key string) tableCase {
		return tableCase{name, nil, func(p *tableProbe) {
			p.answers(p.insert(key, "r", ""), 400)
			p.answers(p.insert("p", key, ""), 400)
			p.is("rows", p.rows(""), "")
		}}
	}
	return []tableCase{
		{"a key of 512 characters", nil, func(p *tableProbe) { p.has(long(512), long(512), "") }},
		{"a key of 513 characters", nil, func(p *tableProbe) { p.answers(p.insert("p", long(513), ""), 400) }},
		{"empty keys", nil, func(p *tableProbe) {
			p.has("", "", `"A":1`)
			p.is("A", p.get("", "")["A"], 1)
		}},
		badKey("a slash in a key", "a/b"),
		badKey("a backslash in a key", `a\b`),
		badKey("a hash in a key", "a#b"),
		badKey("a question mark in a key", "a?b"),
		badKey("a tab in a key", "a\tb"),
		badKey("a line break in a key", "a\nb"),
		badKey("U+007F in a key", "a\x7fb"),
		badKey("U+0085 in a key", "a\u0085b"),
		{"a slash in the key of an address", RefusesSlashesInAddresses,
			func(p *tableProbe) { p.answers(p.raw("PUT", p.entity("p", "a/b"), `{}`), 400) }},
		{"a property name of 256 characters", LimitsPropertyNames, func(p *tableProbe) {
			p.refuses(p.insert("p", "r", `"`+long(256)+`":1`), 400, "PropertyNameTooLong")
		}},
		{"a property name with a hyphen", ChecksPropertyNames,
			func(p *tableProbe) { p.refuses(p.insert("p", "r", `"a-b":1`), 400, "PropertyNameInvalid") }},
		{"a property twice", RefusesRepeatedProperties,
			func(p *tableProbe) { p.answers(p.insert("p", "r", `"A":1,"A":2`), 400) }},
		{"a missing key", nil, func(p *tableProbe) {
			p.refuses(p.raw("POST", p.name, `{"PartitionKey":"p"}`), 400, "PropertiesNeedValue")
			p.refuses(p.raw("POST", p.name, `{"RowKey":"r"}`), 400, "PropertiesNeedValue")
		}},
		{"a body that is not JSON", NamesMalformedJSON,
			func(p *tableProbe) { p.refuses(p.raw("POST", p.name, `{"PartitionKey":"p"`), 400, "InvalidInput") }},
	}
}
