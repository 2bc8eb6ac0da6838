package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
)

// script is a store that gives its answers in order. It reads each request to its end.
type script struct {
	mu      sync.Mutex
	answers []scripted
}

type scripted struct {
	status int
	header map[string]string
	body   string
}

func (s *script) then(status int, body string, header ...string) {
	h := map[string]string{"Content-Type": "application/json;odata=minimalmetadata;charset=utf-8"}
	for i := 0; i < len(header); i += 2 {
		h[header[i]] = header[i+1]
	}
	s.answers = append(s.answers, scripted{status, h, body})
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.answers) == 0 {
		w.WriteHeader(http.StatusTeapot) // not scripted: the SDKs do not retry it
		return
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if a.status == http.StatusNoContent {
		w.Header().Del("Content-Type")
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// accountKey is not a secret: the script checks no signature.
const accountKey = "a2V5"

// fastRetry keeps the SDKs' retries, but not their back-off.
func fastRetry() azcore.ClientOptions {
	return azcore.ClientOptions{Retry: policy.RetryOptions{RetryDelay: time.Millisecond, MaxRetryDelay: 2 * time.Millisecond}}
}

func tableClient(t testing.TB, endpoint string) *aztables.ServiceClient {
	t.Helper()
	cred, err := aztables.NewSharedKeyCredential("acc", accountKey)
	if err != nil {
		t.Fatal(err)
	}
	client, err := aztables.NewServiceClientWithSharedKey(endpoint+"/acc", cred, &aztables.ClientOptions{ClientOptions: fastRetry()})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// entity writes an entity by hand: aztables.EDMEntity doubles the quotes of keys in bodies too, where
// they are meant for addresses.
func entity(t *testing.T, partition, row string) []byte {
	t.Helper()
	e, err := json.Marshal(map[string]string{"PartitionKey": partition, "RowKey": row, "Title": "t"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// sees compares the calls since the last reset with those wanted, by what the SDK decides: sizes and
// times are left out. Then it resets.
func sees(t *testing.T, rec *Recorder, want ...Call) {
	t.Helper()
	if err := rec.Settle(during(t)); err != nil {
		t.Fatal(err)
	}
	calls := rec.Calls()
	rec.Reset()
	for i := range calls {
		c := &calls[i]
		if c.Start.IsZero() || c.Duration <= 0 {
			t.Errorf("no times: %+v", c)
		}
		c.Start, c.Duration, c.RequestBytes, c.ResponseBytes = time.Time{}, 0, 0, 0
	}
	for i := range want {
		if want[i].Attempts == 0 {
			want[i].Attempts = 1
		}
	}
	if got, want := fmt.Sprintf("%+v", calls), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTablesSDK(t *testing.T) {
	store := &script{}
	rec, gate := openGateway(t, store)
	service := tableClient(t, gate.Endpoint(Table))
	client := service.NewClient("Groups")
	ctx := t.Context()
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	t.Run("create table", func(t *testing.T) {
		store.then(201, `{"TableName":"Groups"}`)
		_, err := client.CreateTable(ctx, nil)
		must(t, err)
		sees(t, rec, Call{Service: Table, Class: CreateTable, Operation: "Create Table", Resource: "Groups", Status: 201})
	})
	for _, key := range []string{"plain", "it's", "a b", "|", "100%", "ü€", "a;b&c=d+e", "''", "(x,y)='z'", "😀", "a#b?c"} {
		t.Run("key "+key, func(t *testing.T) {
			on := Call{Service: Table, Resource: "Groups", Partition: key, Row: "r " + key}
			call := func(class Class, operation, conditional string, status, entities int) Call {
				c := on
				c.Class, c.Operation, c.Conditional, c.Status, c.Entities = class, operation, conditional, status, entities
				return c
			}
			e := entity(t, key, "r "+key)
			etag := azcore.ETag(`W/"datetime'x'"`)

			store.then(201, string(e))
			_, err := client.AddEntity(ctx, e, nil)
			must(t, err)
			store.then(204, "")
			_, err = client.UpsertEntity(ctx, e, nil)
			must(t, err)
			store.then(204, "")
			_, err = client.UpsertEntity(ctx, e, &aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace})
			must(t, err)
			store.then(204, "")
			_, err = client.UpdateEntity(ctx, e, &aztables.UpdateEntityOptions{IfMatch: &etag, UpdateMode: aztables.UpdateModeMerge})
			must(t, err)
			store.then(412, `{"odata.error":{"code":"UpdateConditionNotSatisfied"}}`)
			if _, err = client.UpdateEntity(ctx, e, &aztables.UpdateEntityOptions{IfMatch: &etag, UpdateMode: aztables.UpdateModeReplace}); err == nil {
				t.Error("no error for status 412")
			}
			store.then(200, string(e))
			_, err = client.GetEntity(ctx, key, "r "+key, nil)
			must(t, err)
			store.then(204, "")
			_, err = client.DeleteEntity(ctx, key, "r "+key, nil)
			must(t, err)

			failed := call(Update, "Update Entity", "If-Match: "+string(etag), 412, 0)
			failed.ErrorCode = "UpdateConditionNotSatisfied"
			sees(t, rec,
				call(Insert, "Insert Entity", "", 201, 0),
				call(Upsert, "Insert Or Merge Entity", "", 204, 0),
				call(Upsert, "Insert Or Replace Entity", "", 204, 0),
				call(Merge, "Merge Entity", "If-Match: "+string(etag), 204, 0),
				failed,
				call(PointRead, "Query Entities", "", 200, 1),
				call(Delete, "Delete Entity", "If-Match: *", 204, 0))
		})
	}
	t.Run("query with pages", func(t *testing.T) {
		filter := "PartitionKey eq 'it''s; 100% ü' and RowKey ge 'a'"
		store.then(200, `{"value":[{"RowKey":"a"},{"RowKey":"b"}]}`, "x-ms-continuation-NextPartitionKey", "1!8!cA--", "x-ms-continuation-NextRowKey", "1!4!Yw--")
		store.then(200, `{"value":[{"RowKey":"c"}]}`)
		for pager := client.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter, Top: to.Ptr(int32(2))}); pager.More(); {
			_, err := pager.NextPage(ctx)
			must(t, err)
		}
		call := Call{Service: Table, Class: PartitionRange, Operation: "Query Entities", Resource: "Groups", Partition: "it's; 100% ü", Filter: filter, Status: 200, Entities: 2, More: true}
		page := call
		page.Class, page.Entities, page.More = Page, 1, false
		sees(t, rec, call, page)
	})
	t.Run("transaction", func(t *testing.T) {
		const partition = "p|100% ü" // the SDK doubles no quotes in a transaction's addresses
		store.then(202, crlf("--batchresponse_1", "Content-Type: multipart/mixed; boundary=changesetresponse_2", "",
			"--changesetresponse_2", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "", "HTTP/1.1 204 No Content", "ETag: x", "", "",
			"--changesetresponse_2", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "", "HTTP/1.1 204 No Content", "ETag: x", "", "",
			"--changesetresponse_2", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "", "HTTP/1.1 204 No Content", "", "",
			"--changesetresponse_2--", "--batchresponse_1--"), "Content-Type", "multipart/mixed; boundary=batchresponse_1")
		_, err := client.SubmitTransaction(ctx, []aztables.TransactionAction{
			{ActionType: aztables.TransactionTypeAdd, Entity: entity(t, partition, "a b")},
			{ActionType: aztables.TransactionTypeUpdateMerge, Entity: entity(t, partition, "100%"), IfMatch: to.Ptr(azcore.ETag("x"))},
			{ActionType: aztables.TransactionTypeDelete, Entity: entity(t, partition, "ü|€")},
		}, nil)
		must(t, err)
		op := Call{Service: Table, Resource: "Groups", Partition: partition, Status: 204}
		add, merge, del := op, op, op
		add.Class, add.Operation, add.Row = Insert, "Insert Entity", "a b"
		merge.Class, merge.Operation, merge.Row, merge.Conditional = Merge, "Merge Entity", "100%", "If-Match: x"
		del.Class, del.Operation, del.Row, del.Conditional = Delete, "Delete Entity", "ü|€", "If-Match: *"
		sees(t, rec, Call{Service: Table, Class: Transaction, Operation: "Entity Group Transaction", Resource: "Groups", Partition: partition,
			Status: 202, Inner: []Call{add, merge, del}})
	})
	t.Run("retries", func(t *testing.T) {
		rec.Begin("x")
		store.then(503, "", "x-ms-retry-after-ms", "1")
		store.then(500, "")
		store.then(204, "")
		_, err := client.UpsertEntity(ctx, entity(t, "p", "r"), nil)
		must(t, err)
		sees(t, rec, Call{Service: Table, Class: Upsert, Operation: "Insert Or Merge Entity", Resource: "Groups", Partition: "p", Row: "r", Status: 204, Attempts: 3, Request: 1})
	})
	t.Run("store down", func(t *testing.T) {
		gate.SetDown(true)
		_, err := client.AddEntity(ctx, entity(t, "p", "r"), nil)
		gate.SetDown(false)
		if err == nil {
			t.Error("a dead store answered")
		}
		sees(t, rec, Call{Service: Table, Class: Insert, Operation: "Insert Entity", Resource: "Groups", Partition: "p", Row: "r", Attempts: 4})
	})
}

func TestBlobsSDK(t *testing.T) {
	store := &script{}
	rec, gate := openGateway(t, store)
	cred, err := azblob.NewSharedKeyCredential("acc", accountKey)
	if err != nil {
		t.Fatal(err)
	}
	service, err := azblob.NewClientWithSharedKeyCredential(gate.Endpoint(Blob)+"/acc", cred, &azblob.ClientOptions{ClientOptions: fastRetry()})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	const xmlListing = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs><Blob><Name>a</Name><Properties/></Blob><Blob><Name>b</Name><Properties/></Blob></Blobs><NextMarker/></EnumerationResults>`
	const name = "it's/ü |100%;+€.json"
	inContainer := func(class Class, operation string, status int) Call {
		return Call{Service: Blob, Class: class, Operation: operation, Resource: "sessions", Status: status}
	}
	onBlob := func(class Class, operation string, status int) Call {
		c := inContainer(class, operation, status)
		c.Blob = name
		return c
	}
	list := inContainer(List, "List Blobs", 200)
	list.Prefix, list.Entities = "it's/", 2
	read := onBlob(Read, "Get Blob", 200)
	read.Entities = 1
	missing := onBlob(Read, "Get Blob", 404)
	missing.ErrorCode = "BlobNotFound"
	blob := service.ServiceClient().NewContainerClient("sessions").NewBlobClient(name)
	tests := []struct {
		name   string
		status int
		body   string
		header []string
		do     func(context.Context) error
		want   Call
	}{
		{"create container", 201, "", nil, func(ctx context.Context) error {
			_, err := service.CreateContainer(ctx, "sessions", nil)
			return err
		}, inContainer(CreateContainer, "Create Container", 201)},
		{"upload", 201, "", nil, func(ctx context.Context) error {
			_, err := service.UploadBuffer(ctx, "sessions", name, []byte("content"), nil)
			return err
		}, onBlob(Write, "Put Blob", 201)},
		{"download", 200, "content", []string{"Content-Type", "text/plain"}, func(ctx context.Context) error {
			res, err := service.DownloadStream(ctx, "sessions", name, nil)
			if err != nil {
				return err
			}
			defer res.Body.Close()
			if body, err := io.ReadAll(res.Body); err != nil || string(body) != "content" {
				return fmt.Errorf("read %q: %w", body, err)
			}
			return nil
		}, read},
		{"missing", 404, "", []string{"x-ms-error-code", "BlobNotFound"}, func(ctx context.Context) error {
			if _, err := service.DownloadStream(ctx, "sessions", name, nil); err == nil {
				return fmt.Errorf("no error for status 404")
			}
			return nil
		}, missing},
		{"properties", 200, "", nil, func(ctx context.Context) error {
			_, err := blob.GetProperties(ctx, nil)
			return err
		}, onBlob(Head, "Get Blob Properties", 200)},
		{"list", 200, xmlListing, []string{"Content-Type", "application/xml"}, func(ctx context.Context) error {
			_, err := service.NewListBlobsFlatPager("sessions", &container.ListBlobsFlatOptions{Prefix: to.Ptr("it's/")}).NextPage(ctx)
			return err
		}, list},
		{"lease", 201, "", []string{"x-ms-lease-id", "1"}, func(ctx context.Context) error {
			client, err := lease.NewBlobClient(blob, nil)
			if err != nil {
				return err
			}
			_, err = client.AcquireLease(ctx, 15, nil)
			return err
		}, onBlob(Lease, "Lease Blob", 201)},
		{"copy", 202, "", nil, func(ctx context.Context) error {
			_, err := blob.StartCopyFromURL(ctx, "http://h/acc/c/other", nil)
			return err
		}, onBlob(Copy, "Copy Blob", 202)},
		{"delete", 202, "", nil, func(ctx context.Context) error {
			_, err := service.DeleteBlob(ctx, "sessions", name, nil)
			return err
		}, onBlob(Delete, "Delete Blob", 202)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			store.then(tt.status, tt.body, tt.header...)
			if err := tt.do(ctx); err != nil {
				t.Fatal(err)
			}
			sees(t, rec, tt.want)
		})
	}
	t.Run("large upload is staged", func(t *testing.T) {
		for range 3 {
			store.then(201, "")
		}
		content := bytes.Repeat([]byte("x"), 3<<20)
		_, err := service.UploadStream(ctx, "sessions", name, bytes.NewReader(content), &azblob.UploadStreamOptions{BlockSize: 2 << 20, Concurrency: 1})
		if err != nil {
			t.Fatal(err)
		}
		var size int64
		for _, c := range rec.Calls() {
			size += c.RequestBytes
		}
		if size <= int64(len(content)) || !strings.HasPrefix(rec.Calls()[0].Operation, "Put Block") {
			t.Errorf("%d bytes in %+v", size, rec.Calls())
		}
		sees(t, rec, onBlob(Write, "Put Block", 201), onBlob(Write, "Put Block", 201), onBlob(Write, "Put Block List", 201))
	})
}
