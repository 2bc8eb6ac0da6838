package azure

import (
	"reflect"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/wiretest"
)

func crlf(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n" }

// The bodies below have the shapes of "Performing entity group transactions" and "Blob Batch".
var changeSetBody = crlf(
	"--batch_a1", "Content-Type: multipart/mixed; boundary=changeset_8a", "",
	"--changeset_8a", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
	"POST http://127.0.0.1:10002/acc/Groups HTTP/1.1", "Accept: application/json;odata=minimalmetadata",
	"Content-Type: application/json", "",
	`{"PartitionKey":"it's","RowKey":"1","Title":"--changeset_8a"}`,
	"--changeset_8a", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
	"PATCH http://127.0.0.1:10002/acc/Groups(PartitionKey='it%27%27s',RowKey='2') HTTP/1.1", "If-Match: W/\"x\"", "",
	`{"RowKey":"9"}`,
	"--changeset_8a", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
	"PUT /acc/Groups(PartitionKey='it%27%27s',RowKey='3') HTTP/1.1", "", "{}",
	"--changeset_8a", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
	"DELETE Groups(PartitionKey='it%27%27s',RowKey='4') HTTP/1.1", "If-Match: *", "", "",
	"--changeset_8a--", "--batch_a1--")

// changeSet is the operations of changeSetBody with the statuses that they had.
func changeSet(statuses ...int) []wire.Call {
	inner := func(class, operation, row, conditional string) wire.Call {
		return wire.Call{Service: Table, Class: class, Operation: operation, Resource: "Groups",
			Key: []string{"it's", row}, Conditional: conditional}
	}
	ops := []wire.Call{inner(Insert, "Insert Entity", "1", ""), inner(Merge, "Merge Entity", "2", `If-Match: W/"x"`),
		inner(Upsert, "Insert Or Replace Entity", "3", ""), inner(Delete, "Delete Entity", "4", "If-Match: *")}
	for i, status := range statuses {
		ops[i].Status = status
	}
	return ops
}

func TestTransaction(t *testing.T) {
	done := func(lines ...string) string {
		all := []string{"--batchresponse_1", "Content-Type: multipart/mixed; boundary=changesetresponse_2", ""}
		return crlf(append(append(all, lines...), "--changesetresponse_2--", "--batchresponse_1--")...)
	}
	part := []string{"--changesetresponse_2", "Content-Type: application/http", ""}
	noContent := append(append([]string{}, part...), "HTTP/1.1 204 No Content", "DataServiceVersion: 1.0;", "", "")
	var all []string
	for range 4 {
		all = append(all, noContent...)
	}
	conflict := append(append([]string{}, part...), "HTTP/1.1 409 Conflict", "Content-Type: application/json", "",
		`{"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-US","value":"2:The specified entity `+
			`already exists."}}}`)
	failed := changeSet(0, 0, 409)
	failed[2].ErrorCode = "EntityAlreadyExists"

	whole := wire.Call{Class: Transaction, Operation: "Entity Group Transaction", Resource: "Groups",
		Key: []string{"it's"}}
	tests := []struct {
		name, answer, encoding string
		inner                  []wire.Call
		succeeded              bool
	}{
		{"all done", done(all...), "", changeSet(204, 204, 204, 204), true},
		{"third refused", done(conflict...), "", failed, false},
		{"compressed answer", "\x1f\x8b", "gzip", changeSet(), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := wiretest.Exchange{Protocol: Tables{}, Method: "POST", Target: "/acc/$batch", Body: changeSetBody,
				Status: 202,
				Answer: tt.answer,
				Header: map[string]string{"Content-Type": "multipart/mixed; boundary=batch_a1"},
				AnswerHeader: map[string]string{"Content-Type": "multipart/mixed; boundary=batchresponse_1",
					"Content-Encoding": tt.encoding}}
			want := whole
			want.Inner = tt.inner
			got := e.Record(t)
			if want = complete(e, want); !reflect.DeepEqual(got, want) {
				t.Fatalf("got  %+v\nwant %+v", got, want)
			}
			if got.Succeeded() != tt.succeeded || !got.Writes() {
				t.Errorf("succeeded %v, writes %v", got.Succeeded(), got.Writes())
			}
		})
	}
}

func TestTransactionAtAnEncodedAddress(t *testing.T) {
	e := wiretest.Exchange{Protocol: Tables{}, Method: "POST", Target: "/acc/%24batch", Body: "x", Status: 400}
	want := complete(e, wire.Call{Class: Transaction, Operation: "Entity Group Transaction"})
	if got := e.Record(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestQueryInBatch(t *testing.T) {
	e := wiretest.Exchange{Protocol: Tables{}, Method: "POST", Target: "/$batch", Host: "acc.table.localhost:1",
		Status:       202,
		Header:       map[string]string{"Content-Type": "multipart/mixed; boundary=b"},
		AnswerHeader: map[string]string{"Content-Type": "multipart/mixed; boundary=r"},
		Body: crlf("--b", "Content-Type: application/http", "",
			"GET http://acc.table.localhost:1/T()?$filter=PartitionKey%20eq%20'a' HTTP/1.1", "Accept: application/json",
			"", "--b--"),
		Answer: crlf("--r", "Content-Type: application/http", "", "HTTP/1.1 200 OK", "Content-Type: application/json",
			"", `{"value":[{},{},{}]}`, "--r--")}
	query := wire.Call{Service: Table, Class: PartitionQuery, Operation: "Query Entities", Resource: "T",
		Key:    []string{"a"},
		Filter: "PartitionKey eq 'a'", Entities: 3, Status: 200}
	want := query
	want.Operation, want.Status, want.Inner = "Entity Group Transaction", 0, []wire.Call{query}
	want = complete(e, want)
	if got := e.Record(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestUnreadableOperationsInBatch(t *testing.T) {
	e := wiretest.Exchange{Protocol: Tables{}, Method: "POST", Target: "/acc/$batch", Status: 202,
		Header: map[string]string{"Content-Type": "multipart/mixed; boundary=b"},
		Body: crlf("--b", "", "nonsense", "", "--b", "", "POST /acc/$batch HTTP/1.1",
			"Content-Type: multipart/mixed; boundary=b", "", "--b--")}
	got := e.Record(t)
	if len(got.Inner) != 2 || got.Inner[0].Class != wire.Unknown || got.Inner[1].Class != wire.Unknown ||
		got.Class != Transaction {
		t.Errorf("got %+v", got)
	}
}

func TestBatchHoldsBoundedParts(t *testing.T) {
	e := wiretest.Exchange{Protocol: Tables{}, Method: "POST", Target: "/acc/$batch", Status: 400,
		Header: map[string]string{"Content-Type": "multipart/mixed; boundary=b"},
		Body: strings.Repeat(crlf("--b", "", "DELETE /acc/T(PartitionKey='a',RowKey='b') HTTP/1.1", ""),
			maxBatchParts+5)}
	if got := len(e.Record(t).Inner); got != maxBatchParts {
		t.Errorf("%d operations, want %d", got, maxBatchParts)
	}
}

func TestBlobBatch(t *testing.T) {
	part := func(id, request string) []string {
		return []string{"--b", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "Content-ID: " +
			id, "", request, "x-ms-date: x", "", ""}
	}
	answer := func(id, status string, more ...string) []string {
		return append([]string{"--r", "Content-Type: application/http", "Content-ID: " + id, "", "HTTP/1.1 " + status},
			append(more, "", "")...)
	}
	e := wiretest.Exchange{Protocol: Blobs{}, Method: "POST", Target: "/acc/c?restype=container&comp=batch",
		Status:       202,
		Header:       map[string]string{"Content-Type": "multipart/mixed; boundary=b"},
		AnswerHeader: map[string]string{"Content-Type": "multipart/mixed; boundary=r"},
		Body: crlf(append(append(part("0", "DELETE /acc/c/a%20b HTTP/1.1"),
			part("1", "DELETE /acc/c/d/e HTTP/1.1")...), "--b--")...),
		Answer: crlf(append(append(answer("1", "404 The specified blob does not exist.",
			"x-ms-error-code: BlobNotFound"), answer("0", "202 Accepted")...), "--r--")...)}
	want := complete(e, wire.Call{Class: Delete, Operation: "Blob Batch", Resource: "c", Inner: []wire.Call{
		{Service: Blob, Class: Delete, Operation: "Delete Blob", Resource: "c", Key: []string{"a b"}, Status: 202},
		{Service: Blob, Class: Delete, Operation: "Delete Blob", Resource: "c", Key: []string{"d/e"}, Status: 404,
			ErrorCode: "BlobNotFound"},
	}})
	if got := e.Record(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
