package conformance

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

// filterCase is a filter over the entities of fill, and the rows it gives.
func filterCase(name, filter, rows string) tableCase {
	return tableCase{name, func(p *tableProbe) {
		p.fill()
		p.is("rows of "+filter, p.rows(filter), rows)
	}}
}

// fill makes the entities that the filters are about.
func (p *tableProbe) fill() {
	p.has("p", "1", `"Text":"it's  two  spaces","Int":5,"Real":2.5,"Yes":true,"Long@odata.type":"Edm.Int64","Long":"9007199254740993",`+
		`"ID@odata.type":"Edm.Guid","ID":"00112233-4455-6677-8899-aabbccddeeff","At@odata.type":"Edm.DateTime","At":"2024-01-02T03:04:05.1234567Z",`+
		`"Data@odata.type":"Edm.Binary","Data":"AP8="`)
	p.has("p", "2", `"Text":"00112233-4455-6677-8899-aabbccddeeff","Int":7,"Yes":false`)
	p.has("q", "3", `"Text":"","Int":5`)
}

func tableQueries() []tableCase {
	list := []tableCase{
		filterCase("an empty filter is none", "", "1 2 3"),
		filterCase("a partition", "PartitionKey eq 'p'", "1 2"),
		filterCase("a point", "PartitionKey eq 'p' and RowKey eq '2'", "2"),
		filterCase("a range of rows", "PartitionKey eq 'p' and RowKey gt '1' and RowKey le '2'", "2"),
		filterCase("a range of partitions", "PartitionKey gt 'p'", "3"),
		filterCase("parentheses without spaces", "((PartitionKey eq 'p')and(RowKey eq '1'))or(RowKey eq '3')", "1 3"),
		filterCase("not with parentheses", "not (Int eq 5)", "2"),
		filterCase("the literal on the left", "'p' eq PartitionKey", "1 2"),
		filterCase("a doubled quote and several spaces", "Text eq 'it''s  two  spaces'", "1"),
		filterCase("an empty string", "Text eq ''", "3"),
		filterCase("a missing property matches no ne", "Yes ne true", "2"),
		filterCase("a missing property matches no not", "not (Missing eq 5)", ""),
		filterCase("a missing property is not less", "Missing lt 'x'", ""),
		filterCase("a boolean alone", "Yes", "1"),
		filterCase("a boolean compared", "Yes eq false", "2"),
		filterCase("an int64", "Long eq 9007199254740993L", "1"),
		filterCase("the int64 beside it", "Long eq 9007199254740992L", ""),
		filterCase("a double", "Real eq 2.5", "1"),
		filterCase("a guid", "ID eq guid'00112233-4455-6677-8899-aabbccddeeff'", "1"),
		filterCase("a guid is no string", "ID eq '00112233-4455-6677-8899-aabbccddeeff'", ""),
		filterCase("a string is no guid", "Text eq guid'00112233-4455-6677-8899-aabbccddeeff'", ""),
		filterCase("a time at 100 ns", "At eq datetime'2024-01-02T03:04:05.1234567Z'", "1"),
		filterCase("a time 100 ns later", "At lt datetime'2024-01-02T03:04:05.1234568Z'", "1"),
		filterCase("a binary as X''", "Data eq X'00ff'", "1"),
		filterCase("a binary as binary''", "Data eq binary'00ff'", "1"),
		filterCase("Timestamp", "Timestamp gt datetime'2000-01-01T00:00:00Z'", "1 2 3"),
	}
	for _, bad := range []string{"PartitionKey eq", "PartitionKey = 'p'", "(PartitionKey eq 'p'", "Int eq null", "ID eq guid'x'", "Text eq 'open"} {
		list = append(list, tableCase{"an invalid filter: " + bad, func(p *tableProbe) {
			p.fill()
			p.refuses(p.raw("GET", p.name+"()?$filter="+url.QueryEscape(bad), ""), 400, "InvalidInput")
		}})
	}
	return append(list, tablePages()...)
}

func tablePages() []tableCase {
	return []tableCase{
		{"entities are in the order of their keys", func(p *tableProbe) {
			for _, key := range []string{"b", "a", "B", "10", "9", "", "a "} {
				p.has(key, "r"+key, "")
			}
			r := p.answers(p.raw("GET", p.name, ""), 200)
			p.is("rows", p.rowKeys(r), "r r10 r9 rB ra ra  rb")
		}},
		{"select gives null for what an entity lacks", func(p *tableProbe) {
			p.has("p", "r", `"A":1`)
			for _, path := range []string{p.entity("p", "r"), p.name + "()"} {
				r := p.answers(p.raw("GET", path+"?$select=A,Missing", ""), 200)
				if !strings.Contains(r.body, `"A":1`) || !strings.Contains(r.body, `"Missing":null`) || strings.Contains(r.body, "RowKey\"") {
					p.failf("%s: %s", path, r.body)
				}
			}
		}},
		{"pages by the SDK", func(p *tableProbe) {
			want := ""
			for i := range 25 {
				p.has(fmt.Sprintf("p%d", i/10), fmt.Sprintf("%02d", i), "")
				want += fmt.Sprintf("%02d ", i)
			}
			got := ""
			for pager := p.table.NewListEntitiesPager(&aztables.ListEntitiesOptions{Top: to.Ptr(int32(4))}); pager.More(); {
				page, err := pager.NextPage(p.ctx)
				p.ok(err)
				if len(page.Entities) > 4 {
					p.failf("a page of %d", len(page.Entities))
				}
				for _, entity := range page.Entities {
					_, rest, _ := strings.Cut(string(entity), `"RowKey":"`)
					got += rest[:2] + " "
				}
			}
			p.is("rows", got, want)
		}},
		{"tokens are ASCII whatever the keys are", func(p *tableProbe) {
			p.has("ü€😀", "1", "")
			p.has("ü€😀", "2 ü'", "")
			r := p.answers(p.raw("GET", p.name+"()?$top=1", ""), 200)
			partition, row := r.header.Get("x-ms-continuation-NextPartitionKey"), r.header.Get("x-ms-continuation-NextRowKey")
			for _, c := range []byte(partition + row) {
				if c <= ' ' || c >= 0x7F {
					p.failf("tokens %q, %q", partition, row)
				}
			}
			r = p.answers(p.raw("GET", p.name+"()?NextPartitionKey="+url.QueryEscape(partition)+"&NextRowKey="+url.QueryEscape(row), ""), 200)
			p.is("second page", p.rowKeys(r), "2 ü'")
		}},
		{"NextPartitionKey without NextRowKey", func(p *tableProbe) {
			p.has("p", "1", "")
			p.has("q", "2", "")
			p.has("q", "3", "")
			r := p.answers(p.raw("GET", p.name+"()?$top=1", ""), 200)
			r = p.answers(p.raw("GET", p.name+"()?NextPartitionKey="+url.QueryEscape(r.header.Get("x-ms-continuation-NextPartitionKey")), ""), 200)
			p.is("second page", p.rowKeys(r), "2 3")
		}},
		{"a token that is none", func(p *tableProbe) {
			p.fill()
			p.refuses(p.raw("GET", p.name+"()?NextPartitionKey=nonsense&NextRowKey=nonsense", ""), 400, "InvalidInput")
		}},
		{"a page that ends with the entities has no token", func(p *tableProbe) {
			p.fill()
			r := p.answers(p.raw("GET", p.name+"()?$top=3", ""), 200)
			p.is("token", r.header.Get("x-ms-continuation-NextPartitionKey"), "")
		}},
		{"top 0", func(p *tableProbe) {
			p.fill()
			p.is("rows", p.rowKeys(p.answers(p.raw("GET", p.name+"()?$top=0", ""), 200)), "")
		}},
		{"top over 1000", func(p *tableProbe) { p.refuses(p.raw("GET", p.name+"()?$top=1001", ""), 400, "InvalidInput") }},
		{"top below 0", func(p *tableProbe) { p.refuses(p.raw("GET", p.name+"()?$top=-1", ""), 400, "InvalidInput") }},
	}
}
