package conformance

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

const oldTag = `W/"datetime'2020-01-01T00%3A00%3A00.1234567Z'"`

func tableEntities() []tableCase {
	return []tableCase{
		{"insert, get, replace, merge and delete by the SDK", func(p *tableProbe) {
			for _, key := range []string{"plain", "a b", "it's", "100%", "a|b", "üß€", "a;b&c=d+e", "semi;colon", "😀"} {
				body := func(members map[string]any) []byte {
					members["PartitionKey"], members["RowKey"] = key, key
					data, err := json.Marshal(members)
					p.ok(err)
					return data
				}
				_, err := p.table.AddEntity(p.ctx, body(map[string]any{"A": 1}), nil)
				p.ok(err)
				_, err = p.table.UpsertEntity(p.ctx, body(map[string]any{"B": 2}), &aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace})
				p.ok(err)
				_, err = p.table.UpdateEntity(p.ctx, body(map[string]any{"C": 3}), &aztables.UpdateEntityOptions{UpdateMode: aztables.UpdateModeMerge})
				p.ok(err)
				got := p.get(key, key)
				p.is("entity "+key, fmt.Sprint(got["RowKey"], got["A"], got["B"], got["C"]), fmt.Sprint(key, nil, 2, 3))
				_, err = p.table.DeleteEntity(p.ctx, key, key, nil)
				p.ok(err)
				p.refuses(p.raw("GET", p.entity(key, key), ""), 404, "ResourceNotFound")
			}
		}},
		{"insert twice", func(p *tableProbe) {
			p.has("p", "r", "")
			p.refuses(p.insert("p", "r", ""), 409, "EntityAlreadyExists")
		}},
		{"an ETag changes with every write", func(p *tableProbe) {
			first := p.has("p", "r", "").header.Get("ETag")
			second := p.answers(p.raw("PUT", p.entity("p", "r"), "{}"), 204).header.Get("ETag")
			third := p.answers(p.raw("MERGE", p.entity("p", "r"), "{}"), 204).header.Get("ETag")
			if first == "" || first == second || second == third {
				p.failf("ETags %s, %s, %s", first, second, third)
			}
		}},
		{"an ETag is the Timestamp", func(p *tableProbe) {
			tag := p.has("p", "r", "").header.Get("ETag")
			got := p.get("p", "r")
			p.is("ETag", tag, `W/"datetime'`+strings.ReplaceAll(fmt.Sprint(got["Timestamp"]), ":", "%3A")+`'"`)
			p.is("odata.etag", got["odata.etag"], tag)
		}},
		{"without If-Match a write inserts or replaces", func(p *tableProbe) {
			p.answers(p.raw("PUT", p.entity("p", "put"), `{"A":1}`), 204)
			p.answers(p.raw("MERGE", p.entity("p", "merge"), `{"A":1}`), 204)
			p.is("rows", p.rows(""), "merge put")
		}},
		{"If-Match: * needs the entity", func(p *tableProbe) {
			for _, method := range []string{"PUT", "MERGE", "DELETE"} {
				p.refuses(p.raw(method, p.entity("p", "r"), `{}`, "If-Match: *"), 404, "ResourceNotFound")
			}
		}},
		{"an old ETag is refused", func(p *tableProbe) {
			p.has("p", "r", `"A":1`)
			for _, method := range []string{"PUT", "MERGE", "DELETE"} {
				p.refuses(p.raw(method, p.entity("p", "r"), `{}`, "If-Match: "+oldTag), 412, "UpdateConditionNotSatisfied")
			}
			p.is("A", p.get("p", "r")["A"], 1)
		}},
		{"the current ETag is taken", func(p *tableProbe) {
			tag := p.has("p", "r", `"A":1`).header.Get("ETag")
			tag = p.answers(p.raw("MERGE", p.entity("p", "r"), `{"B":2}`, "If-Match: "+tag), 204).header.Get("ETag")
			tag = p.answers(p.raw("PUT", p.entity("p", "r"), `{"C":3}`, "If-Match: "+tag), 204).header.Get("ETag")
			p.answers(p.raw("DELETE", p.entity("p", "r"), "", "If-Match: "+tag), 204)
		}},
		{"what is no ETag is refused", func(p *tableProbe) {
			p.has("p", "r", "")
			p.refuses(p.raw("PUT", p.entity("p", "r"), `{}`, "If-Match: nonsense"), 400, "InvalidInput")
		}},
		{"a tunneled merge", func(p *tableProbe) {
			p.has("p", "r", `"A":1`)
			p.answers(p.raw("POST", p.entity("p", "r"), `{"B":2}`, "X-HTTP-Method: MERGE"), 204)
			p.is("A", p.get("p", "r")["A"], 1)
		}},
		{"no such table", func(p *tableProbe) {
			missing := strings.Replace(p.entity("p", "r"), p.name, "NoSuchTable", 1)
			p.refuses(p.raw("PUT", missing, `{}`), 404, "TableNotFound")
			p.refuses(p.raw("GET", missing, ""), 404, "TableNotFound")
			p.refuses(p.raw("GET", "NoSuchTable", ""), 404, "TableNotFound")
			p.refuses(p.raw("POST", "NoSuchTable", `{"PartitionKey":"p","RowKey":"r"}`), 404, "TableNotFound")
		}},
		{"Prefer decides what an insert gives back", func(p *tableProbe) {
			body := func(row string) string { return `{"PartitionKey":"p","RowKey":"` + row + `","A":1}` }
			r := p.answers(p.raw("POST", p.name, body("1")), 201)
			p.is("A", p.object(r)["A"], 1)
			r = p.answers(p.raw("POST", p.name, body("2"), "Prefer: return-content"), 201)
			p.is("Preference-Applied", r.header.Get("Preference-Applied"), "return-content")
			r = p.answers(p.raw("POST", p.name, body("3"), "Prefer: return-no-content"), 204)
			p.is("Preference-Applied", r.header.Get("Preference-Applied"), "return-no-content")
			p.is("body", r.body, "")
		}},
		{"an answer about one entity says so in odata.metadata", func(p *tableProbe) {
			r := p.answers(p.raw("POST", p.name, `{"PartitionKey":"p","RowKey":"r"}`), 201)
			p.is("of the insert", p.object(r)["odata.metadata"], p.base.String()+"/$metadata#"+p.name+"/@Element")
			p.is("of the get", p.get("p", "r")["odata.metadata"], p.base.String()+"/$metadata#"+p.name+"/@Element")
		}},
		{"levels of metadata", func(p *tableProbe) {
			p.has("p", "r", `"A@odata.type":"Edm.Int64","A":"1"`)
			for level, want := range map[string]string{"nometadata": "", "minimalmetadata": "odata.etag odata.metadata A@odata.type", "fullmetadata": "odata.etag odata.metadata odata.editLink odata.id odata.type A@odata.type Timestamp@odata.type"} {
				got := p.object(p.answers(p.raw("GET", p.entity("p", "r"), "", "Accept: application/json;odata="+level), 200))
				for _, name := range []string{"odata.etag", "odata.metadata", "odata.editLink", "odata.id", "odata.type", "A@odata.type", "Timestamp@odata.type"} {
					if _, there := got[name]; there != strings.Contains(" "+want+" ", " "+name+" ") {
						p.failf("with %s, %s is there: %v", level, name, there)
					}
				}
			}
		}},
		{"Atom is refused", func(p *tableProbe) {
			p.answers(p.raw("GET", p.entity("p", "r"), "", "Accept: application/atom+xml"), 415)
			p.answers(p.raw("POST", p.name, "<entry/>", "Content-Type: application/atom+xml"), 415)
		}},
		{"an update by the SDK with an old ETag", func(p *tableProbe) {
			p.has("p", "r", "")
			data, err := json.Marshal(aztables.Entity{PartitionKey: "p", RowKey: "r"})
			p.ok(err)
			_, err = p.table.DeleteEntity(p.ctx, "p", "r", &aztables.DeleteEntityOptions{IfMatch: to.Ptr(etag(oldTag))})
			p.sdkCode(err, 412, "UpdateConditionNotSatisfied")
			_, err = p.table.UpdateEntity(p.ctx, data, &aztables.UpdateEntityOptions{UpdateMode: aztables.UpdateModeReplace, IfMatch: to.Ptr(etag(oldTag))})
			p.sdkCode(err, 412, "UpdateConditionNotSatisfied")
		}},
	}
}

func tableTypes() []tableCase {
	same := func(name, member string) tableCase {
		return tableCase{name, func(p *tableProbe) {
			p.has("p", "r", member)
			r := p.answers(p.raw("GET", p.entity("p", "r"), ""), 200)
			if !strings.Contains(strings.ReplaceAll(r.body, " ", ""), strings.ReplaceAll(member, " ", "")) {
				p.failf("%s came back as %s", member, r.body)
			}
		}}
	}
	invalid := func(name, member, code string) tableCase {
		return tableCase{name, func(p *tableProbe) { p.refuses(p.insert("p", "r", member), 400, code) }}
	}
	return []tableCase{
		same("a string", `"A":"x\"y\\z é 😀"`),
		same("a boolean", `"A":true`),
		same("an int32", `"A":-2147483648`),
		same("an int64", `"A@odata.type":"Edm.Int64","A":"9223372036854775807"`),
		same("a double", `"A":2.5`),
		same("a double that is no number", `"A@odata.type":"Edm.Double","A":"NaN"`),
		same("a guid", `"A@odata.type":"Edm.Guid","A":"00112233-4455-6677-8899-aabbccddeeff"`),
		same("a binary", `"A@odata.type":"Edm.Binary","A":"AAH/"`),
		same("a time", `"A@odata.type":"Edm.DateTime","A":"2024-02-29T12:34:56.1234567Z"`),
		{"a whole double stays a double", func(p *tableProbe) {
			p.has("p", "r", `"A@odata.type":"Edm.Double","A":2`)
			r := p.answers(p.raw("GET", p.entity("p", "r"), ""), 200)
			if !strings.Contains(r.body, `"A":2.0`) && !strings.Contains(r.body, `"A@odata.type":"Edm.Double"`) {
				p.failf("it came back as %s", r.body)
			}
		}},
		{"null properties are dropped", func(p *tableProbe) {
			p.has("p", "r", `"A":null,"B":1`)
			got := p.get("p", "r")
			if _, there := got["A"]; there || got["B"] == nil {
				p.failf("entity %v", got)
			}
		}},
		{"a merge with null keeps the property", func(p *tableProbe) {
			p.has("p", "r", `"A":1`)
			p.answers(p.raw("MERGE", p.entity("p", "r"), `{"A":null,"B":2}`), 204)
			p.is("A", p.get("p", "r")["A"], 1)
		}},
		invalid("an int64 that is none", `"A@odata.type":"Edm.Int64","A":"x"`, "InvalidInput"),
		invalid("a guid that is none", `"A@odata.type":"Edm.Guid","A":"x"`, "InvalidInput"),
		invalid("a time that is none", `"A@odata.type":"Edm.DateTime","A":"x"`, "InvalidInput"),
		invalid("a binary that is no base64", `"A@odata.type":"Edm.Binary","A":"***"`, "InvalidInput"),
		invalid("a time before 1601", `"A@odata.type":"Edm.DateTime","A":"1600-12-31T23:59:59Z"`, "OutOfRangeInput"),
		invalid("an unknown type", `"A@odata.type":"Edm.Decimal","A":"1"`, "InvalidInput"),
		invalid("an object as a value", `"A":{"B":1}`, "InvalidInput"),
		invalid("an array as a value", `"A":[1]`, "InvalidInput"),
	}
}

func tableLimits() []tableCase {
	long := func(n int) string { return strings.Repeat("x", n) }
	many := func(n int) string {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"P%d":%d`, i, i))
		}
		return strings.Join(members, ",")
	}
	strings32K := func(n int) string {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"L%d":"%s"`, i, long(32<<10)))
		}
		return strings.Join(members, ",")
	}
	badKey := func(name, key string) tableCase {
		return tableCase{name, func(p *tableProbe) {
			p.answers(p.insert(key, "r", ""), 400)
			p.answers(p.insert("p", key, ""), 400)
			p.is("rows", p.rows(""), "")
		}}
	}
	return []tableCase{
		{"252 properties", func(p *tableProbe) { p.has("p", "r", many(252)) }},
		{"253 properties are too many", func(p *tableProbe) { p.refuses(p.insert("p", "r", many(253)), 400, "TooManyProperties") }},
		{"a merge to 253 properties", func(p *tableProbe) {
			p.has("p", "r", many(252))
			p.refuses(p.raw("MERGE", p.entity("p", "r"), `{"Another":1}`), 400, "TooManyProperties")
		}},
		{"a string of 32 K characters", func(p *tableProbe) { p.has("p", "r", `"A":"`+strings.Repeat("ü", 32<<10)+`"`) }},
		{"a string of 32 K + 1 characters", func(p *tableProbe) {
			p.refuses(p.insert("p", "r", `"A":"`+long(32<<10+1)+`"`), 400, "PropertyValueTooLarge")
		}},
		{"a binary of 64 KiB", func(p *tableProbe) {
			p.has("p", "r", `"A@odata.type":"Edm.Binary","A":"`+strings.Repeat("AAAA", 21845)+`AA=="`)
		}},
		{"a binary of 64 KiB + 1", func(p *tableProbe) {
			p.refuses(p.insert("p", "r", `"A@odata.type":"Edm.Binary","A":"`+strings.Repeat("AAAA", 21845)+`AAA="`), 400, "PropertyValueTooLarge")
		}},
		{"an entity of nearly 1 MiB", func(p *tableProbe) { p.has("p", "r", strings32K(15)) }},
		{"an entity over 1 MiB", func(p *tableProbe) { p.refuses(p.insert("p", "r", strings32K(17)), 400, "EntityTooLarge") }},
		{"a request over 4 MiB", func(p *tableProbe) { p.answers(p.insert("p", "r", `"A":"`+long(4<<20)+`"`), 413) }},
		{"a key of 512 characters", func(p *tableProbe) { p.has(long(512), long(512), "") }},
		{"a key of 513 characters", func(p *tableProbe) { p.answers(p.insert("p", long(513), ""), 400) }},
		{"empty keys", func(p *tableProbe) {
			p.has("", "", `"A":1`)
			p.is("A", p.get("", "")["A"], 1)
		}},
		badKey("a slash in a key", "a/b"), badKey("a backslash in a key", `a\b`), badKey("a hash in a key", "a#b"),
		badKey("a question mark in a key", "a?b"), badKey("a tab in a key", "a\tb"), badKey("a line break in a key", "a\nb"),
		badKey("U+007F in a key", "a\x7fb"), badKey("U+0085 in a key", "a\u0085b"),
		{"a slash in the key of an address", func(p *tableProbe) { p.answers(p.raw("PUT", p.entity("p", "a/b"), `{}`), 400) }},
		{"a property name of 256 characters", func(p *tableProbe) {
			p.refuses(p.insert("p", "r", `"`+long(256)+`":1`), 400, "PropertyNameTooLong")
		}},
		{"a property name with a hyphen", func(p *tableProbe) { p.refuses(p.insert("p", "r", `"a-b":1`), 400, "PropertyNameInvalid") }},
		{"a property twice", func(p *tableProbe) { p.answers(p.insert("p", "r", `"A":1,"A":2`), 400) }},
		{"a missing key", func(p *tableProbe) {
			p.refuses(p.raw("POST", p.name, `{"PartitionKey":"p"}`), 400, "PropertiesNeedValue")
			p.refuses(p.raw("POST", p.name, `{"RowKey":"r"}`), 400, "PropertiesNeedValue")
		}},
		{"a body that is no JSON", func(p *tableProbe) { p.refuses(p.raw("POST", p.name, `{"PartitionKey":"p"`), 400, "InvalidInput") }},
	}
}
