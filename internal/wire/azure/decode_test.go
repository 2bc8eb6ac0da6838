package azure

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/wiretest"
)

// complete fills in what every answered call has.
func complete(e wiretest.Exchange, want wire.Call) wire.Call {
	want.ID, want.Service, want.Attempts = 1, e.Protocol.Service(), 1
	want.RequestBytes, want.ResponseBytes = int64(len(e.Body)), int64(len(e.Answer))
	if want.Status = e.Status; want.Status == 0 {
		want.Status = http.StatusOK
	}
	return Completed(want)
}

// decoding is an exchange with a service, and the call that it is.
type decoding struct {
	name string
	e    wiretest.Exchange
	want wire.Call
}

// decodes records each exchange with a service of the protocol.
func decodes(t *testing.T, protocol wire.Protocol, tests ...[]decoding) {
	t.Helper()
	for _, tt := range slices.Concat(tests...) {
		t.Run(tt.name, func(t *testing.T) {
			tt.e.Protocol = protocol
			if got, want := tt.e.Record(t), complete(tt.e, tt.want); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestTableCalls(t *testing.T) {
	decodes(t, Tables{}, tableQueries, tableEntities, tableResources, unreadableTables)
}

func TestBlobCalls(t *testing.T) {
	decodes(t, Blobs{}, blobCalls, containerCalls, rareBlobCalls, otherBlobCalls)
}

var tableQueries = []decoding{
	{"query", wiretest.Exchange{Method: "GET",
		Target: "/acc/Groups()?$filter=PartitionKey%20eq%20%27it%27%27s%27&$top=5",
		Answer: `{"value":[{},{}]}`},
		wire.Call{Class: PartitionQuery, Operation: "Query Entities", Resource: "Groups", Key: []string{"it's"},
			Filter: "PartitionKey eq 'it''s'", Entities: 2}},
	{"query without parentheses, whole table",
		wiretest.Exchange{Method: "GET", Target: "/acc/Groups", Answer: `{"value":[]}`},
		wire.Call{Class: TableScan, Operation: "Query Entities", Resource: "Groups"}},
	{"query, semicolon and encoded name",
		wiretest.Exchange{Method: "GET", Target: "/acc/T()?%24filter=PartitionKey+eq+'a;b'",
			Answer: `{"value":[]}`},
		wire.Call{Class: PartitionQuery, Operation: "Query Entities", Resource: "T", Key: []string{"a;b"},
			Filter: "PartitionKey eq 'a;b'"}},
	{"query by both keys", wiretest.Exchange{Method: "GET",
		Target: "/acc/T()?$filter=PartitionKey%20eq%20'a'%20and%20RowKey%20eq%20'b'", Answer: `{"value":[{}]}`},
		wire.Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Key: []string{"a", "b"},
			Filter: "PartitionKey eq 'a' and RowKey eq 'b'", Entities: 1}},
	{"query with unreadable filter", wiretest.Exchange{Method: "GET", Target: "/acc/T()?$filter=PartitionKey%20eq",
		Status: 400, Answer: `{"odata.error":{"code":"InvalidInput"}}`},
		wire.Call{Class: TableScan, Operation: "Query Entities", Resource: "T", Filter: "PartitionKey eq",
			ErrorCode: "InvalidInput"}},
	{"next page", wiretest.Exchange{Method: "GET",
		Target: "/acc/T()?$filter=PartitionKey%20eq%20'a'&NextPartitionKey=1!4!YQ--&NextRowKey=1!4!Yg--",
		Answer: `{"value":[{}]}`},
		wire.Call{Class: Page, Operation: "Query Entities", Resource: "T", Key: []string{"a"},
			Filter:   "PartitionKey eq 'a'",
			Entities: 1}},
	{"next page without row",
		wiretest.Exchange{Method: "GET", Target: "/acc/T()?NextPartitionKey=1!4!YQ--", Answer: `{"value":[{}]}`},
		wire.Call{Class: Page, Operation: "Query Entities", Resource: "T", Entities: 1}},
	{"compressed answer", wiretest.Exchange{Method: "GET", Target: "/acc/T()",
		AnswerHeader: map[string]string{"Content-Encoding": "gzip"}, Answer: `{"value":[{}]}`},
		wire.Call{Class: TableScan, Operation: "Query Entities", Resource: "T", Entities: wire.EntitiesUnknown}},
	{"Atom answer", wiretest.Exchange{Method: "GET", Target: "/acc/T()",
		AnswerHeader: map[string]string{"Content-Type": "application/atom+xml"}, Answer: "<feed/>"},
		wire.Call{Class: TableScan, Operation: "Query Entities", Resource: "T", Entities: wire.EntitiesUnknown}},
	{"answer cut off", wiretest.Exchange{Method: "GET", Target: "/acc/T()", Answer: `{"value":[{}`},
		wire.Call{Class: TableScan, Operation: "Query Entities", Resource: "T", Entities: wire.EntitiesUnknown}},
}

const matched = `If-Match: W/"datetime'x'"`

var matching = map[string]string{"If-Match": `W/"datetime'x'"`}

var tableEntities = []decoding{
	{"point read", wiretest.Exchange{Method: "GET",
		Target: "/acc/T(PartitionKey='it%27%27s',RowKey='a%20b%7C100%25%C3%BC%2F')?$select=x", Answer: `{"x":1}`},
		wire.Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Key: []string{"it's", "a b|100%ü/"},
			Entities: 1}},
	{"point read, keys exchanged, with space",
		wiretest.Exchange{Method: "GET", Target: "/acc/T(RowKey='b',%20PartitionKey='a')", Status: 404,
			AnswerHeader: map[string]string{"X-Ms-Error-Code": "ResourceNotFound"}},
		wire.Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Key: []string{"a", "b"},
			ErrorCode: "ResourceNotFound"}},
	{"point read, host style", wiretest.Exchange{Method: "GET", Host: "acc.table.localhost:10002",
		Target: "/T(PartitionKey='',RowKey='')", Answer: `{}`},
		wire.Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Entities: 1}},
	{"point read, Azure", wiretest.Exchange{Method: "GET", Host: "acc.TABLE.core.windows.net",
		Target: "/T(PartitionKey='a',RowKey='b,c')", Answer: `{}`},
		wire.Call{Class: PointRead, Operation: "Query Entities", Resource: "T", Key: []string{"a", "b,c"},
			Entities: 1}},
	{"insert", wiretest.Exchange{Method: "POST", Target: "/acc/T", Body: `{"RowKey":"b","PartitionKey":"a","v":[]}`,
		Status: 204},
		wire.Call{Class: Insert, Operation: "Insert Entity", Resource: "T", Key: []string{"a", "b"}}},
	{"insert refused", wiretest.Exchange{Method: "POST", Target: "/acc/T",
		Body:   `{"PartitionKey":"a","RowKey":"b"}`,
		Status: 409, Answer: `{"odata.error":{"code":"EntityAlreadyExists","message":{"value":"x"}}}`},
		wire.Call{Class: Insert, Operation: "Insert Entity", Resource: "T", Key: []string{"a", "b"},
			ErrorCode: "EntityAlreadyExists"}},
	{"insert or replace",
		wiretest.Exchange{Method: "PUT", Target: "/acc/T(PartitionKey='a',RowKey='b')", Body: "{}", Status: 204},
		wire.Call{Class: Upsert, Operation: "Insert Or Replace Entity", Resource: "T", Key: []string{"a", "b"}}},
	{"update", wiretest.Exchange{Method: "PUT", Target: "/acc/T(PartitionKey='a',RowKey='b')", Header: matching,
		Body:   "{}",
		Status: 412},
		wire.Call{Class: Update, Operation: "Update Entity", Resource: "T", Key: []string{"a", "b"},
			Conditional: matched}},
	{"insert or merge", wiretest.Exchange{Method: "MERGE", Target: "/acc/T(PartitionKey='a',RowKey='b')",
		Body:   "{}",
		Status: 204},
		wire.Call{Class: Upsert, Operation: "Insert Or Merge Entity", Resource: "T", Key: []string{"a", "b"}}},
	{"merge", wiretest.Exchange{Method: "PATCH", Target: "/acc/T(PartitionKey='a',RowKey='b')", Header: matching,
		Body:   "{}",
		Status: 204},
		wire.Call{Class: Merge, Operation: "Merge Entity", Resource: "T", Key: []string{"a", "b"},
			Conditional: matched}},
	{"merge through POST", wiretest.Exchange{Method: "POST", Target: "/acc/T(PartitionKey='a',RowKey='b')",
		Header: map[string]string{"X-HTTP-Method": "MERGE", "If-Match": "*"}, Body: "{}", Status: 204},
		wire.Call{Class: Merge, Operation: "Merge Entity", Resource: "T", Key: []string{"a", "b"},
			Conditional: "If-Match: *"}},
	{"delete", wiretest.Exchange{Method: "DELETE", Target: "/acc/T(PartitionKey='a',RowKey='b')", Header: matching,
		Status: 204},
		wire.Call{Class: Delete, Operation: "Delete Entity", Resource: "T", Key: []string{"a", "b"},
			Conditional: matched}},
}

var tableResources = []decoding{
	{"create table", wiretest.Exchange{Method: "POST", Target: "/acc/Tables", Body: `{"TableName":"T"}`,
		Status: 201,
		Answer: `{"TableName":"T"}`},
		wire.Call{Class: CreateTable, Operation: "Create Table", Resource: "T"}},
	{"delete table", wiretest.Exchange{Method: "DELETE", Target: "/acc/Tables('T')", Status: 204},
		wire.Call{Class: DeleteTable, Operation: "Delete Table", Resource: "T"}},
	{"list tables", wiretest.Exchange{Method: "GET", Target: "/acc/Tables?$filter=TableName%20ge%20'a'",
		Answer: `{"value":[{"TableName":"a"},{"TableName":"b"}]}`},
		wire.Call{Class: ListTables, Operation: "Query Tables", Filter: "TableName ge 'a'", Entities: 2}},
	{"one table", wiretest.Exchange{Method: "GET", Target: "/acc/Tables('T')", Answer: `{"TableName":"T"}`},
		wire.Call{Class: ListTables, Operation: "Query Tables", Resource: "T", Entities: 1}},
	{"access policies", wiretest.Exchange{Method: "GET", Target: "/acc/T?comp=acl", Answer: "<x/>"},
		wire.Call{Class: other, Operation: "Get Table ACL", Resource: "T"}},
	{"set access policies", wiretest.Exchange{Method: "PUT", Target: "/acc/T?comp=acl", Body: "<x/>", Status: 204},
		wire.Call{Class: other, Operation: "Set Table ACL", Resource: "T"}},
	{"service properties", wiretest.Exchange{Method: "GET", Target: "/acc/?restype=service&comp=properties"},
		wire.Call{Class: other, Operation: "Get Table Service Properties"}},
	{"service statistics, no slash", wiretest.Exchange{Method: "GET", Target: "/acc?restype=service&comp=stats"},
		wire.Call{Class: other, Operation: "Get Table Service Stats"}},
	{"preflight", wiretest.Exchange{Method: "OPTIONS", Target: "/acc/T"},
		wire.Call{Class: other, Operation: "Preflight Request", Resource: "T"}},
}

var unreadableTables = []decoding{
	{"unknown method", wiretest.Exchange{Method: "BREW", Target: "/acc/T(PartitionKey='a',RowKey='b')"},
		wire.Call{Class: wire.Unknown, Resource: "T", Key: []string{"a", "b"}}},
	{"unknown component", wiretest.Exchange{Method: "GET", Target: "/acc/T?comp=x"},
		wire.Call{Class: wire.Unknown}},
	{"one key alone", wiretest.Exchange{Method: "GET", Target: "/acc/T(PartitionKey='a')"},
		wire.Call{Class: wire.Unknown}},
	{"key without quotes", wiretest.Exchange{Method: "GET", Target: "/acc/T(PartitionKey=a,RowKey='b')"},
		wire.Call{Class: wire.Unknown}},
	{"key twice", wiretest.Exchange{Method: "GET", Target: "/acc/T(PartitionKey='a',PartitionKey='b',RowKey='c')"},
		wire.Call{Class: wire.Unknown}},
	{"entity by one name", wiretest.Exchange{Method: "GET", Target: "/acc/T('a')"},
		wire.Call{Class: wire.Unknown, Resource: "T"}},
	{"nothing", wiretest.Exchange{Method: "GET", Target: "/"}, wire.Call{Class: wire.Unknown}},
}

const (
	listing = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs><Blob><Name>a</Name></Blob>` +
		`<Blob><Name>b</Name></Blob></Blobs><NextMarker/></EnumerationResults>`
	containers = `<EnumerationResults><Containers><Container><Name>a</Name></Container></Containers>` +
		`</EnumerationResults>`
	target = "/acc/c/d/%C3%BC%20b"
)

var (
	asXML      = map[string]string{"Content-Type": "application/xml"}
	copySource = map[string]string{"X-Ms-Copy-Source": "http://h/acc/c/other"}
	none       = map[string]string{"If-None-Match": "*", "X-Ms-Blob-Type": "BlockBlob"}
)

// on is a call on the blob of target.
func on(class, operation string) wire.Call {
	return wire.Call{Class: class, Operation: operation, Resource: "c", Key: []string{"d/ü b"}}
}

// found is on with the blob in the answer.
func found(class, operation string) wire.Call {
	call := on(class, operation)
	call.Entities = 1
	return call
}

// first is on for a blob that does not exist yet.
func first(class, operation string) wire.Call {
	call := on(class, operation)
	call.Conditional = "If-None-Match: *"
	return call
}

var blobCalls = []decoding{
	{"get", wiretest.Exchange{Method: "GET", Target: target, Answer: "content"}, found(Read, "Get Blob")},
	{"get, host style, zone", wiretest.Exchange{Method: "GET", Host: "acc.z12.blob.storage.azure.net",
		Target: "/c/d/%C3%BC%20b", Answer: "content"}, found(Read, "Get Blob")},
	{"get, not modified", wiretest.Exchange{Method: "GET", Target: target, Status: 304}, on(Read, "Get Blob")},
	{"get, not found", wiretest.Exchange{Method: "GET", Target: target, Status: 404}, on(Read, "Get Blob")},
	{"head", wiretest.Exchange{Method: "HEAD", Target: target}, on(Head, "Get Blob Properties")},
	{"metadata", wiretest.Exchange{Method: "GET", Target: target + "?comp=metadata"},
		on(Head, "Get Blob Metadata")},
	{"put", wiretest.Exchange{Method: "PUT", Target: target, Header: none, Body: "content", Status: 201},
		first(Write, "Put Blob")},
	{"put block", wiretest.Exchange{Method: "PUT", Target: target + "?comp=block&blockid=MQ%3D%3D", Body: "x",
		Status: 201},
		on(Write, "Put Block")},
	{"put block from URL", wiretest.Exchange{Method: "PUT", Target: target + "?comp=block&blockid=MQ%3D%3D",
		Header: copySource, Status: 201}, on(Write, "Put Block From URL")},
	{"put block list", wiretest.Exchange{Method: "PUT", Target: target + "?comp=blocklist", Body: "<BlockList/>",
		Status: 201}, on(Write, "Put Block List")},
	{"append", wiretest.Exchange{Method: "PUT", Target: target + "?comp=appendblock", Body: "x", Status: 201},
		on(Write, "Append Block")},
	{"put page", wiretest.Exchange{Method: "PUT", Target: target + "?comp=page", Body: "x", Status: 201},
		on(Write, "Put Page")},
	{"set metadata", wiretest.Exchange{Method: "PUT", Target: target + "?comp=metadata"},
		on(Write, "Set Blob Metadata")},
	{"set properties", wiretest.Exchange{Method: "PUT", Target: target + "?comp=properties"},
		on(Write, "Set Blob Properties")},
	{"set tags", wiretest.Exchange{Method: "PUT", Target: target + "?comp=tags", Body: "<Tags/>", Status: 204},
		on(Write, "Set Blob Tags")},
	{"set tier", wiretest.Exchange{Method: "PUT", Target: target + "?comp=tier"}, on(Write, "Set Blob Tier")},
	{"snapshot", wiretest.Exchange{Method: "PUT", Target: target + "?comp=snapshot", Status: 201},
		on(Write, "Snapshot Blob")},
	{"immutability, as Java writes it",
		wiretest.Exchange{Method: "PUT", Target: target + "?comp=immutabilityPolicies"},
		on(Write, "Set Blob Immutability Policy")},
	{"get tags", wiretest.Exchange{Method: "GET", Target: target + "?comp=tags"}, on(Read, "Get Blob Tags")},
	{"block list", wiretest.Exchange{Method: "GET", Target: target + "?comp=blocklist"},
		on(Read, "Get Block List")},
	{"lease", wiretest.Exchange{Method: "PUT", Target: target + "?comp=lease", Status: 201},
		on(Lease, "Lease Blob")},
	{"copy", wiretest.Exchange{Method: "PUT", Target: target, Header: copySource, Status: 202},
		on(Copy, "Copy Blob")},
	{"copy at once", wiretest.Exchange{Method: "PUT", Target: target,
		Header: map[string]string{"X-Ms-Copy-Source": "x",
			"X-Ms-Requires-Sync": "true"}, Status: 202}, on(Copy, "Copy Blob From URL")},
	{"put from URL", wiretest.Exchange{Method: "PUT", Target: target,
		Header: map[string]string{"X-Ms-Copy-Source": "x",
			"X-Ms-Blob-Type": "BlockBlob"}, Status: 201}, on(Copy, "Put Blob From URL")},
	{"delete", wiretest.Exchange{Method: "DELETE", Target: target, Status: 202}, on(Delete, "Delete Blob")},
}

var containerCalls = []decoding{
	{"root container", wiretest.Exchange{Method: "GET", Target: "/acc/x.json"},
		wire.Call{Class: Read, Operation: "Get Blob", Resource: "$root", Key: []string{"x.json"}, Entities: 1}},
	{"list", wiretest.Exchange{Method: "GET", Target: "/acc/c?restype=container&comp=list&prefix=a%2F",
		AnswerHeader: asXML,
		Answer:       listing},
		wire.Call{Class: List, Operation: "List Blobs", Resource: "c", Prefix: "a/", Entities: 2}},
	{"list as Arrow", wiretest.Exchange{Method: "GET", Target: "/acc/c?restype=container&comp=list",
		AnswerHeader: map[string]string{"Content-Type": "application/vnd.apache.arrow.stream"}, Answer: "x"},
		wire.Call{Class: List, Operation: "List Blobs", Resource: "c", Entities: wire.EntitiesUnknown}},
	{"list containers", wiretest.Exchange{Method: "GET", Target: "/acc/?comp=list", AnswerHeader: asXML,
		Answer: containers},
		wire.Call{Class: List, Operation: "List Containers", Entities: 1}},
	{"create container", wiretest.Exchange{Method: "PUT", Target: "/acc/c?restype=container", Status: 201},
		wire.Call{Class: CreateContainer, Operation: "Create Container", Resource: "c"}},
	{"delete container", wiretest.Exchange{Method: "DELETE", Target: "/acc/c?restype=container", Status: 202},
		wire.Call{Class: DeleteContainer, Operation: "Delete Container", Resource: "c"}},
	{"container properties", wiretest.Exchange{Method: "HEAD", Target: "/acc/c/?restype=container"},
		wire.Call{Class: other, Operation: "Get Container Properties", Resource: "c"}},
	{"container lease", wiretest.Exchange{Method: "PUT", Target: "/acc/c?restype=container&comp=lease"},
		wire.Call{Class: Lease, Operation: "Lease Container", Resource: "c"}},
	{"container policies", wiretest.Exchange{Method: "PUT", Target: "/acc/c?restype=container&comp=acl"},
		wire.Call{Class: other, Operation: "Set Container ACL", Resource: "c"}},
	{"service properties", wiretest.Exchange{Method: "GET", Target: "/acc?restype=service&comp=properties"},
		wire.Call{Class: other, Operation: "Get Blob Service Properties"}},
	{"service statistics", wiretest.Exchange{Method: "GET", Target: "/acc?restype=service&comp=stats"},
		wire.Call{Class: other, Operation: "Get Blob Service Stats"}},
	{"set service properties",
		wiretest.Exchange{Method: "PUT", Target: "/acc?restype=service&comp=properties", Status: 202},
		wire.Call{Class: other, Operation: "Set Blob Service Properties"}},
	{"delegation key", wiretest.Exchange{Method: "POST", Target: "/acc?restype=service&comp=userdelegationkey"},
		wire.Call{Class: other, Operation: "Get User Delegation Key"}},
	{"service without restype", wiretest.Exchange{Method: "GET", Target: "/acc?comp=properties"},
		wire.Call{Class: wire.Unknown}},
	{"find by tags", wiretest.Exchange{Method: "GET", Target: "/acc/?comp=blobs&where=a%3D'b'", AnswerHeader: asXML,
		Answer: listing},
		wire.Call{Class: List, Operation: "Find Blobs by Tags", Entities: 2}},
	{"find by tags in a container",
		wiretest.Exchange{Method: "GET", Target: "/acc/c?restype=container&comp=blobs", AnswerHeader: asXML,
			Answer: listing},
		wire.Call{Class: List, Operation: "Find Blobs by Tags in Container", Resource: "c", Entities: 2}},
	{"container metadata", wiretest.Exchange{Method: "GET", Target: "/acc/c?restype=container&comp=metadata"},
		wire.Call{Class: other, Operation: "Get Container Metadata", Resource: "c"}},
	{"set container metadata", wiretest.Exchange{Method: "PUT", Target: "/acc/c?restype=container&comp=metadata"},
		wire.Call{Class: other, Operation: "Set Container Metadata", Resource: "c"}},
	{"restore container",
		wiretest.Exchange{Method: "PUT", Target: "/acc/c?restype=container&comp=undelete", Status: 201},
		wire.Call{Class: other, Operation: "Restore Container", Resource: "c"}},
	{"rename container", wiretest.Exchange{Method: "PUT", Target: "/acc/c?restype=container&comp=rename"},
		wire.Call{Class: other, Operation: "Rename Container", Resource: "c"}},
}

var rareBlobCalls = []decoding{
	{"page ranges", wiretest.Exchange{Method: "GET", Target: target + "?comp=pagelist"},
		on(Read, "Get Page Ranges")},
	{"query contents", wiretest.Exchange{Method: "POST", Target: target + "?comp=query", Body: "<Q/>"},
		on(Read, "Query Blob Contents")},
	{"abort copy", wiretest.Exchange{Method: "PUT", Target: target + "?comp=copy&copyid=1", Status: 204},
		on(Copy, "Abort Copy Blob")},
	{"incremental copy",
		wiretest.Exchange{Method: "PUT", Target: target + "?comp=incrementalcopy", Header: copySource,
			Status: 202}, on(Copy, "Incremental Copy Blob")},
	{"undelete", wiretest.Exchange{Method: "PUT", Target: target + "?comp=undelete"}, on(Write, "Undelete Blob")},
	{"seal", wiretest.Exchange{Method: "PUT", Target: target + "?comp=seal"}, on(Write, "Append Blob Seal")},
	{"expiry", wiretest.Exchange{Method: "PUT", Target: target + "?comp=expiry"}, on(Write, "Set Blob Expiry")},
	{"delete immutability", wiretest.Exchange{Method: "DELETE", Target: target + "?comp=immutabilityPolicies"},
		on(Write, "Delete Blob Immutability Policy")},
	{"legal hold", wiretest.Exchange{Method: "PUT", Target: target + "?comp=legalhold"},
		on(Write, "Set Blob Legal Hold")},
}

var otherBlobCalls = []decoding{
	{"account", wiretest.Exchange{Method: "GET", Target: "/acc/?restype=account&comp=properties"},
		wire.Call{Class: other, Operation: "Get Account Information"}},
	{"unknown component", wiretest.Exchange{Method: "PUT", Target: target + "?comp=x"},
		wire.Call{Class: wire.Unknown, Resource: "c", Key: []string{"d/ü b"}}},
	{"unknown method", wiretest.Exchange{Method: "BREW", Target: target},
		wire.Call{Class: wire.Unknown, Resource: "c", Key: []string{"d/ü b"}}},
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
