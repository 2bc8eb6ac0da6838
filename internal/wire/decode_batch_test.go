package wire

import (
	"reflect"
	"strings"
	"testing"
)

func crlf(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n" }

// The bodies below have the shapes of "Performing entity group transactions" and "Blob Batch".
var changeSetBody = crlf(
	"--batch_a1", "Content-Type: multipart/mixed; boundary=changeset_8a", "",
	"--changeset_8a", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
	"POST http://127.0.0.1:10002/acc/Groups HTTP/1.1", "Accept: application/json;odata=minimalmetadata", "Content-Type: application/json", "",
	`{"PartitionKey":"it's","RowKey":"1","Title":"--changeset_8a"}`,
	"--changeset_8a", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
	"PATCH http://127.0.0.1:10002/acc/Groups(PartitionKey='it%27%27s',RowKey='2') HTTP/1.1", "If-Match: W/\"x\"", "", `{"RowKey":"9"}`,
	"--changeset_8a", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
	"PUT /acc/Groups(PartitionKey='it%27%27s',RowKey='3') HTTP/1.1", "", "{}",
	"--changeset_8a", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
	"DELETE Groups(PartitionKey='it%27%27s',RowKey='4') HTTP/1.1", "If-Match: *", "", "",
	"--changeset_8a--", "--batch_a1--")

func TestTransaction(t *testing.T) {
	inner := func(class Class, operation, row, conditional string) Call {
		return Call{Service: Table, Class: class, Operation: operation, Resource: "Groups", Partition: "it's", Row: row, Conditional: conditional}
	}
	answered := func(calls []Call, statuses ...int) []Call {
		for i, status := range statuses {
			calls[i].Status = status
		}
		return calls
	}
	ops := func() []Call {
		return []Call{inner(Insert, "Insert Entity", "1", ""), inner(Merge, "Merge Entity", "2", `If-Match: W/"x"`),
			inner(Upsert, "Insert Or Replace Entity", "3", ""), inner(Delete, "Delete Entity", "4", "If-Match: *")}
	}
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
		`{"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-US","value":"2:The specified entity already exists."}}}`)
	failed := answered(ops(), 0, 0, 409)
	failed[2].ErrorCode = "EntityAlreadyExists"

	whole := Call{Class: Transaction, Operation: "Entity Group Transaction", Resource: "Groups", Partition: "it's"}
	tests := []struct {
		name, answer, encoding string
		inner                  []Call
		succeeded              bool
	}{
		{"all done", done(all...), "", answered(ops(), 204, 204, 204, 204), true},
		{"third refused", done(conflict...), "", failed, false},
		{"compressed answer", "\x1f\x8b", "gzip", ops(), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := exchange{service: Table, method: "POST", target: "/acc/$batch", body: changeSetBody, status: 202, answer: tt.answer,
				header:       map[string]string{"Content-Type": "multipart/mixed; boundary=batch_a1"},
				answerHeader: map[string]string{"Content-Type": "multipart/mixed; boundary=batchresponse_1", "Content-Encoding": tt.encoding}}
			want := whole
			want.Inner = tt.inner
			got := e.record(t)
			if want = e.complete(want); !reflect.DeepEqual(got, want) {
				t.Fatalf("got  %+v\nwant %+v", got, want)
			}
			if got.Succeeded() != tt.succeeded || !got.Writes() {
				t.Errorf("succeeded %v, writes %v", got.Succeeded(), got.Writes())
			}
		})
	}
	t.Run("encoded address", func(t *testing.T) {
		e := exchange{service: Table, method: "POST", target: "/acc/%24batch", body: "x", status: 400}
		want := e.complete(Call{Class: Transaction, Operation: "Entity Group Transaction"})
		if got := e.record(t); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	})
}

func TestQueryInBatch(t *testing.T) {
	e := exchange{service: Table, method: "POST", target: "/$batch", host: "acc.table.localhost:1", status: 202,
		header:       map[string]string{"Content-Type": "multipart/mixed; boundary=b"},
		answerHeader: map[string]string{"Content-Type": "multipart/mixed; boundary=r"},
		body: crlf("--b", "Content-Type: application/http", "",
			"GET http://acc.table.localhost:1/T()?$filter=PartitionKey%20eq%20'a' HTTP/1.1", "Accept: application/json", "", "--b--"),
		answer: crlf("--r", "Content-Type: application/http", "", "HTTP/1.1 200 OK", "Content-Type: application/json", "", `{"value":[{},{},{}]}`, "--r--")}
	query := Call{Service: Table, Class: PartitionQuery, Operation: "Query Entities", Resource: "T", Partition: "a",
		Filter: "PartitionKey eq 'a'", Entities: 3, Status: 200}
	want := query
	want.Operation, want.Status, want.Inner = "Entity Group Transaction", 0, []Call{query}
	want = e.complete(want)
	if got := e.record(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestUnreadableOperationsInBatch(t *testing.T) {
	e := exchange{service: Table, method: "POST", target: "/acc/$batch", status: 202, header: map[string]string{"Content-Type": "multipart/mixed; boundary=b"},
		body: crlf("--b", "", "nonsense", "", "--b", "", "POST /acc/$batch HTTP/1.1", "Content-Type: multipart/mixed; boundary=b", "", "--b--")}
	got := e.record(t)
	if len(got.Inner) != 2 || got.Inner[0].Class != Unknown || got.Inner[1].Class != Unknown || got.Class != Transaction {
		t.Errorf("got %+v", got)
	}
}

func TestBatchHoldsBoundedParts(t *testing.T) {
	e := exchange{service: Table, method: "POST", target: "/acc/$batch", status: 400, header: map[string]string{"Content-Type": "multipart/mixed; boundary=b"},
		body: strings.Repeat(crlf("--b", "", "DELETE /acc/T(PartitionKey='a',RowKey='b') HTTP/1.1", ""), maxBatchParts+5)}
	if got := len(e.record(t).Inner); got != maxBatchParts {
		t.Errorf("%d operations, want %d", got, maxBatchParts)
	}
}

func TestBlobBatch(t *testing.T) {
	part := func(id, request string) []string {
		return []string{"--b", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "Content-ID: " + id, "", request, "x-ms-date: x", "", ""}
	}
	answer := func(id, status string, more ...string) []string {
		return append([]string{"--r", "Content-Type: application/http", "Content-ID: " + id, "", "HTTP/1.1 " + status}, append(more, "", "")...)
	}
	e := exchange{service: Blob, method: "POST", target: "/acc/c?restype=container&comp=batch", status: 202,
		header:       map[string]string{"Content-Type": "multipart/mixed; boundary=b"},
		answerHeader: map[string]string{"Content-Type": "multipart/mixed; boundary=r"},
		body:         crlf(append(append(part("0", "DELETE /acc/c/a%20b HTTP/1.1"), part("1", "DELETE /acc/c/d/e HTTP/1.1")...), "--b--")...),
		answer:       crlf(append(append(answer("1", "404 The specified blob does not exist.", "x-ms-error-code: BlobNotFound"), answer("0", "202 Accepted")...), "--r--")...)}
	want := e.complete(Call{Class: Delete, Operation: "Blob Batch", Resource: "c", Inner: []Call{
		{Service: Blob, Class: Delete, Operation: "Delete Blob", Resource: "c", Blob: "a b", Status: 202},
		{Service: Blob, Class: Delete, Operation: "Delete Blob", Resource: "c", Blob: "d/e", Status: 404, ErrorCode: "BlobNotFound"},
	}})
	if got := e.record(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
