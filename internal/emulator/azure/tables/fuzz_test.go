package tables

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"testing"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// FuzzEntity: whatever is taken can be read back, is JSON, and comes out the same when it is written
// again.
func FuzzEntity(f *testing.F) {
	for _, seed := range []string{
		`{"PartitionKey":"p","RowKey":"r","A":1,"B":2.5e3,"C":true,"D":null,"E":"\ud83d\ude00"}`,
		`{"A@odata.type":"Edm.Guid","A":"00112233-4455-6677-8899-aabbccddeeff","B@odata.type":"Edm.Binary","B":"AP8="}`,
		`{"A":"2024-01-01T00:00:00Z","A@odata.type":"Edm.DateTime","B":"NaN","B@odata.type":"Edm.Double",` +
			`"C":"1","C@odata.type":"Edm.Int64"}`,
		"\ufeff{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var r reader
		if r.parse(body) != nil {
			return
		}
		if !json.Valid(bytes.TrimPrefix(body, []byte("\ufeff"))) {
			t.Fatalf("took %q, which is not JSON", body)
		}
		stored, _, _, problem := r.encode(nil)
		if problem != nil {
			if problem.Status != 400 {
				t.Fatalf("%q: %v", body, problem)
			}
			return
		}
		form := form{metadata: minimalMetadata}
		out := append(form.appendEntity([]byte("{"), nil, nil, stored), '}')
		if !json.Valid(out) || !utf8.Valid(out) {
			t.Fatalf("%q is written as %q", body, out)
		}
		if problem := r.parse(out); problem != nil {
			t.Fatalf("%q is written as %q: %v", body, out, problem)
		}
		again, _, _, problem := r.encode(nil)
		if problem != nil || !bytes.Equal(again, stored) {
			t.Fatalf("%q is stored as %x, and what is written of it as %x (%v)", body, stored, again, problem)
		}
	})
}

func FuzzEdmValue(f *testing.F) {
	for _, t := range edmTypes {
		f.Add(t.name, `"1"`)
	}
	f.Add("Edm.DateTime", `"1600-01-01T00:00:00+14:00"`)
	f.Add("Edm.Double", `-0`)
	f.Fuzz(func(t *testing.T, name, literal string) {
		body := fmt.Sprintf(`{"A":%s,"A@odata.type":%q}`, literal, name)
		var r reader
		if r.parse([]byte(body)) != nil {
			return
		}
		stored, _, _, problem := r.encode(nil)
		if problem != nil {
			return
		}
		form := form{metadata: noMetadata, selected: []string{"A"}}
		if out := append(form.appendEntity([]byte("{"), nil, nil, stored), '}'); !json.Valid(out) {
			t.Fatalf("%s is written as %s", body, out)
		}
	})
}

// FuzzAddress sends any address with any query: never a 5xx except for what is not implemented.
func FuzzAddress(f *testing.F) {
	e := openEmulator(f, engine.Options{})
	e.createTable("Fuzz")
	f.Add("GET", "Fuzz(PartitionKey='p',RowKey='r')", "$select=A")
	f.Add("GET", "Fuzz()", "$filter=A eq 1 and not (B)&$top=5&NextPartitionKey=1!4!YWJj")
	f.Add("PUT", "Tables('x')", "comp=acl")
	f.Add("MERGE", "Fuzz%28PartitionKey='%27',RowKey=''''%29", "")
	f.Fuzz(func(t *testing.T, method, path, query string) {
		if method == "" {
			return
		}
		for _, c := range []byte(method) {
			if c < 'A' || c > 'Z' {
				return
			}
		}
		a := e.within(t).do(method, (&url.URL{Path: "/" + path}).EscapedPath()[1:]+"?"+url.QueryEscape(query), "{}")
		if a.status >= 500 && a.status != 501 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	})
}
