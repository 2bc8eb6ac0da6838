package azure

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

// fill makes the entities that the filters are about.
func (p *tableProbe) fill() {
	p.has("p", "1", `"Text":"it's  two  spaces","Int":5,"Real":2.5,"Yes":true,`+
		`"Long@odata.type":"Edm.Int64","Long":"9007199254740993",`+
		`"ID@odata.type":"Edm.Guid","ID":"00112233-4455-6677-8899-aabbccddeeff",`+
		`"At@odata.type":"Edm.DateTime","At":"2024-01-02T03:04:05.1234567Z",`+
		`"Data@odata.type":"Edm.Binary","Data":"AP8="`)
	p.has("p", "2", `"Text":"00112233-4455-6677-8899-aabbccddeeff","Int":7,"Yes":false`)
	p.has("q", "3", `"Text":"","Int":5`)
}

// tableFilters are filters over the entities of fill, and the rows they give.
func tableFilters() []tableCase {
	matches := func(name string, needs *conformance.Capability, filter, rows string) tableCase {
		return tableCase{name, needs, func(p *tableProbe) {
			p.fill()
			p.is("rows of "+filter, p.rows(filter), rows)
		}}
	}
	invalid := func(filter string, needs *conformance.Capability) tableCase {
		return tableCase{"an invalid filter: " + filter, needs, func(p *tableProbe) {
			p.fill()
			p.refuses(p.raw("GET", p.name+"()?$filter="+url.QueryEscape(filter), ""), 400, "InvalidInput")
		}}
	}
	return []tableCase{
		matches("an empty filter matches everything", nil, "", "1 2 3"),
		matches("a partition", nil, "PartitionKey eq 'p'", "1 2"),
		matches("a point", nil, "PartitionKey eq 'p' and RowKey eq '2'", "2"),
		matches("a range of rows", nil, "PartitionKey eq 'p' and RowKey gt '1' and RowKey le '2'", "2"),
		matches("a range of partitions", nil, "PartitionKey gt 'p'", "3"),
		matches("parentheses without spaces", nil, "((PartitionKey eq 'p')and(RowKey eq '1'))or(RowKey eq '3')", "1 3"),
		matches("not with parentheses", nil, "not (Int eq 5)", "2"),
		matches("the literal on the left", nil, "'p' eq PartitionKey", "1 2"),
		matches("a doubled quote and several spaces", nil, "Text eq 'it''s  two  spaces'", "1"),
		matches("an empty string", nil, "Text eq ''", "3"),
		matches("a missing property matches no ne", nil, "Yes ne true", "2"),
		matches("a missing property matches no not", SkipsMissingProperties, "not (Missing eq 5)", ""),
		matches("a missing property is not less", nil, "Missing lt 'x'", ""),
		matches("a boolean alone", nil, "Yes", "1"),
		matches("a boolean compared", nil, "Yes eq false", "2"),
		matches("a boolean compared, in capitals", nil, "Yes eq False", "2"),
		matches("nothing", nil, "false", ""),
		matches("everything", nil, "true", "1 2 3"),
		matches("nothing or a row", nil, "(false or RowKey eq '1') or RowKey eq '3'", "1 3"),
		matches("everything and a row", nil, "true and RowKey eq '2'", "2"),
		matches("a row or nothing, in capitals", nil, "RowKey eq '2' or False", "2"),
		matches("an int64 compared", nil, "Long eq 9007199254740993L", "1"),
		matches("the next int64", nil, "Long eq 9007199254740992L", ""),
		matches("a double compared", nil, "Real eq 2.5", "1"),
		matches("a guid compared", nil, "ID eq guid'00112233-4455-6677-8899-aabbccddeeff'", "1"),
		matches("a guid is not a string", nil, "ID eq '00112233-4455-6677-8899-aabbccddeeff'", ""),
		matches("a string is not a guid", ComparesByType, "Text eq guid'00112233-4455-6677-8899-aabbccddeeff'", ""),
		matches("a time at 100 ns", nil, "At eq datetime'2024-01-02T03:04:05.1234567Z'", "1"),
		matches("a time 100 ns later", ComparesTimesExactly, "At lt datetime'2024-01-02T03:04:05.1234568Z'", "1"),
		matches("a binary as X''", nil, "Data eq X'00ff'", "1"),
		matches("a binary as binary''", nil, "Data eq binary'00ff'", "1"),
		matches("Timestamp", nil, "Timestamp gt datetime'2000-01-01T00:00:00Z'", "1 2 3"),
		invalid("PartitionKey eq", nil),
		invalid("PartitionKey = 'p'", nil),
		invalid("(PartitionKey eq 'p'", nil),
		invalid("Int eq null", RefusesNullInFilters),
		invalid("ID eq guid'x'", RefusesMalformedLiterals),
		invalid("Text eq 'open", RefusesMalformedLiterals),
	}
}

// tablePages are orders, projections and pages.
func tablePages() []tableCase {
	return []tableCase{
		{"entities are in the order of their keys", nil, func(p *tableProbe) {
			for _, key := range []string{"b", "a", "B", "10", "9", "", "a "} {
				p.has(key, "r"+key, "")
			}
			r := p.answers(p.raw("GET", p.name, ""), 200)
			p.is("rows", p.rowKeys(r), "r r10 r9 rB ra ra  rb")
		}},
		{"select gives null for what an entity lacks", SelectsNull, func(p *tableProbe) {
			p.has("p", "r", `"A":1`)
			for _, path := range []string{p.entity("p", "r"), p.name + "()"} {
				r := p.answers(p.raw("GET", path+"?$select=A,Missing", ""), 200)
				if !strings.Contains(r.body, `"A":1`) || !strings.Contains(r.body, `"Missing":null`) ||
					strings.Contains(r.body, "RowKey\"") {
					p.Fatalf("%s: %s", path, r.body)
				}
			}
		}},
		{"select of as many properties as an entity can have", nil, func(p *tableProbe) {
			p.has("p", "r", `"A":1`)
			names := make([]string, 255)
			for i := range names {
				names[i] = fmt.Sprintf("N%d", i)
			}
			p.answers(p.raw("GET", p.name+"()?$select="+strings.Join(names, ","), ""), 200)
			p.answers(p.raw("GET", p.name+"()?$select="+strings.Join(names, ",")+",N0,N1", ""), 200)
		}},
		{"pages by the SDK", nil, func(p *tableProbe) {
			want := ""
			for i := range 25 {
				p.has(fmt.Sprintf("p%d", i/10), fmt.Sprintf("%02d", i), "")
				want += fmt.Sprintf("%02d ", i)
			}
			got := ""
			pager := p.table.NewListEntitiesPager(&aztables.ListEntitiesOptions{Top: to.Ptr(int32(4))})
			for pager.More() {
				page := result(pager.NextPage(p.Context()))(p)
				if len(page.Entities) > 4 {
					p.Fatalf("a page of %d", len(page.Entities))
				}
				for _, entity := range page.Entities {
					_, rest, _ := strings.Cut(string(entity), `"RowKey":"`)
					got += rest[:2] + " "
				}
			}
			p.is("rows", got, want)
		}},
	}
}

// tableTokens are continuation tokens, and pages of a size that was asked for.
func tableTokens() []tableCase {
	return []tableCase{
		{"tokens are ASCII whatever the keys are", nil, func(p *tableProbe) {
			p.has("ü€😀", "1", "")
			p.has("ü€😀", "2 ü'", "")
			r := p.answers(p.raw("GET", p.name+"()?$top=1", ""), 200)
			partition, row := r.header.Get("x-ms-continuation-NextPartitionKey"),
				r.header.Get("x-ms-continuation-NextRowKey")
			for _, c := range []byte(partition + row) {
				if c <= ' ' || c >= 0x7F {
					p.Fatalf("tokens %q, %q", partition, row)
				}
			}
			r = p.answers(p.raw("GET", p.name+"()?NextPartitionKey="+url.QueryEscape(partition)+"&NextRowKey="+
				url.QueryEscape(row), ""), 200)
			p.is("second page", p.rowKeys(r), "2 ü'")
		}},
		{"NextPartitionKey without NextRowKey", nil, func(p *tableProbe) {
			p.has("p", "1", "")
			p.has("q", "2", "")
			p.has("q", "3", "")
			r := p.answers(p.raw("GET", p.name+"()?$top=1", ""), 200)
			r = p.answers(p.raw("GET", p.name+"()?NextPartitionKey="+
				url.QueryEscape(r.header.Get("x-ms-continuation-NextPartitionKey")), ""), 200)
			p.is("second page", p.rowKeys(r), "2 3")
		}},
		{"an invalid token", RefusesForeignTokens, func(p *tableProbe) {
			p.fill()
			p.refuses(p.raw("GET", p.name+"()?NextPartitionKey=nonsense&NextRowKey=nonsense", ""), 400, "InvalidInput")
		}},
		{"a page that ends with the entities has no token", nil, func(p *tableProbe) {
			p.fill()
			r := p.answers(p.raw("GET", p.name+"()?$top=3", ""), 200)
			p.is("token", r.header.Get("x-ms-continuation-NextPartitionKey"), "")
		}},
		{"top 0", nil, func(p *tableProbe) {
			p.fill()
			p.is("rows", p.rowKeys(p.answers(p.raw("GET", p.name+"()?$top=0", ""), 200)), "")
		}},
		{"top over 1000", LimitsTop, func(p *tableProbe) {
			p.refuses(p.raw("GET", p.name+"()?$top=1001", ""), 400,
				"InvalidInput")
		}},
		{"top below 0", NamesNegativeTop,
			func(p *tableProbe) { p.refuses(p.raw("GET", p.name+"()?$top=-1", ""), 400, "InvalidInput") }},
	}
}
