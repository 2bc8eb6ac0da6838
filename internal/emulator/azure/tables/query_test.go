package tables

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// filterTable has the entities that the filters are about.
func filterTable(t *testing.T) *emulator {
	e := openEmulator(t, engine.Options{})
	e.createTable("Filter")
	e.put("Filter", "p", "1", `"Text":"it's  two  spaces","Int":5,"Real":2.5,"Yes":true,
		"Long@odata.type":"Edm.Int64","Long":"9007199254740993",
		"ID@odata.type":"Edm.Guid","ID":"00112233-4455-6677-8899-aabbccddeeff",
		"At@odata.type":"Edm.DateTime","At":"2024-01-02T03:04:05.1234567Z",
		"Data@odata.type":"Edm.Binary","Data":"AP8="`)
	e.put("Filter", "p", "2", `"Text":"00112233-4455-6677-8899-aabbccddeeff","Int":7,"Yes":false`)
	e.put("Filter", "q", "3", `"Text":"","Int":5.0`)
	e.put("Filter", "q'", "4", `"NaN@odata.type":"Edm.Double","NaN":"NaN"`)
	return e
}

// filterTest is a filter and the rows it gives.
type filterTest struct{ filter, rows string }

func filtersOfKeys() []filterTest {
	return []filterTest{
		{"", "1 2 3 4"},
		{"   ", "1 2 3 4"},
		{"PartitionKey eq 'p'", "1 2"},
		{"'p' eq PartitionKey", "1 2"},
		{"PartitionKey eq 'q'''", "4"},
		{"PartitionKey eq 'p' and RowKey eq '2'", "2"},
		{"PartitionKey eq 'p' and PartitionKey eq 'q'", ""},
		{"PartitionKey ge 'q'", "3 4"},
		{"PartitionKey gt 'q'", "4"},
		{"PartitionKey lt 'q'", "1 2"},
		{"PartitionKey le 'q'", "1 2 3"},
		{"PartitionKey gt 'p' and PartitionKey lt 'q'''", "3"},
		{"PartitionKey ne 'p'", "3 4"},
		{"PartitionKey eq 'p' and RowKey gt '1' and RowKey le '2'", "2"},
		{"PartitionKey eq 'p' and RowKey ge '2' and RowKey lt '2'", ""},
		{"RowKey ge '2' and RowKey lt '4'", "2 3"},
		{"PartitionKey eq 'p' or RowKey eq '4'", "1 2 4"},
		{"((PartitionKey eq 'p')and(RowKey eq '1'))or(RowKey eq '3')", "1 3"},
	}
}

func filtersOfProperties() []filterTest {
	return []filterTest{
		{"Text eq 'it''s  two  spaces'", "1"},
		{"Text eq ''", "3"},
		{"Int eq 5", "1 3"},
		{"5 lt Int", "2"},
		{"Int gt 4.5 and Int lt 5.5", "1 3"},
		{"Int ne 5", "2"},
		{"not (Int eq 5)", "2"},
		{"not Int eq 5", "2"},
		{"not (Missing eq 5)", ""},
		{"Missing ne 5", ""},
		{"not (Missing eq 5) or Int eq 7", "2"},
		{"Missing eq 5 or Int eq 7", "2"},
		{"Text lt ''", ""},
		{"Yes", "1"},
		{"not Yes", "2"},
		{"Yes eq true", "1"},
		{"Yes eq false", "2"},
		{"Long eq 9007199254740993L", "1"},
		{"Long eq 9007199254740992L", ""},
		{"Long gt 5", "1"},
		{"Real eq 2.5", "1"},
		{"Real ge 2", "1"},
		{"ID eq guid'00112233-4455-6677-8899-AABBCCDDEEFF'", "1"},
		{"ID eq '00112233-4455-6677-8899-aabbccddeeff'", ""},
		{"Text eq guid'00112233-4455-6677-8899-aabbccddeeff'", ""},
		{"Text eq '00112233-4455-6677-8899-aabbccddeeff'", "2"},
		{"At eq datetime'2024-01-02T03:04:05.1234567Z'", "1"},
		{"At lt datetime'2024-01-02T03:04:05.1234568Z'", "1"},
		{"At gt datetime'2024-01-02T03:04:05.1234567Z'", ""},
		{"Timestamp gt datetime'2000-01-01T00:00:00Z'", "1 2 3 4"},
		{"Data eq X'00ff'", "1"},
		{"Data eq binary'00FF'", "1"},
		{"NaN eq 1.0", ""},
		{"NaN ne 1.0", "4"},
		{"Text eq 5", ""},
	}
}

func TestFilter(t *testing.T) {
	e := filterTable(t)
	for _, tt := range append(filtersOfKeys(), filtersOfProperties()...) {
		t.Run(tt.filter, func(t *testing.T) {
			if got := keysOf(e.rows("Filter", filter(tt.filter))); got != tt.rows {
				t.Errorf("rows %q, want %q", got, tt.rows)
			}
		})
	}
}

func TestInvalidFilters(t *testing.T) {
	e := filterTable(t)
	for _, bad := range []string{"PartitionKey eq", "PartitionKey = 'p'", "(PartitionKey eq 'p'", "Int eq null",
		"'a' eq 'b'", "Int add 1 eq 2", "ID eq guid'x'", "Text eq 'open", "startswith(Text,'a')"} {
		t.Run(bad, func(t *testing.T) {
			e.do("GET", "Filter?"+filter(bad), "").failsWith(t, 400, "InvalidInput")
		})
	}
}

// pages reads all pages of a query of at most top entities each, and returns their keys as partition|row.
func (e *emulator) pages(t *rapid.T, query string, top int) []string {
	var keys []string
	for next := ""; ; {
		a := e.do("GET", query+next, "")
		if a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		rows := a.values(e.t)
		if len(rows) > top {
			t.Fatalf("a page of %d, asked for %d", len(rows), top)
		}
		for _, r := range rows {
			keys = append(keys, fmt.Sprint(r["PartitionKey"], "|", r["RowKey"]))
		}
		partition, row := a.header.Get("x-ms-continuation-NextPartitionKey"),
			a.header.Get("x-ms-continuation-NextRowKey")
		if partition == "" {
			return keys
		}
		for _, c := range []byte(partition + row) {
			if c <= ' ' || c >= 0x7F {
				t.Fatalf("token %q %q", partition, row)
			}
		}
		next = "&NextPartitionKey=" + url.QueryEscape(partition) + "&NextRowKey=" + url.QueryEscape(row)
	}
}

// TestKeyRange compares what a query answers, in pages of random size, with a filter that looks at
// every entity, so that bounds, pages and continuation tokens are right together.
func TestKeyRange(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Ranges")
	keys := []string{"", " ", "!", "'", "a", "a'", "a ", "aa", "b", "ü", "€", "😀"}
	var all [][2]string
	for _, p := range keys {
		for _, r := range keys {
			e.put("Ranges", p, r, "")
			all = append(all, [2]string{p, r})
		}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	key := rapid.SampledFrom(keys)
	rapid.Check(t, func(t *rapid.T) {
		var conjuncts []string
		holds := func([2]string) bool { return true }
		for range rapid.IntRange(0, 4).Draw(t, "conjuncts") {
			which := rapid.IntRange(0, 1).Draw(t, "key")
			op := rapid.SampledFrom([]string{"eq", "ne", "lt", "le", "gt", "ge"}).Draw(t, "operator")
			value := key.Draw(t, "value")
			conjuncts = append(conjuncts, [2]string{"PartitionKey", "RowKey"}[which]+" "+op+" '"+
				strings.ReplaceAll(value, "'", "''")+"'")
			before := holds
			holds = func(k [2]string) bool { return before(k) && compares(strings.Compare(k[which], value), op) }
		}
		var want []string
		for _, k := range all {
			if holds(k) {
				want = append(want, k[0]+"|"+k[1])
			}
		}
		top := rapid.IntRange(1, 20).Draw(t, "top")
		got := e.pages(t, "Ranges()?"+filter(strings.Join(conjuncts, " and "))+fmt.Sprint("&$top=", top), top)
		if !slices.Equal(got, want) {
			t.Fatalf("%v: got %q, want %q", conjuncts, got, want)
		}
	})
}

func compares(order int, op string) bool {
	switch op {
	case "eq":
		return order == 0
	case "ne":
		return order != 0
	case "lt":
		return order < 0
	case "le":
		return order <= 0
	case "gt":
		return order > 0
	}
	return order >= 0
}

func TestPages(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Pages")
	for i := range 1001 {
		e.put("Pages", fmt.Sprintf("p%d", i/500), fmt.Sprintf("%04d", i), `"Odd":`+fmt.Sprint(i%2 == 1))
	}
	first := e.must(200, "GET", "Pages", "")
	if n := len(first.values(t)); n != 1000 {
		t.Errorf("a page holds %d, want 1000", n)
	}
	partition, row := first.header.Get("x-ms-continuation-NextPartitionKey"),
		first.header.Get("x-ms-continuation-NextRowKey")
	if partition == "" || row == "" {
		t.Fatal("no token after 1000 of 1001")
	}
	if got := keysOf(e.rows("Pages", "NextPartitionKey="+partition+"&NextRowKey="+row)); got != "1000" {
		t.Errorf("second page: %s", got)
	}
	if n := len(e.rows("Pages", "NextPartitionKey="+partition)); n != 1 {
		t.Errorf("with NextPartitionKey alone: %d entities, want the partition's 1", n)
	}
	if n := len(e.rows("Pages", "$top=0")); n != 0 {
		t.Errorf("$top=0 gives %d entities", n)
	}
	exact := e.must(200, "GET", "Pages()?$top=500&"+filter("PartitionKey eq 'p0'"), "")
	if len(exact.values(t)) != 500 || exact.header.Get("x-ms-continuation-NextPartitionKey") != "" {
		t.Error("a page that ends with its range has a token, or too few entities")
	}
	if n := len(e.rows("Pages", filter("Odd"))); n != 500 {
		t.Errorf("filter while reading: %d, want 500", n)
	}
	for _, bad := range []string{"$top=-1", "$top=1001", "$top=x", "NextPartitionKey=x", "NextPartitionKey=1!3!abcd",
		"NextPartitionKey=1!4!%26%26%26%26", "NextRowKey=" + row, "NextPartitionKey=1!2!_w"} {
		e.do("GET", "Pages()?"+bad, "").failsWith(t, 400, "InvalidInput")
	}
	for _, option := range []string{"$orderby=RowKey", "$skip=1"} {
		e.do("GET", "Pages()?"+option, "").failsWith(t, 501, "NotImplemented")
	}
}

// TestPageOfLargeEntities: an answer is cut where it would grow beyond all bounds.
func TestPageOfLargeEntities(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Large")
	for i := range 10 {
		e.put("Large", "p", fmt.Sprint(i), largeMembers(15)[1:])
	}
	count, next := 0, ""
	for {
		a := e.must(200, "GET", "Large()?"+next, "")
		if len(a.body) > pageSize+maxEntitySize {
			t.Fatalf("an answer of %d bytes", len(a.body))
		}
		count += len(a.values(t))
		if next = a.header.Get("x-ms-continuation-NextPartitionKey"); next == "" {
			break
		}
		next = "NextPartitionKey=" + next + "&NextRowKey=" + a.header.Get("x-ms-continuation-NextRowKey")
	}
	if count != 10 {
		t.Errorf("the pages hold %d, want 10", count)
	}
}

// TestPageEndsByTime: a query that looks at much and finds little gives empty pages with tokens.
func TestPageEndsByTime(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Slow")
	const rows = 3 * lookAtClock
	for i := range rows {
		e.put("Slow", "p", fmt.Sprintf("%06d", i), fmt.Sprintf(`"Last":%v`, i == rows-1))
	}
	e.service.pageTime = 0
	pages, got, next := 0, "", ""
	for {
		pages++
		a := e.must(200, "GET", "Slow()?"+filter("Last")+next, "")
		got += keysOf(a.values(t))
		if next = a.header.Get("x-ms-continuation-NextPartitionKey"); next == "" {
			break
		}
		next = "&NextPartitionKey=" + next + "&NextRowKey=" + a.header.Get("x-ms-continuation-NextRowKey")
	}
	if pages < 3 || got != fmt.Sprintf("%06d", rows-1) {
		t.Errorf("%d pages with %q", pages, got)
	}
}

func TestSelect(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Select")
	e.put("Select", "p", "r", `"A":1,"B@odata.type":"Edm.Int64","B":"2"`)
	for _, tt := range []struct{ selected, minimal, none string }{
		{"A", `"A":1`, `"A":1`},
		{"B,Missing", `"B@odata.type":"Edm.Int64","B":"2","Missing":null`, `"B":"2","Missing":null`},
		{"RowKey, PartitionKey", `"RowKey":"r","PartitionKey":"p"`, `"RowKey":"r","PartitionKey":"p"`},
		{"A,A", `"A":1`, `"A":1`},
		{"Missing", `"Missing":null`, `"Missing":null`},
	} {
		t.Run(tt.selected, func(t *testing.T) {
			for _, path := range []string{"Select()", "Select(PartitionKey='p',RowKey='r')"} {
				query := "?$select=" + url.QueryEscape(tt.selected)
				minimal := e.must(200, "GET", path+query, "")
				if !strings.Contains(minimal.body, `'\"",`+tt.minimal+"}") {
					t.Errorf("minimal: %s, want %s", minimal.body, tt.minimal)
				}
				if where := fmt.Sprint(minimal.object(t)["odata.metadata"]); !strings.Contains(where,
					"$metadata#Select") || !strings.Contains(where, "&$select=") {
					t.Errorf("odata.metadata %s", where)
				}
				if none := e.must(200, "GET", path+query, "",
					"Accept: application/json;odata=nometadata"); !strings.Contains(none.body, "{"+tt.none+"}") {
					t.Errorf("none: %s, want %s", none.body, tt.none)
				}
			}
		})
	}
	for _, everything := range []string{"$select=", "$select=*", "$select=A,*"} {
		if got := e.rows("Select", everything)[0]; got["A"] == nil || got["B"] == nil || got["RowKey"] == nil ||
			got["Timestamp"] == nil {
			t.Errorf("%s gives %v", everything, got)
		}
	}
}

func TestTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.String().Draw(t, "key")
		if back, ok := decodeToken(encodeToken(key)); !ok || back != key {
			t.Fatalf("%q comes back as %q, %v", key, back, ok)
		}
	})
}

func FuzzToken(f *testing.F) {
	f.Add(encodeToken("key"))
	f.Add("1!2!_w")
	f.Add("1!!")
	f.Fuzz(func(t *testing.T, token string) {
		if key, ok := decodeToken(token); ok {
			if back, ok := decodeToken(encodeToken(key)); !ok || back != key {
				t.Fatalf("%q decodes to %q, which does not come back", token, key)
			}
		}
	})
}

// A projection of more names than an entity has properties is refused before the table is read: with 100,000 names that
// took seconds.
func TestTooManySelected(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Selected")
	e.put("Selected", "p", "r", `"A":1`)
	names := "A"
	for i := range maxSelected {
		names += fmt.Sprintf(",N%d", i)
	}
	for _, path := range []string{"Selected()", entityPath("Selected", "p", "r")} {
		e.do("GET", path+"?$select="+names, "").failsWith(t, 400, "InvalidInput")
	}
}
