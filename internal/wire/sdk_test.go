package wire_test

import (
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

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
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
	return azcore.ClientOptions{Retry: policy.RetryOptions{RetryDelay: time.Millisecond,
		MaxRetryDelay: 2 * time.Millisecond}}
}

func tableClient(t testing.TB, endpoint string) *aztables.ServiceClient {
	t.Helper()
	cred, err := aztables.NewSharedKeyCredential("acc", accountKey)
	if err != nil {
		t.Fatal(err)
	}
	client, err := aztables.NewServiceClientWithSharedKey(endpoint+"/acc", cred,
		&aztables.ClientOptions{ClientOptions: fastRetry()})
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
func sees(t *testing.T, rec *wire.Recorder, want ...wire.Call) {
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
		withoutClassed(c)
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

// withoutClassed takes out of a call what follows from its class and service, which package azure tests.
func withoutClassed(c *wire.Call) {
	c.ID, c.Effect, c.Breadth, c.Parts, c.Guard, c.Continues = 0, "", "", nil, wire.Unjudged, false
	for i := range c.Inner {
		withoutClassed(&c.Inner[i])
	}
}

// crlf is lines as in a multipart body.
func crlf(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n" }

// groups is a client of the table Groups, whose service answers by script.
type groups struct {
	store  *script
	rec    *wire.Recorder
	gate   *wire.Gateway
	client *aztables.Client
}

func openGroups(t *testing.T) groups {
	t.Helper()
	store := &script{}
	rec, gate := openGateway(t, store)
	return groups{store, rec, gate, tableClient(t, gate.Endpoint(azure.Table)).NewClient("Groups")}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// onGroups is a call on the table with that status.
func onGroups(class, operation string, status int, key ...string) wire.Call {
	return wire.Call{Service: azure.Table, Class: class, Operation: operation, Resource: "Groups", Key: key,
		Status: status}
}

func TestTablesSDKCreatesATable(t *testing.T) {
	s := openGroups(t)
	s.store.then(201, `{"TableName":"Groups"}`)
	_, err := s.client.CreateTable(t.Context(), nil)
	must(t, err)
	sees(t, s.rec, onGroups(azure.CreateTable, "Create Table", 201))
}

func TestTablesSDKKeys(t *testing.T) {
	s := openGroups(t)
	for _, key := range []string{"plain", "it's", "a b", "|", "100%", "ü€", "a;b&c=d+e", "''", "(x,y)='z'", "😀",
		"a#b?c"} {
		t.Run("key "+key, func(t *testing.T) { s.allOperations(t, key) })
	}
}

// allOperations sends every operation on one entity.
func (s groups) allOperations(t *testing.T, key string) {
	call := func(class, operation, conditional string, status, entities int) wire.Call {
		c := onGroups(class, operation, status, key, "r "+key)
		c.Conditional, c.Entities = conditional, entities
		return c
	}
	e := entity(t, key, "r "+key)
	etag := azcore.ETag(`W/"datetime'x'"`)

	s.store.then(201, string(e))
	_, err := s.client.AddEntity(t.Context(), e, nil)
	must(t, err)
	s.store.then(204, "")
	_, err = s.client.UpsertEntity(t.Context(), e, nil)
	must(t, err)
	s.store.then(204, "")
	_, err = s.client.UpsertEntity(t.Context(), e,
		&aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace})
	must(t, err)
	s.store.then(204, "")
	_, err = s.client.UpdateEntity(t.Context(), e,
		&aztables.UpdateEntityOptions{IfMatch: &etag, UpdateMode: aztables.UpdateModeMerge})
	must(t, err)
	s.store.then(412, `{"odata.error":{"code":"UpdateConditionNotSatisfied"}}`)
	if _, err = s.client.UpdateEntity(t.Context(), e,
		&aztables.UpdateEntityOptions{IfMatch: &etag, UpdateMode: aztables.UpdateModeReplace}); err == nil {
		t.Error("no error for status 412")
	}
	s.store.then(200, string(e))
	_, err = s.client.GetEntity(t.Context(), key, "r "+key, nil)
	must(t, err)
	s.store.then(204, "")
	_, err = s.client.DeleteEntity(t.Context(), key, "r "+key, nil)
	must(t, err)

	failed := call(azure.Update, "Update Entity", "If-Match: "+string(etag), 412, 0)
	failed.ErrorCode = "UpdateConditionNotSatisfied"
	sees(t, s.rec,
		call(azure.Insert, "Insert Entity", "", 201, 0),
		call(azure.Upsert, "Insert Or Merge Entity", "", 204, 0),
		call(azure.Upsert, "Insert Or Replace Entity", "", 204, 0),
		call(azure.Merge, "Merge Entity", "If-Match: "+string(etag), 204, 0),
		failed,
		call(azure.PointRead, "Query Entities", "", 200, 1),
		call(azure.Delete, "Delete Entity", "If-Match: *", 204, 0))
}

func TestTablesSDKPages(t *testing.T) {
	s := openGroups(t)
	filter := "PartitionKey eq 'it''s; 100% ü' and RowKey ge 'a'"
	s.store.then(200, `{"value":[{"RowKey":"a"},{"RowKey":"b"}]}`, "x-ms-continuation-NextPartitionKey", "1!8!cA--",
		"x-ms-continuation-NextRowKey", "1!4!Yw--")
	s.store.then(200, `{"value":[{"RowKey":"c"}]}`)
	for pager := s.client.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter,
		Top: to.Ptr(int32(2))}); pager.More(); {
		_, err := pager.NextPage(t.Context())
		must(t, err)
	}
	call := onGroups(azure.PartitionRange, "Query Entities", 200, "it's; 100% ü")
	call.Filter, call.Entities, call.More = filter, 2, true
	page := call
	page.Class, page.Entities, page.More = azure.Page, 1, false
	sees(t, s.rec, call, page)
}

func TestTablesSDKTransaction(t *testing.T) {
	s := openGroups(t)
	const partition = "p|100% ü" // the SDK doubles no quotes in a transaction's addresses
	s.store.then(202, crlf("--batchresponse_1", "Content-Type: multipart/mixed; boundary=changesetresponse_2", "",
		"--changesetresponse_2", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
		"HTTP/1.1 204 No Content", "ETag: x", "", "",
		"--changesetresponse_2", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
		"HTTP/1.1 204 No Content", "ETag: x", "", "",
		"--changesetresponse_2", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
		"HTTP/1.1 204 No Content", "", "",
		"--changesetresponse_2--", "--batchresponse_1--"), "Content-Type",
		"multipart/mixed; boundary=batchresponse_1")
	_, err := s.client.SubmitTransaction(t.Context(), []aztables.TransactionAction{
		{ActionType: aztables.TransactionTypeAdd, Entity: entity(t, partition, "a b")},
		{ActionType: aztables.TransactionTypeUpdateMerge, Entity: entity(t, partition, "100%"),
			IfMatch: to.Ptr(azcore.ETag("x"))},
		{ActionType: aztables.TransactionTypeDelete, Entity: entity(t, partition, "ü|€")},
	}, nil)
	must(t, err)
	merge := onGroups(azure.Merge, "Merge Entity", 204, partition, "100%")
	merge.Conditional = "If-Match: x"
	del := onGroups(azure.Delete, "Delete Entity", 204, partition, "ü|€")
	del.Conditional = "If-Match: *"
	whole := onGroups(azure.Transaction, "Entity Group Transaction", 202, partition)
	whole.Inner = []wire.Call{onGroups(azure.Insert, "Insert Entity", 204, partition, "a b"), merge, del}
	sees(t, s.rec, whole)
}

func TestTablesSDKRetries(t *testing.T) {
	s := openGroups(t)
	s.rec.Begin("x")
	s.store.then(503, "", "x-ms-retry-after-ms", "1")
	s.store.then(500, "")
	s.store.then(204, "")
	_, err := s.client.UpsertEntity(t.Context(), entity(t, "p", "r"), nil)
	must(t, err)
	want := onGroups(azure.Upsert, "Insert Or Merge Entity", 204, "p", "r")
	want.Attempts, want.Request = 3, 1
	sees(t, s.rec, want)
}

func TestTablesSDKStoreDown(t *testing.T) {
	s := openGroups(t)
	s.gate.SetDown(true)
	_, err := s.client.AddEntity(t.Context(), entity(t, "p", "r"), nil)
	s.gate.SetDown(false)
	if err == nil {
		t.Error("a dead store answered")
	}
	want := onGroups(azure.Insert, "Insert Entity", 0, "p", "r")
	want.Attempts, want.InvitesRetry = 4, true
	sees(t, s.rec, want)
}
