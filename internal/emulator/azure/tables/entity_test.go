package tables

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// manyProperties is n members of an entity.
func manyProperties(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"P%d":%d`, i, i)
	}
	return b.String()
}

// largeMembers are n strings of 32 K characters, 64 KiB each as Azure counts.
func largeMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"L%d":"%s"`, i, strings.Repeat("x", 32<<10))
	}
	return b.String()
}

func TestInsertAtTheLimits(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Limits")
	for i, members := range []string{
		manyProperties(252),
		manyProperties(252) + `,"Timestamp":"2020-01-01T00:00:00Z","odata.etag":"x","Null":null`,
		`,"A":"` + strings.Repeat("x", 32<<10) + `"`,
		`,"A":"` + strings.Repeat("€", 32<<10) + `"`,
		`,"A@odata.type":"Edm.Binary","A":"` + base64.StdEncoding.EncodeToString(make([]byte, 64<<10)) + `"`,
		largeMembers(15),
		`,"` + strings.Repeat("n", 255) + `":1`,
		`,"A@odata.type":"Edm.DateTime","A":"1601-01-01T00:00:00Z"`,
		`,"A@odata.type":"Edm.DateTime","A":"9999-12-31T23:59:59.9999999Z"`,
		`,"_ünïcödé1":1`,
	} {
		e.must(201, "POST", "Limits",
			fmt.Sprintf(`{"PartitionKey":"%s","RowKey":"%d"%s}`, strings.Repeat("k", 512), i, members))
	}
	e.must(201, "POST", "Limits", `{"PartitionKey":"","RowKey":""}`)
	if got := e.must(200, "GET", "Limits(PartitionKey='',RowKey='')", "").object(t); got["RowKey"] != "" {
		t.Errorf("entity with empty keys: %v", got)
	}
}

// TestTypes writes every type and reads it at every level of metadata.
func TestTypes(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Types")
	for _, tt := range []struct{ name, sent, minimal, none string }{
		{"string", `"A":"x"`, `"A":"x"`, `"A":"x"`},
		{"escapes", `"A":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud800!\u0001"`, `"A":"\"\\/\b\f\n\r\té😀�!\u0001"`,
			`"A":"\"\\/\b\f\n\r\té😀�!\u0001"`},
		{"boolean", `"A":true`, `"A":true`, `"A":true`},
		{"int32", `"A":-2147483648`, `"A":-2147483648`, `"A":-2147483648`},
		{"large number", `"A":2147483648`, `"A":2147483648.0`, `"A":2147483648.0`},
		{"double", `"A":1.50`, `"A":1.5`, `"A":1.5`},
		{"whole double", `"A":1e3`, `"A":1000.0`, `"A":1000.0`},
		{"annotated double", `"A@odata.type":"Edm.Double","A":2`, `"A":2.0`, `"A":2.0`},
		{"double in quotes", `"A@odata.type":"Edm.Double","A":"-2.5e-7"`, `"A":-2.5e-07`, `"A":-2.5e-07`},
		{"not a number", `"A@odata.type":"Edm.Double","A":"NaN"`, `"A@odata.type":"Edm.Double","A":"NaN"`, `"A":"NaN"`},
		{"infinity", `"A@odata.type":"Edm.Double","A":"-Infinity"`, `"A@odata.type":"Edm.Double","A":"-Infinity"`,
			`"A":"-Infinity"`},
		{"int64", `"A@odata.type":"Edm.Int64","A":"-9223372036854775808"`,
			`"A@odata.type":"Edm.Int64","A":"-9223372036854775808"`, `"A":"-9223372036854775808"`},
		{"type behind", `"A":"9","A@odata.type":"Edm.Int64"`, `"A@odata.type":"Edm.Int64","A":"9"`, `"A":"9"`},
		{"type far behind", `"A":"9","B":1,"A@odata.type":"Edm.Int64"`, `"A@odata.type":"Edm.Int64","A":"9","B":1`,
			`"A":"9","B":1`},
		{"guid", `"A@odata.type":"Edm.Guid","A":"00112233-4455-6677-8899-AABBCCDDEEFF"`,
			`"A@odata.type":"Edm.Guid","A":"00112233-4455-6677-8899-aabbccddeeff"`,
			`"A":"00112233-4455-6677-8899-aabbccddeeff"`},
		{"binary", `"A@odata.type":"Edm.Binary","A":"AAH/"`, `"A@odata.type":"Edm.Binary","A":"AAH/"`, `"A":"AAH/"`},
		{"empty binary", `"A@odata.type":"Edm.Binary","A":""`, `"A@odata.type":"Edm.Binary","A":""`, `"A":""`},
		{"datetime", `"A@odata.type":"Edm.DateTime","A":"2024-02-29T12:34:56.1234567Z"`,
			`"A@odata.type":"Edm.DateTime","A":"2024-02-29T12:34:56.1234567Z"`, `"A":"2024-02-29T12:34:56.1234567Z"`},
		{"datetime with a zone", `"A@odata.type":"Edm.DateTime","A":"2024-02-29T12:00:00+02:00"`,
			`"A@odata.type":"Edm.DateTime","A":"2024-02-29T10:00:00Z"`, `"A":"2024-02-29T10:00:00Z"`},
		{"datetime before 1970", `"A@odata.type":"Edm.DateTime","A":"1969-12-31T23:59:59.9999999Z"`,
			`"A@odata.type":"Edm.DateTime","A":"1969-12-31T23:59:59.9999999Z"`, `"A":"1969-12-31T23:59:59.9999999Z"`},
		{"null", `"A":null,"B":1`, `"B":1`, `"B":1`},
		{"annotated null", `"A@odata.type":"Edm.Guid","A":null,"B":1`, `"B":1`, `"B":1`},
		{"annotation alone", `"A@odata.type":"Edm.Guid","B":1`, `"B":1`, `"B":1`},
		{"other annotations", `"A@odata.other":"x","odata.type":"t","B":1`, `"B":1`, `"B":1`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := entityPath("Types", "p", tt.name)
			e.must(204, "PUT", path, "{"+tt.sent+"}")
			for level, want := range map[string]string{"minimalmetadata": tt.minimal, "nometadata": tt.none,
				"fullmetadata": tt.minimal} {
				a := e.must(200, "GET", path, "", "Accept: application/json;odata="+level)
				_, members, _ := strings.Cut(a.body, `"Timestamp":`)
				_, members, _ = strings.Cut(members, ",")
				if members != want+"}" {
					t.Errorf("%s: %s, want %s", level, members, want)
				}
				if got := a.header.Get("Content-Type"); !strings.HasPrefix(got, "application/json;odata="+level) {
					t.Errorf("content type %s", got)
				}
			}
		})
	}
}

func TestMetadataLevels(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Levels")
	e.put("Levels", "it's", "50%", `"A":1`)
	const base, link = "http://127.0.0.1:10002/devstoreaccount1/", "Levels(PartitionKey='it%27%27s',RowKey='50%25')"
	for _, tt := range []struct {
		level string
		want  map[string]string // "": it is missing
	}{
		{"nometadata", map[string]string{"odata.metadata": "", "odata.etag": "", "odata.type": "", "odata.id": "",
			"odata.editLink": "", "Timestamp@odata.type": ""}},
		{"minimalmetadata", map[string]string{"odata.metadata": base + "$metadata#Levels/@Element", "odata.type": "",
			"odata.id": "", "odata.editLink": "", "Timestamp@odata.type": ""}},
		{"fullmetadata", map[string]string{
			"odata.metadata": base + "$metadata#Levels/@Element", "odata.type": "devstoreaccount1.Levels",
			"odata.id": base + link, "odata.editLink": link, "Timestamp@odata.type": "Edm.DateTime",
		}},
	} {
		t.Run(tt.level, func(t *testing.T) {
			for _, ask := range [][]string{{link, "Accept: application/json;odata=" + tt.level},
				{link + "?$format=application/json%3Bodata%3D" + tt.level}} {
				a := e.must(200, "GET", ask[0], "", ask[1:]...)
				got := a.object(t)
				for name, want := range tt.want {
					if value, ok := got[name]; ok != (want != "") || ok && value != want {
						t.Errorf("%s is %v, want %q", name, value, want)
					}
				}
				if tt.level != "nometadata" && got["odata.etag"] != a.header.Get("ETag") {
					t.Errorf("odata.etag %v, header %s", got["odata.etag"], a.header.Get("ETag"))
				}
			}
			page := e.must(200, "GET", "Levels", "", "Accept: application/json;odata="+tt.level).object(t)
			if want := tt.want["odata.metadata"]; want != "" &&
				page["odata.metadata"] != strings.TrimSuffix(want, "/@Element") {
				t.Errorf("odata.metadata of a page: %v", page["odata.metadata"])
			}
		})
	}
	e.do("GET", link, "", "Accept: application/atom+xml").failsInXML(t, 415, "AtomFormatNotSupported")
}

// failsInXML checks an error for a client that takes no JSON.
func (a reply) failsInXML(t testing.TB, status int, code string) {
	t.Helper()
	if a.status != status || !strings.Contains(a.body, "<m:code>"+code+"</m:code>") {
		t.Errorf("%d %s, want %d %s in XML", a.status, a.body, status, code)
	}
}

func TestPrefer(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	for i, tt := range []struct {
		prefer  string
		status  int
		applied string
	}{{"", 201, ""}, {"return-content", 201, "return-content"}, {"return-no-content", 204, "return-no-content"}} {
		for _, ask := range []struct{ path, body, location string }{
			{"Tables", fmt.Sprintf(`{"TableName":"Prefer%d"}`, i), fmt.Sprintf("Tables('Prefer%d')", i)},
			{fmt.Sprintf("Prefer%d", i), `{"PartitionKey":"p","RowKey":"r"}`,
				fmt.Sprintf("Prefer%d(PartitionKey='p',RowKey='r')", i)},
		} {
			a := e.must(tt.status, "POST", ask.path, ask.body, "Prefer: "+tt.prefer)
			if got := a.header.Get("Preference-Applied"); got != tt.applied {
				t.Errorf("Preference-Applied %q, want %q", got, tt.applied)
			}
			if (a.body == "") != (tt.status == 204) {
				t.Errorf("%d with body %q", a.status, a.body)
			}
			location, id := a.header.Get("Location"), a.header.Get("DataServiceId")
			if !strings.HasSuffix(location, "/devstoreaccount1/"+ask.location) ||
				(tt.status == 204) != (id == location) || tt.status == 201 && id != "" {
				t.Errorf("Location %q, DataServiceId %q", location, id)
			}
		}
	}
}

// checkWrite checks what exists after a write of {"B":2}, over {"A":1} or over nothing.
func checkWrite(t *testing.T, method string, made, over bool, after reply) {
	t.Helper()
	switch {
	case !made && over && !strings.Contains(after.body, `"A":1}`):
		t.Errorf("a refused write left %s", after.body)
	case !made && !over && after.status != 404:
		t.Errorf("a refused write made %s", after.body)
	case made && method == "PUT" && strings.Contains(after.body, `"A"`):
		t.Errorf("a replacement kept %s", after.body)
	case made && over && (method == "MERGE" || method == "PATCH") && !strings.Contains(after.body, `"B":2,"A":1}`):
		t.Errorf("a merge made %s", after.body)
	case made && method == "DELETE" && after.status != 404:
		t.Errorf("a deletion left %s", after.body)
	}
}

// TestConditions is the matrix of writes, of what exists, and of If-Match.
func TestConditions(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Conditions")
	const old = `W/"datetime'2020-01-01T00%3A00%3A00.1234567Z'"`
	row := 0
	for _, tt := range []struct {
		method, match string // "current": the existing ETag
		missing, here string // status and code
	}{
		{"PUT", "", "204", "204"},
		{"PUT", "*", "404 ResourceNotFound", "204"},
		{"PUT", "current", "404 ResourceNotFound", "204"},
		{"PUT", old, "404 ResourceNotFound", "412 UpdateConditionNotSatisfied"},
		{"PUT", `W/"0x5B168C7B6E589D2"`, "404 ResourceNotFound", "412 UpdateConditionNotSatisfied"},
		{"PUT", "nonsense", "400 InvalidInput", "400 InvalidInput"},
		{"PUT", old + "," + old, "400 InvalidInput", "400 InvalidInput"},
		{"MERGE", "", "204", "204"},
		{"MERGE", "*", "404 ResourceNotFound", "204"},
		{"MERGE", "current", "404 ResourceNotFound", "204"},
		{"MERGE", old, "404 ResourceNotFound", "412 UpdateConditionNotSatisfied"},
		{"PATCH", "", "204", "204"},
		{"PATCH", old, "404 ResourceNotFound", "412 UpdateConditionNotSatisfied"},
		{"DELETE", "", "400 MissingRequiredHeader", "400 MissingRequiredHeader"},
		{"DELETE", "*", "404 ResourceNotFound", "204"},
		{"DELETE", "current", "404 ResourceNotFound", "204"},
		{"DELETE", old, "404 ResourceNotFound", "412 UpdateConditionNotSatisfied"},
	} {
		for _, here := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %s %v", tt.method, tt.match, here), func(t *testing.T) {
				row++
				path, want, etag := entityPath("Conditions", "p", fmt.Sprint(row)), tt.missing, old
				if here {
					want = tt.here
					etag = e.must(204, "PUT", path, `{"A":1}`).header.Get("ETag")
				}
				var headers []string
				switch tt.match {
				case "":
				case "current":
					headers = []string{"If-Match: " + etag}
				default:
					headers = []string{"If-Match: " + tt.match}
				}
				a := e.do(tt.method, path, `{"B":2}`, headers...)
				if got := strings.TrimSpace(fmt.Sprint(a.status, " ", a.header.Get("X-Ms-Error-Code"))); got != want {
					t.Fatalf("%s, want %s", got, want)
				}
				if now := a.header.Get("ETag"); tt.method != "DELETE" && a.status == 204 && (now == "" || now == etag) {
					t.Errorf("ETag %q after %q: it must change", now, etag)
				}
				checkWrite(t, tt.method, a.status == 204, here, e.do("GET", path, ""))
			})
		}
	}
	e.do("PUT", entityPath("Conditions", "p", "x"), "{}", "If-None-Match: *").failsWith(t, 400, "InvalidInput")
}

func TestWrites(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Writes")
	path := entityPath("Writes", "p", "r")
	t.Run("insert twice", func(t *testing.T) {
		e.must(201, "POST", "Writes", `{"PartitionKey":"p","RowKey":"r","A":1}`)
		e.do("POST", "Writes()", `{"PartitionKey":"p","RowKey":"r","A":2}`).failsWith(t, 409, "EntityAlreadyExists")
	})
	t.Run("keys in the body of an update are ignored", func(t *testing.T) {
		e.must(204, "PUT", path, `{"PartitionKey":"other","RowKey":"other","B":1}`)
		if got := e.must(200, "GET", path, "").object(t); got["PartitionKey"] != "p" || got["B"] == nil {
			t.Errorf("entity %v", got)
		}
	})
	t.Run("a merge with null keeps the property", func(t *testing.T) {
		e.must(204, "MERGE", path, `{"B":null,"C":2}`)
		if got := e.must(200, "GET", path, "").object(t); fmt.Sprint(got["B"], got["C"]) != "12" {
			t.Errorf("entity %v", got)
		}
	})
	t.Run("a merge changes the type", func(t *testing.T) {
		e.must(204, "MERGE", path, `{"B":"text"}`)
		if got := e.must(200, "GET", path, "").object(t); got["B"] != "text" {
			t.Errorf("entity %v", got)
		}
	})
	t.Run("a tunneled merge", func(t *testing.T) {
		e.must(204, "POST", path, `{"D":4}`, "X-HTTP-Method: MERGE")
		if got := e.must(200, "GET", path, "").object(t); fmt.Sprint(got["C"], got["D"]) != "24" {
			t.Errorf("entity %v", got)
		}
	})
	t.Run("a merge beyond the limits", func(t *testing.T) {
		e.put("Writes", "p", "full", manyProperties(252)[1:])
		e.do("MERGE", entityPath("Writes", "p", "full"), `{"Another":1}`).failsWith(t, 400, "TooManyProperties")
		e.put("Writes", "p", "large", largeMembers(15)[1:])
		e.do("MERGE", entityPath("Writes", "p", "large"), `{"M":"`+strings.Repeat("x", 32<<10)+`","N":"`+
			strings.Repeat("x", 32<<10)+`"}`).failsWith(t, 400, "EntityTooLarge")
	})
	t.Run("no such table", func(t *testing.T) {
		for _, a := range []reply{
			e.do("POST", "Missing", `{"PartitionKey":"p","RowKey":"r"}`),
			e.do("PUT", entityPath("Missing", "p", "r"), `{}`), e.do("GET", entityPath("Missing", "p", "r"), ""),
			e.do("DELETE", entityPath("Missing", "p", "r"), "", "If-Match: *"), e.do("GET", "Missing", ""),
		} {
			a.failsWith(t, 404, "TableNotFound")
		}
	})
	t.Run("the clock goes back", func(t *testing.T) {
		first := e.put("Writes", "p", "clock", "").etag(t)
		now := e.now()
		e.now = func() time.Time { return now.Add(-time.Hour) }
		if second := e.put("Writes", "p", "clock", "").etag(t); second <= first {
			t.Errorf("ETag of time %d after one of %d", second, first)
		}
	})
}
