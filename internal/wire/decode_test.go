package wire

import (
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"
)

// exchange is a request as it stands on the wire, and a store's answer.
type exchange struct {
	service Service
	method  string
	target  string // path and query as sent
	host    string // 127.0.0.1:10002 if empty
	header  map[string]string
	body    string

	status       int // 200 if 0
	answerHeader map[string]string
	answer       string
}

// record runs an exchange through a recorder and gives its call, without times.
func (e exchange) record(t *testing.T) Call {
	t.Helper()
	rec := NewRecorder()
	e.through(t, rec)
	calls := rec.Calls()
	if len(calls) != 1 {
		t.Fatalf("%d calls, want 1", len(calls))
	}
	call := calls[0]
	call.Start, call.Duration = time.Time{}, 0
	return call
}

func (e exchange) through(t *testing.T, rec *Recorder) {
	t.Helper()
	req := httptest.NewRequest(e.method, e.target, strings.NewReader(e.body))
	req.Host = e.host
	if e.host == "" {
		req.Host = "127.0.0.1:10002"
	}
	for name, value := range e.header {
		req.Header.Set(name, value)
	}
	rec.Handler(e.service, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err != nil || string(body) != e.body {
			t.Errorf("the store read %q, %v", body, err)
		}
		w.Header().Set("Content-Type", "application/json;odata=minimalmetadata")
		for name, value := range e.answerHeader {
			w.Header().Set(name, value)
		}
		if e.status != 0 {
			w.WriteHeader(e.status)
		}
		_, _ = io.WriteString(w, e.answer)
	})).ServeHTTP(httptest.NewRecorder(), req)
}

// complete fills in what every answered call has.
func (e exchange) complete(want Call) Call {
	want.Service, want.Attempts = e.service, 1
	want.RequestBytes, want.ResponseBytes = int64(len(e.body)), int64(len(e.answer))
	want.Status = e.status
	if want.Status == 0 {
		want.Status = http.StatusOK
	}
	return want
}

func TestTableCalls(t *testing.T) {
	match := map[string]string{"If-Match": `W/"datetime'x'"`}
	conditional := `If-Match: W/"datetime'x'"`
	tests := []struct {
		name string
		e    exchange
		want Call
	}{
		{"query", exchange{method: "GET", target: "/acc/Groups()?$filter=PartitionKey%20eq%20%27it%27%27s%27&$top=5", answer: `{"value":[{},{}]}`},
			Call{Class: PartitionQuery, Operation: "Query Entities", Resource: "Groups", Partition: "it's", Filter: "PartitionKey eq 'it''s'", Entities: 2}},
		{"query without parentheses, whole table", exchange{method: "GET", target: "/acc/Groups", answer: `{"value":[]}`},
			Call{Class: TableScan, Operation: "Query Entities", Resource: "Groups"}},
		{"query, semicolon and encoded name", exchange{method: "GET", target: "/acc/T()?%24filter=PartitionKey+eq+'a;b'", answer: `{"value":[]}`},
			Call{Class: PartitionQuery, Operation: "Query Entities", Resource: "T", Partition: "a;b", Filter: "PartitionKey eq 'a;b'"}},
		{"query by both keys", exchange{method: "GET", target: "/acc/T()?$filter=PartitionKey%20eq%20'a'%20and%20RowKey%20eq%20'b'", answer: `{"value":[{}]}`},
			Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Partition: "a", Row: "b", Filter: "PartitionKey eq 'a' and RowKey eq 'b'", Entities: 1}},
		{"query with unreadable filter", exchange{method: "GET", target: "/acc/T()?$filter=PartitionKey%20eq", status: 400, answer: `{"odata.error":{"code":"InvalidInput"}}`},
			Call{Class: TableScan, Operation: "Query Entities", Resource: "T", Filter: "PartitionKey eq", ErrorCode: "InvalidInput"}},
		{"next page", exchange{method: "GET", target: "/acc/T()?$filter=PartitionKey%20eq%20'a'&NextPartitionKey=1!4!YQ--&NextRowKey=1!4!Yg--", answer: `{"value":[{}]}`},
			Call{Class: Page, Operation: "Query Entities", Resource: "T", Partition: "a", Filter: "PartitionKey eq 'a'", Entities: 1}},
		{"next page without row", exchange{method: "GET", target: "/acc/T()?NextPartitionKey=1!4!YQ--", answer: `{"value":[{}]}`},
			Call{Class: Page, Operation: "Query Entities", Resource: "T", Entities: 1}},
		{"compressed answer", exchange{method: "GET", target: "/acc/T()", answerHeader: map[string]string{"Content-Encoding": "gzip"}, answer: `{"value":[{}]}`},
			Call{Class: TableScan, Operation: "Query Entities", Resource: "T", Entities: EntitiesUnknown}},
		{"Atom answer", exchange{method: "GET", target: "/acc/T()", answerHeader: map[string]string{"Content-Type": "application/atom+xml"}, answer: "<feed/>"},
			Call{Class: TableScan, Operation: "Query Entities", Resource: "T", Entities: EntitiesUnknown}},
		{"answer cut off", exchange{method: "GET", target: "/acc/T()", answer: `{"value":[{}`},
			Call{Class: TableScan, Operation: "Query Entities", Resource: "T", Entities: EntitiesUnknown}},
		{"point read", exchange{method: "GET", target: "/acc/T(PartitionKey='it%27%27s',RowKey='a%20b%7C100%25%C3%BC%2F')?$select=x", answer: `{"x":1}`},
			Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Partition: "it's", Row: "a b|100%ü/", Entities: 1}},
		{"point read, keys exchanged, with space", exchange{method: "GET", target: "/acc/T(RowKey='b',%20PartitionKey='a')", status: 404, answerHeader: map[string]string{"X-Ms-Error-Code": "ResourceNotFound"}},
			Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Partition: "a", Row: "b", ErrorCode: "ResourceNotFound"}},
		{"point read, host style", exchange{method: "GET", host: "acc.table.localhost:10002", target: "/T(PartitionKey='',RowKey='')", answer: `{}`},
			Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Entities: 1}},
		{"point read, Azure", exchange{method: "GET", host: "acc.TABLE.core.windows.net", target: "/T(PartitionKey='a',RowKey='b,c')", answer: `{}`},
			Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Partition: "a", Row: "b,c", Entities: 1}},
		{"insert", exchange{method: "POST", target: "/acc/T", body: `{"RowKey":"b","PartitionKey":"a","v":[]}`, status: 204},
			Call{Class: Insert, Operation: "Insert Entity", Resource: "T", Partition: "a", Row: "b"}},
		{"insert refused", exchange{method: "POST", target: "/acc/T", body: `{"PartitionKey":"a","RowKey":"b"}`, status: 409, answer: `{"odata.error":{"code":"EntityAlreadyExists","message":{"value":"x"}}}`},
			Call{Class: Insert, Operation: "Insert Entity", Resource: "T", Partition: "a", Row: "b", ErrorCode: "EntityAlreadyExists"}},
		{"insert or replace", exchange{method: "PUT", target: "/acc/T(PartitionKey='a',RowKey='b')", body: "{}", status: 204},
			Call{Class: Upsert, Operation: "Insert Or Replace Entity", Resource: "T", Partition: "a", Row: "b"}},
		{"update", exchange{method: "PUT", target: "/acc/T(PartitionKey='a',RowKey='b')", header: match, body: "{}", status: 412},
			Call{Class: Update, Operation: "Update Entity", Resource: "T", Partition: "a", Row: "b", Conditional: conditional}},
		{"insert or merge", exchange{method: "MERGE", target: "/acc/T(PartitionKey='a',RowKey='b')", body: "{}", status: 204},
			Call{Class: Upsert, Operation: "Insert Or Merge Entity", Resource: "T", Partition: "a", Row: "b"}},
		{"merge", exchange{method: "PATCH", target: "/acc/T(PartitionKey='a',RowKey='b')", header: match, body: "{}", status: 204},
			Call{Class: Merge, Operation: "Merge Entity", Resource: "T", Partition: "a", Row: "b", Conditional: conditional}},
		{"merge through POST", exchange{method: "POST", target: "/acc/T(PartitionKey='a',RowKey='b')", header: map[string]string{"X-HTTP-Method": "MERGE", "If-Match": "*"}, body: "{}", status: 204},
			Call{Class: Merge, Operation: "Merge Entity", Resource: "T", Partition: "a", Row: "b", Conditional: "If-Match: *"}},
		{"delete", exchange{method: "DELETE", target: "/acc/T(PartitionKey='a',RowKey='b')", header: match, status: 204},
			Call{Class: Delete, Operation: "Delete Entity", Resource: "T", Partition: "a", Row: "b", Conditional: conditional}},
		{"create table", exchange{method: "POST", target: "/acc/Tables", body: `{"TableName":"T"}`, status: 201, answer: `{"TableName":"T"}`},
			Call{Class: CreateTable, Operation: "Create Table", Resource: "T"}},
		{"delete table", exchange{method: "DELETE", target: "/acc/Tables('T')", status: 204},
			Call{Class: DeleteTable, Operation: "Delete Table", Resource: "T"}},
		{"list tables", exchange{method: "GET", target: "/acc/Tables?$filter=TableName%20ge%20'a'", answer: `{"value":[{"TableName":"a"},{"TableName":"b"}]}`},
			Call{Class: ListTables, Operation: "Query Tables", Filter: "TableName ge 'a'", Entities: 2}},
		{"one table", exchange{method: "GET", target: "/acc/Tables('T')", answer: `{"TableName":"T"}`},
			Call{Class: ListTables, Operation: "Query Tables", Resource: "T", Entities: 1}},
		{"access policies", exchange{method: "GET", target: "/acc/T?comp=acl", answer: "<x/>"},
			Call{Class: Other, Operation: "Get Table ACL", Resource: "T"}},
		{"set access policies", exchange{method: "PUT", target: "/acc/T?comp=acl", body: "<x/>", status: 204},
			Call{Class: Other, Operation: "Set Table ACL", Resource: "T"}},
		{"service properties", exchange{method: "GET", target: "/acc/?restype=service&comp=properties"},
			Call{Class: Other, Operation: "Get Table Service Properties"}},
		{"service statistics, no slash", exchange{method: "GET", target: "/acc?restype=service&comp=stats"},
			Call{Class: Other, Operation: "Get Table Service Stats"}},
		{"preflight", exchange{method: "OPTIONS", target: "/acc/T"},
			Call{Class: Other, Operation: "Preflight Request", Resource: "T"}},
		{"unknown method", exchange{method: "BREW", target: "/acc/T(PartitionKey='a',RowKey='b')"},
			Call{Class: Unknown, Resource: "T", Partition: "a", Row: "b"}},
		{"unknown component", exchange{method: "GET", target: "/acc/T?comp=x"}, Call{Class: Unknown}},
		{"one key alone", exchange{method: "GET", target: "/acc/T(PartitionKey='a')"}, Call{Class: Unknown}},
		{"key without quotes", exchange{method: "GET", target: "/acc/T(PartitionKey=a,RowKey='b')"}, Call{Class: Unknown}},
		{"key twice", exchange{method: "GET", target: "/acc/T(PartitionKey='a',PartitionKey='b',RowKey='c')"}, Call{Class: Unknown}},
		{"entity by one name", exchange{method: "GET", target: "/acc/T('a')"}, Call{Class: Unknown, Resource: "T"}},
		{"nothing", exchange{method: "GET", target: "/"}, Call{Class: Unknown}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.e.service = Table
			if got, want := tt.e.record(t), tt.e.complete(tt.want); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestBlobCalls(t *testing.T) {
	const listing = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs><Blob><Name>a</Name></Blob><Blob><Name>b</Name></Blob></Blobs><NextMarker/></EnumerationResults>`
	const containers = `<EnumerationResults><Containers><Container><Name>a</Name></Container></Containers></EnumerationResults>`
	xml := map[string]string{"Content-Type": "application/xml"}
	copySource := map[string]string{"X-Ms-Copy-Source": "http://h/acc/c/other"}
	none := map[string]string{"If-None-Match": "*", "X-Ms-Blob-Type": "BlockBlob"}
	on := func(class Class, operation string) Call {
		return Call{Class: class, Operation: operation, Resource: "c", Blob: "d/ü b"}
	}
	const target = "/acc/c/d/%C3%BC%20b"
	found := on(Read, "Get Blob")
	found.Entities = 1
	first := on(Write, "Put Blob")
	first.Conditional = "If-None-Match: *"
	tests := []struct {
		name string
		e    exchange
		want Call
	}{
		{"get", exchange{method: "GET", target: target, answer: "content"}, found},
		{"get, host style, zone", exchange{method: "GET", host: "acc.z12.blob.storage.azure.net", target: "/c/d/%C3%BC%20b", answer: "content"}, found},
		{"get, not modified", exchange{method: "GET", target: target, status: 304}, on(Read, "Get Blob")},
		{"get, not found", exchange{method: "GET", target: target, status: 404}, on(Read, "Get Blob")},
		{"head", exchange{method: "HEAD", target: target}, on(Head, "Get Blob Properties")},
		{"metadata", exchange{method: "GET", target: target + "?comp=metadata"}, on(Head, "Get Blob Metadata")},
		{"put", exchange{method: "PUT", target: target, header: none, body: "content", status: 201}, first},
		{"put block", exchange{method: "PUT", target: target + "?comp=block&blockid=MQ%3D%3D", body: "x", status: 201}, on(Write, "Put Block")},
		{"put block from URL", exchange{method: "PUT", target: target + "?comp=block&blockid=MQ%3D%3D", header: copySource, status: 201}, on(Write, "Put Block From URL")},
		{"put block list", exchange{method: "PUT", target: target + "?comp=blocklist", body: "<BlockList/>", status: 201}, on(Write, "Put Block List")},
		{"append", exchange{method: "PUT", target: target + "?comp=appendblock", body: "x", status: 201}, on(Write, "Append Block")},
		{"put page", exchange{method: "PUT", target: target + "?comp=page", body: "x", status: 201}, on(Write, "Put Page")},
		{"set metadata", exchange{method: "PUT", target: target + "?comp=metadata"}, on(Write, "Set Blob Metadata")},
		{"set properties", exchange{method: "PUT", target: target + "?comp=properties"}, on(Write, "Set Blob Properties")},
		{"set tags", exchange{method: "PUT", target: target + "?comp=tags", body: "<Tags/>", status: 204}, on(Write, "Set Blob Tags")},
		{"set tier", exchange{method: "PUT", target: target + "?comp=tier"}, on(Write, "Set Blob Tier")},
		{"snapshot", exchange{method: "PUT", target: target + "?comp=snapshot", status: 201}, on(Write, "Snapshot Blob")},
		{"immutability, as Java writes it", exchange{method: "PUT", target: target + "?comp=immutabilityPolicies"}, on(Write, "Set Blob Immutability Policy")},
		{"get tags", exchange{method: "GET", target: target + "?comp=tags"}, on(Read, "Get Blob Tags")},
		{"block list", exchange{method: "GET", target: target + "?comp=blocklist"}, on(Read, "Get Block List")},
		{"lease", exchange{method: "PUT", target: target + "?comp=lease", status: 201}, on(Lease, "Lease Blob")},
		{"copy", exchange{method: "PUT", target: target, header: copySource, status: 202}, on(Copy, "Copy Blob")},
		{"copy at once", exchange{method: "PUT", target: target, header: map[string]string{"X-Ms-Copy-Source": "x", "X-Ms-Requires-Sync": "true"}, status: 202}, on(Copy, "Copy Blob From URL")},
		{"put from URL", exchange{method: "PUT", target: target, header: map[string]string{"X-Ms-Copy-Source": "x", "X-Ms-Blob-Type": "BlockBlob"}, status: 201}, on(Copy, "Put Blob From URL")},
		{"delete", exchange{method: "DELETE", target: target, status: 202}, on(Delete, "Delete Blob")},
		{"root container", exchange{method: "GET", target: "/acc/x.json"}, Call{Class: Read, Operation: "Get Blob", Resource: "$root", Blob: "x.json", Entities: 1}},
		{"list", exchange{method: "GET", target: "/acc/c?restype=container&comp=list&prefix=a%2F", answerHeader: xml, answer: listing},
			Call{Class: List, Operation: "List Blobs", Resource: "c", Prefix: "a/", Entities: 2}},
		{"list as Arrow", exchange{method: "GET", target: "/acc/c?restype=container&comp=list", answerHeader: map[string]string{"Content-Type": "application/vnd.apache.arrow.stream"}, answer: "x"},
			Call{Class: List, Operation: "List Blobs", Resource: "c", Entities: EntitiesUnknown}},
		{"list containers", exchange{method: "GET", target: "/acc/?comp=list", answerHeader: xml, answer: containers},
			Call{Class: List, Operation: "List Containers", Entities: 1}},
		{"create container", exchange{method: "PUT", target: "/acc/c?restype=container", status: 201},
			Call{Class: CreateContainer, Operation: "Create Container", Resource: "c"}},
		{"delete container", exchange{method: "DELETE", target: "/acc/c?restype=container", status: 202},
			Call{Class: DeleteContainer, Operation: "Delete Container", Resource: "c"}},
		{"container properties", exchange{method: "HEAD", target: "/acc/c/?restype=container"},
			Call{Class: Other, Operation: "Get Container Properties", Resource: "c"}},
		{"container lease", exchange{method: "PUT", target: "/acc/c?restype=container&comp=lease"},
			Call{Class: Lease, Operation: "Lease Container", Resource: "c"}},
		{"container policies", exchange{method: "PUT", target: "/acc/c?restype=container&comp=acl"},
			Call{Class: Other, Operation: "Set Container ACL", Resource: "c"}},
		{"service properties", exchange{method: "GET", target: "/acc?restype=service&comp=properties"},
			Call{Class: Other, Operation: "Get Blob Service Properties"}},
		{"service statistics", exchange{method: "GET", target: "/acc?restype=service&comp=stats"},
			Call{Class: Other, Operation: "Get Blob Service Stats"}},
		{"set service properties", exchange{method: "PUT", target: "/acc?restype=service&comp=properties", status: 202},
			Call{Class: Other, Operation: "Set Blob Service Properties"}},
		{"delegation key", exchange{method: "POST", target: "/acc?restype=service&comp=userdelegationkey"},
			Call{Class: Other, Operation: "Get User Delegation Key"}},
		{"service without restype", exchange{method: "GET", target: "/acc?comp=properties"}, Call{Class: Unknown}},
		{"find by tags", exchange{method: "GET", target: "/acc/?comp=blobs&where=a%3D'b'", answerHeader: xml, answer: listing},
			Call{Class: List, Operation: "Find Blobs by Tags", Entities: 2}},
		{"find by tags in a container", exchange{method: "GET", target: "/acc/c?restype=container&comp=blobs", answerHeader: xml, answer: listing},
			Call{Class: List, Operation: "Find Blobs by Tags in Container", Resource: "c", Entities: 2}},
		{"container metadata", exchange{method: "GET", target: "/acc/c?restype=container&comp=metadata"},
			Call{Class: Other, Operation: "Get Container Metadata", Resource: "c"}},
		{"set container metadata", exchange{method: "PUT", target: "/acc/c?restype=container&comp=metadata"},
			Call{Class: Other, Operation: "Set Container Metadata", Resource: "c"}},
		{"restore container", exchange{method: "PUT", target: "/acc/c?restype=container&comp=undelete", status: 201},
			Call{Class: Other, Operation: "Restore Container", Resource: "c"}},
		{"rename container", exchange{method: "PUT", target: "/acc/c?restype=container&comp=rename"},
			Call{Class: Other, Operation: "Rename Container", Resource: "c"}},
		{"page ranges", exchange{method: "GET", target: target + "?comp=pagelist"}, on(Read, "Get Page Ranges")},
		{"query contents", exchange{method: "POST", target: target + "?comp=query", body: "<Q/>"}, on(Read, "Query Blob Contents")},
		{"abort copy", exchange{method: "PUT", target: target + "?comp=copy&copyid=1", status: 204}, on(Copy, "Abort Copy Blob")},
		{"incremental copy", exchange{method: "PUT", target: target + "?comp=incrementalcopy", header: copySource, status: 202}, on(Copy, "Incremental Copy Blob")},
		{"undelete", exchange{method: "PUT", target: target + "?comp=undelete"}, on(Write, "Undelete Blob")},
		{"seal", exchange{method: "PUT", target: target + "?comp=seal"}, on(Write, "Append Blob Seal")},
		{"expiry", exchange{method: "PUT", target: target + "?comp=expiry"}, on(Write, "Set Blob Expiry")},
		{"delete immutability", exchange{method: "DELETE", target: target + "?comp=immutabilityPolicies"}, on(Write, "Delete Blob Immutability Policy")},
		{"legal hold", exchange{method: "PUT", target: target + "?comp=legalhold"}, on(Write, "Set Blob Legal Hold")},
		{"account", exchange{method: "GET", target: "/acc/?restype=account&comp=properties"},
			Call{Class: Other, Operation: "Get Account Information"}},
		{"unknown component", exchange{method: "PUT", target: target + "?comp=x"}, Call{Class: Unknown, Resource: "c", Blob: "d/ü b"}},
		{"unknown method", exchange{method: "BREW", target: target}, Call{Class: Unknown, Resource: "c", Blob: "d/ü b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.e.service = Blob
			if got, want := tt.e.record(t), tt.e.complete(tt.want); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestUnknownService(t *testing.T) {
	if call := (exchange{service: "queue", method: "GET", target: "/acc/q/messages"}).record(t); call.Class != Unknown {
		t.Errorf("class %s, want unknown", call.Class)
	}
}

func FuzzTableAddress(f *testing.F) {
	f.Add("T(PartitionKey='a',RowKey='b')")
	f.Add("T(RowKey='it%27%27s', PartitionKey='')")
	f.Add("Tables('x')")
	f.Add("T()")
	f.Add("T(PartitionKey='a''")
	f.Fuzz(func(t *testing.T, raw string) {
		a, ok := parseTableAddress(raw)
		if !ok || a.form != keyedAddress {
			return
		}
		quote := func(s string) string {
			return "'" + strings.NewReplacer("%", "%25", "'", "''").Replace(s) + "'"
		}
		name := strings.ReplaceAll(a.name, "%", "%25")
		again, ok := parseTableAddress(name + "(RowKey=" + quote(a.row) + ",PartitionKey=" + quote(a.partition) + ")")
		if !ok || again != a {
			t.Fatalf("%q: %+v, then %+v, %v", raw, a, again, ok)
		}
	})
}
