package tables

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

func tableNames(t *testing.T, a reply) string {
	t.Helper()
	var names []string
	for _, v := range a.values(t) {
		names = append(names, fmt.Sprint(v["TableName"]))
	}
	return strings.Join(names, " ")
}

// openTables is an emulator with three tables.
func openTables(t *testing.T, options engine.Options) *emulator {
	e := openEmulator(t, options)
	for _, name := range []string{"Bravo", "alpha", "Charlie"} {
		e.createTable(name)
	}
	return e
}

func TestTableRefusals(t *testing.T) {
	e := openTables(t, engine.Options{})
	for _, tt := range []struct {
		body   string
		status int
		code   string
	}{
		{`{"TableName":"ALPHA"}`, 409, "TableAlreadyExists"},
		{`{"TableName":"ab"}`, 400, "OutOfRangeInput"},
		{`{"TableName":"` + strings.Repeat("a", 64) + `"}`, 400, "OutOfRangeInput"},
		{`{"TableName":"1ab"}`, 400, "InvalidResourceName"},
		{`{"TableName":"a-b"}`, 400, "InvalidResourceName"},
		{`{"TableName":"tables"}`, 400, "InvalidResourceName"},
		{`{"TableName":5}`, 400, "InvalidInput"},
		{`{}`, 400, "InvalidInput"},
		{``, 400, "InvalidInput"},
	} {
		e.do("POST", "Tables", tt.body).failsWith(t, tt.status, tt.code)
	}
	e.do("DELETE", "Tables('Missing')", "").failsWith(t, 404, "ResourceNotFound")
	e.do("GET", "Tables('Missing')", "").failsWith(t, 404, "ResourceNotFound")
	e.do("GET", "Tables('open", "").failsWith(t, 400, "InvalidInput")
	e.do("GET", "Tables?"+filter("TableName eq"), "").failsWith(t, 400, "InvalidInput")
	e.do("GET", "Tables?NextTableName=x", "").failsWith(t, 400, "InvalidInput")
}

func TestTableLists(t *testing.T) {
	e := openTables(t, engine.Options{})
	for _, tt := range []struct{ query, want string }{
		{"", "alpha Bravo Charlie"},
		{"?$top=0", ""},
		{"?" + filter("TableName eq 'Bravo'"), "Bravo"},
		{"?" + filter("TableName ge 'B' and TableName lt 'C'"), "Bravo"},
		{"?" + filter("not (TableName eq 'Bravo')"), "alpha Charlie"},
		{"?" + filter("Other ne 'x'"), ""},
	} {
		if got := tableNames(t, e.must(200, "GET", "Tables"+tt.query, "")); got != tt.want {
			t.Errorf("Tables%s: %q, want %q", tt.query, got, tt.want)
		}
	}
	first := e.must(200, "GET", "Tables()?$top=2", "")
	token := first.header.Get("x-ms-continuation-NextTableName")
	if got := tableNames(t, first); got != "alpha Bravo" || token == "" {
		t.Fatalf("first page %q, token %q", got, token)
	}
	second := e.must(200, "GET", "Tables()?$top=2&NextTableName="+token, "")
	if got := tableNames(t, second); got != "Charlie" ||
		second.header.Get("x-ms-continuation-NextTableName") != "" {
		t.Errorf("second page %q", got)
	}
}

func TestTableMetadata(t *testing.T) {
	e := openTables(t, engine.Options{})
	full := e.must(200, "GET", "Tables('alpha')", "", "Accept: application/json;odata=fullmetadata").object(t)
	if full["odata.type"] != "devstoreaccount1.Tables" || full["odata.editLink"] != "Tables('alpha')" ||
		full["TableName"] != "alpha" {
		t.Errorf("full: %v", full)
	}
	if none := e.must(200, "GET", "Tables('alpha')", "",
		"Accept: application/json;odata=nometadata"); none.body != `{"TableName":"alpha"}` {
		t.Errorf("none: %s", none.body)
	}
}

// TestTableLives is what a table goes through, one after the other.
func TestTableLives(t *testing.T) {
	dir := t.TempDir()
	e := openTables(t, engine.Options{Dir: dir})
	t.Run("deleted and made again", func(t *testing.T) {
		e.put("Bravo", "p", "r", "")
		e.must(204, "DELETE", "Tables('bravo')", "")
		e.do("GET", "Bravo", "").failsWith(t, 404, "TableNotFound")
		e.createTable("BRAVO")
		if rows := e.rows("BRAVO", ""); len(rows) != 0 {
			t.Errorf("the new table has %v", rows)
		}
	})
	t.Run("after a restart", func(t *testing.T) {
		e.put("alpha", "p", "r", "")
		e.close()
		e.open(engine.Options{Dir: dir})
		if got := tableNames(t, e.must(200, "GET", "Tables", "")); got != "alpha BRAVO Charlie" {
			t.Errorf("tables: %s", got)
		}
		if rows := e.rows("alpha", ""); len(rows) != 1 {
			t.Errorf("entities: %v", rows)
		}
	})
	t.Run("reset keeps tables, drop does not", func(t *testing.T) {
		account := e.engine.Account(testAccount)
		if err := account.Reset(); err != nil {
			t.Fatal(err)
		}
		if rows := e.rows("alpha", ""); len(rows) != 0 {
			t.Errorf("after a reset: %v", rows)
		}
		if err := account.Drop(); err != nil {
			t.Fatal(err)
		}
		if got := tableNames(t, e.must(200, "GET", "Tables", "")); got != "" {
			t.Errorf("after a drop: %s", got)
		}
	})
}

func TestPolicies(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Policies")
	const body = `<?xml version="1.0" encoding="utf-8"?>` +
		`<SignedIdentifiers><SignedIdentifier><Id>reader</Id><AccessPolicy>` +
		`<Start>2024-01-01T00:00:00.0000000Z</Start><Expiry>2034-01-01T00:00:00.0000000Z</Expiry>` +
		`<Permission>r</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>`
	e.must(204, "PUT", "Policies?comp=acl", body)
	if got := e.must(200, "GET", "Policies?comp=acl", ""); !strings.HasSuffix(got.body,
		body[len(`<?xml version="1.0" encoding="utf-8"?>`):]) || got.header.Get("Content-Type") != "application/xml" {
		t.Errorf("policies: %s", got.body)
	}
	many := "<SignedIdentifiers>" + strings.Repeat("<SignedIdentifier><Id>x</Id></SignedIdentifier>", 6) +
		"</SignedIdentifiers>"
	for _, bad := range []string{"<", many, "<Other/>"} {
		a := e.do("PUT", "Policies?comp=acl", bad)
		if a.status != 400 {
			t.Errorf("PUT %s: %d", bad, a.status)
		}
	}
	e.do("GET", "Missing?comp=acl", "").failsWith(t, 404, "TableNotFound")
	e.do("DELETE", "Policies?comp=acl", "").failsWith(t, 405, "MethodNotAllowed")
	e.must(204, "DELETE", "Tables('Policies')", "")
	e.createTable("Policies")
	if got := e.must(200, "GET", "Policies?comp=acl", ""); strings.Contains(got.body, "reader") {
		t.Errorf("the new table has the old one's policies: %s", got.body)
	}
}
