package azure

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

// oldTag is a well-formed ETag that no entity has.
const oldTag = `W/"datetime'2020-01-01T00%3A00%3A00.1234567Z'"`

// tableEntities are single entities, written and read.
func tableEntities() []tableCase {
	return []tableCase{
		{"insert, get, replace, merge and delete by the SDK", nil, func(p *tableProbe) {
			for _, key := range []string{"plain", "a b", "it's", "100%", "a|b", "üß€", "a;b&c=d+e", "semi;colon", "😀"} {
				body := func(members map[string]any) []byte {
					members["PartitionKey"], members["RowKey"] = key, key
					data := result(json.Marshal(members))(p)
					return data
				}
				p.works(p.table.AddEntity(p.Context(), body(map[string]any{"A": 1}), nil))
				p.works(p.table.UpsertEntity(p.Context(), body(map[string]any{"B": 2}),
					&aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace}))
				p.works(p.table.UpdateEntity(p.Context(), body(map[string]any{"C": 3}),
					&aztables.UpdateEntityOptions{UpdateMode: aztables.UpdateModeMerge}))
				got := p.get(key, key)
				p.is("entity "+key, fmt.Sprint(got["RowKey"], got["A"], got["B"], got["C"]), fmt.Sprint(key, nil, 2, 3))
				p.works(p.table.DeleteEntity(p.Context(), key, key, nil))
				p.refuses(p.raw("GET", p.entity(key, key), ""), 404, "ResourceNotFound")
			}
		}},
		{"insert twice", nil, func(p *tableProbe) {
			p.has("p", "r", "")
			p.refuses(p.insert("p", "r", ""), 409, "EntityAlreadyExists")
		}},
		{"an ETag changes with every write", nil, func(p *tableProbe) {
			first := p.has("p", "r", "").header.Get("ETag")
			second := p.answers(p.raw("PUT", p.entity("p", "r"), "{}"), 204).header.Get("ETag")
			third := p.answers(p.raw("MERGE", p.entity("p", "r"), "{}"), 204).header.Get("ETag")
			if first == "" || first == second || second == third {
				p.Fatalf("ETags %s, %s, %s", first, second, third)
			}
		}},
		{"an ETag is the Timestamp", nil, func(p *tableProbe) {
			tag := p.has("p", "r", "").header.Get("ETag")
			got := p.get("p", "r")
			p.is("ETag", tag, `W/"datetime'`+strings.ReplaceAll(fmt.Sprint(got["Timestamp"]), ":", "%3A")+`'"`)
			p.is("odata.etag", got["odata.etag"], tag)
		}},
		{"without If-Match a write inserts or replaces", nil, func(p *tableProbe) {
			p.answers(p.raw("PUT", p.entity("p", "put"), `{"A":1}`), 204)
			p.answers(p.raw("MERGE", p.entity("p", "merge"), `{"A":1}`), 204)
			p.is("rows", p.rows(""), "merge put")
		}},
	}
}

// tableConditions are writes that depend on an ETag, or on a table.
func tableConditions() []tableCase {
	return []tableCase{
		{"If-Match: * needs the entity", nil, func(p *tableProbe) {
			for _, method := range []string{"PUT", "MERGE", "DELETE"} {
				p.refuses(p.raw(method, p.entity("p", "r"), `{}`, "If-Match: *"), 404, "ResourceNotFound")
			}
		}},
		{"an old ETag is refused", nil, func(p *tableProbe) {
			p.has("p", "r", `"A":1`)
			for _, method := range []string{"PUT", "MERGE", "DELETE"} {
				p.refuses(p.raw(method, p.entity("p", "r"), `{}`, "If-Match: "+oldTag), 412,
					"UpdateConditionNotSatisfied")
			}
			p.is("A", p.get("p", "r")["A"], 1)
		}},
		{"the current ETag is taken", nil, func(p *tableProbe) {
			tag := p.has("p", "r", `"A":1`).header.Get("ETag")
			tag = p.answers(p.raw("MERGE", p.entity("p", "r"), `{"B":2}`, "If-Match: "+tag), 204).header.Get("ETag")
			tag = p.answers(p.raw("PUT", p.entity("p", "r"), `{"C":3}`, "If-Match: "+tag), 204).header.Get("ETag")
			p.answers(p.raw("DELETE", p.entity("p", "r"), "", "If-Match: "+tag), 204)
		}},
		{"anything but an ETag is refused", nil, func(p *tableProbe) {
			p.has("p", "r", "")
			p.refuses(p.raw("PUT", p.entity("p", "r"), `{}`, "If-Match: nonsense"), 400, "InvalidInput")
		}},
		{"a tunneled merge", nil, func(p *tableProbe) {
			p.has("p", "r", `"A":1`)
			p.answers(p.raw("POST", p.entity("p", "r"), `{"B":2}`, "X-HTTP-Method: MERGE"), 204)
			p.is("A", p.get("p", "r")["A"], 1)
		}},
		{"no such table", nil, func(p *tableProbe) {
			missing := strings.Replace(p.entity("p", "r"), p.name, "NoSuchTable", 1)
			p.refuses(p.raw("PUT", missing, `{}`), 404, "TableNotFound")
			p.refuses(p.raw("GET", missing, ""), 404, "TableNotFound")
			p.refuses(p.raw("GET", "NoSuchTable", ""), 404, "TableNotFound")
			p.refuses(p.raw("POST", "NoSuchTable", `{"PartitionKey":"p","RowKey":"r"}`), 404, "TableNotFound")
		}},
		{"an update by the SDK with an old ETag", nil, func(p *tableProbe) {
			p.has("p", "r", "")
			data := result(json.Marshal(aztables.Entity{PartitionKey: "p", RowKey: "r"}))(p)
			p.fails(412, "UpdateConditionNotSatisfied")(p.table.DeleteEntity(p.Context(), "p", "r",
				&aztables.DeleteEntityOptions{IfMatch: to.Ptr(azcore.ETag(oldTag))}))
			p.fails(412, "UpdateConditionNotSatisfied")(p.table.UpdateEntity(p.Context(), data,
				&aztables.UpdateEntityOptions{UpdateMode: aztables.UpdateModeReplace,
					IfMatch: to.Ptr(azcore.ETag(oldTag))}))
		}},
	}
}

// tableAnswers are the forms in which an entity is answered.
func tableAnswers() []tableCase {
	return []tableCase{
		{"Prefer decides what an insert gives back", nil, func(p *tableProbe) {
			body := func(row string) string { return `{"PartitionKey":"p","RowKey":"` + row + `","A":1}` }
			r := p.answers(p.raw("POST", p.name, body("1")), 201)
			p.is("A", p.object(r)["A"], 1)
			r = p.answers(p.raw("POST", p.name, body("2"), "Prefer: return-content"), 201)
			p.is("Preference-Applied", r.header.Get("Preference-Applied"), "return-content")
			r = p.answers(p.raw("POST", p.name, body("3"), "Prefer: return-no-content"), 204)
			p.is("Preference-Applied", r.header.Get("Preference-Applied"), "return-no-content")
			p.is("body", r.body, "")
		}},
		// As Azure answered the tests TestAddBasicEntity of aztables and "should createEntity" of @azure/data-tables.
		{"DataServiceId of what was made", nil, func(p *tableProbe) {
			for _, made := range []struct{ path, body string }{
				{p.name, `{"PartitionKey":"p","RowKey":"%s"}`}, {"Tables", `{"TableName":"` + p.name + `%s"}`},
			} {
				r := p.answers(p.raw("POST", made.path, fmt.Sprintf(made.body, "a")), 201)
				p.is("DataServiceId with a body", r.header.Get("DataServiceId"), "")
				r = p.answers(p.raw("POST", made.path, fmt.Sprintf(made.body, "b"), "Prefer: return-no-content"), 204)
				p.is("DataServiceId without a body", r.header.Get("DataServiceId"), r.header.Get("Location"))
			}
		}},
		{"an answer about one entity says so in odata.metadata", nil, func(p *tableProbe) {
			r := p.answers(p.raw("POST", p.name, `{"PartitionKey":"p","RowKey":"r"}`), 201)
			p.is("of the insert", p.object(r)["odata.metadata"], p.base+"/$metadata#"+p.name+"/@Element")
			p.is("of the get", p.get("p", "r")["odata.metadata"], p.base+"/$metadata#"+p.name+"/@Element")
		}},
		{"levels of metadata", nil, func(p *tableProbe) {
			p.has("p", "r", `"A@odata.type":"Edm.Int64","A":"1"`)
			for level, want := range map[string]string{"nometadata": "",
				"minimalmetadata": "odata.etag odata.metadata A@odata.type",
				"fullmetadata": "odata.etag odata.metadata odata.editLink odata.id odata.type A@odata.type " +
					"Timestamp@odata.type"} {
				got := p.object(p.answers(p.raw("GET", p.entity("p", "r"), "", "Accept: application/json;odata="+level),
					200))
				for _, name := range []string{"odata.etag", "odata.metadata", "odata.editLink", "odata.id",
					"odata.type", "A@odata.type", "Timestamp@odata.type"} {
					if _, there := got[name]; there != strings.Contains(" "+want+" ", " "+name+" ") {
						p.Fatalf("with %s, %s is there: %v", level, name, there)
					}
				}
			}
		}},
		{"Atom is refused", RefusesAtom, func(p *tableProbe) {
			p.answers(p.raw("GET", p.entity("p", "r"), "", "Accept: application/atom+xml"), 415)
			p.answers(p.raw("POST", p.name, "<entry/>", "Content-Type: application/atom+xml"), 415)
		}},
	}
}
