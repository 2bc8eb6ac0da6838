package tables

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// signed makes a client whose only right is a signature, as the SDK builds it for the table Signed.
func signed(t *testing.T, e *emulator, permissions aztables.SASPermissions) *aztables.Client {
	t.Helper()
	accounts := azure.NewAccounts(e.engine)
	if _, err := accounts.Add(testAccount, azure.DevelopmentKey); err != nil {
		t.Fatal(err)
	}
	front := azure.NewFront(azure.Options{Service: azure.Table, Accounts: accounts, Policies: e.service.Policies},
		e.service.Serve)
	server := httptest.NewServer(front)
	t.Cleanup(server.Close)
	credential, err := aztables.NewSharedKeyCredential(testAccount, azure.DevelopmentKey)
	if err != nil {
		t.Fatal(err)
	}
	rights := aztables.SASSignatureValues{TableName: "Signed", Permissions: permissions.String(),
		ExpiryTime:        time.Now().Add(time.Hour).UTC(),
		StartPartitionKey: permissions.StartPartitionKey, StartRowKey: permissions.StartRowKey,
		EndPartitionKey: permissions.EndPartitionKey, EndRowKey: permissions.EndRowKey}
	signature, err := rights.Sign(credential)
	if err != nil {
		t.Fatal(err)
	}
	address := server.URL + "/" + testAccount + "/Signed?" + signature
	if permissions.StartPartitionKey != "" { // the SDK signs the range and does not send it
		address += "&spk=" + permissions.StartPartitionKey + "&srk=" + permissions.StartRowKey + "&epk=" +
			permissions.EndPartitionKey + "&erk=" + permissions.EndRowKey
	}
	client, err := aztables.NewClientWithNoCredential(address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// forbidden checks that an operation was refused with that code.
func forbidden(t *testing.T, what string, err error, code string) {
	t.Helper()
	var failed *azcore.ResponseError
	if !errors.As(err, &failed) || failed.StatusCode != http.StatusForbidden || failed.ErrorCode != code {
		t.Errorf("%s: %v, want 403 %s", what, err, code)
	}
}

func TestSignaturesGrantNoMoreThanTheySay(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Signed")
	e.put("Signed", "a", "1", "")
	e.put("Signed", "b", "1", "")
	e.put("Signed", "b", "2", "")
	e.put("Signed", "c", "1", "")
	ctx, entity := t.Context(), func(partition, row string) []byte {
		return fmt.Appendf(nil, `{"PartitionKey":"%s","RowKey":"%s","New":true}`, partition, row)
	}
	before := e.must(200, "GET", "Signed", "").body
	reader := signed(t, e, aztables.SASPermissions{Read: true})
	if _, err := reader.GetEntity(ctx, "a", "1", nil); err != nil {
		t.Errorf("a reader reads: %v", err)
	}
	const mismatch, outside = "AuthorizationPermissionMismatch", "AuthorizationFailure"
	_, err := reader.AddEntity(ctx, entity("x", "1"), nil)
	forbidden(t, "a reader inserts", err, mismatch)
	_, err = reader.UpsertEntity(ctx, entity("a", "1"), nil)
	forbidden(t, "a reader upserts", err, mismatch)
	_, err = reader.DeleteEntity(ctx, "a", "1", nil)
	forbidden(t, "a reader deletes", err, mismatch)
	adder := signed(t, e, aztables.SASPermissions{Add: true})
	_, err = adder.UpsertEntity(ctx, entity("x", "1"), nil)
	forbidden(t, "who may only add upserts", err, mismatch)
	_, err = adder.GetEntity(ctx, "a", "1", nil)
	forbidden(t, "who may only add reads", err, mismatch)
	_, err = adder.SubmitTransaction(ctx, []aztables.TransactionAction{
		{ActionType: aztables.TransactionTypeAdd, Entity: entity("x", "1")},
		{ActionType: aztables.TransactionTypeUpdateMerge, Entity: entity("x", "2")},
	}, nil)
	if err == nil || !strings.Contains(err.Error(), mismatch) {
		t.Errorf("who may only add updates in a transaction: %v", err)
	}
	ranged := signed(t, e, aztables.SASPermissions{
		Read: true, Add: true, Update: true, Delete: true, StartPartitionKey: "b", StartRowKey: "2",
		EndPartitionKey: "c", EndRowKey: "9",
	})
	_, err = ranged.UpsertEntity(ctx, entity("b", "1"), nil)
	forbidden(t, "a write outside the range", err, outside)
	_, err = ranged.GetEntity(ctx, "a", "1", nil)
	forbidden(t, "a read outside the range", err, outside)
	if after := e.must(200, "GET", "Signed", "").body; after != before {
		t.Errorf("refused requests changed\n%s\nto\n%s", before, after)
	}
	page, err := ranged.NewListEntitiesPager(nil).NextPage(ctx)
	if err != nil || len(page.Entities) != 2 {
		t.Errorf("a query within the range gives %d entities (%v), want b 2 and c 1", len(page.Entities), err)
	}
	if _, err := ranged.UpsertEntity(ctx, entity("b", "3"), nil); err != nil {
		t.Errorf("a write within the range: %v", err)
	}
}

// TestAccountInTheHost reaches the account by its host name, a transaction too.
func TestAccountInTheHost(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Hosted")
	const host = "http://devstoreaccount1.table.localhost:10002/"
	send := func(method, path, body string, header http.Header) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, host+path, strings.NewReader(body))
		r.RequestURI = "/" + path
		r.Header = header
		w := httptest.NewRecorder()
		e.handler.ServeHTTP(w, r)
		return w
	}
	body := strings.ReplaceAll(batchBody(insertText("Hosted", "p", "1"), insertText("Hosted", "p", "2")),
		"http://127.0.0.1:10002/devstoreaccount1/", host)
	if w := send("POST", "$batch", body,
		http.Header{"Content-Type": {"multipart/mixed; boundary=batch_1"}}); w.Code != 202 ||
		strings.Count(w.Body.String(), "HTTP/1.1 201") != 2 {
		t.Errorf("transaction: %d %s", w.Code, w.Body)
	}
	w := send("GET", "Hosted(PartitionKey='p',RowKey='1')", "", http.Header{})
	if w.Code != 200 || !strings.Contains(w.Body.String(), host+"$metadata#Hosted/@Element") {
		t.Errorf("get: %d %s", w.Code, w.Body)
	}
	if w := send("GET", "Hosted?comp=acl", "", http.Header{}); w.Code != 200 {
		t.Errorf("policies: %d %s", w.Code, w.Body)
	}
	foreign := strings.ReplaceAll(body, "devstoreaccount1.table", "another.table")
	if w := send("POST", "$batch", foreign,
		http.Header{"Content-Type": {"multipart/mixed; boundary=batch_1"}}); !strings.Contains(w.Body.String(),
		`"code":"InvalidUri"`) {
		t.Errorf("a transaction for another account: %d %s", w.Code, w.Body)
	}
}

// TestFullDisk: a write that the disk refuses fails and says so; what was acknowledged can be read
// and survives a restart.
func TestFullDisk(t *testing.T) {
	disk := vfs.NewMem()
	full := false
	faulty := errorfs.Wrap(disk, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if full && op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
			return syscall.ENOSPC
		}
		return nil
	}))
	e := &emulator{t: t, now: time.Now}
	e.open(engine.Options{Dir: "data", FS: faulty})
	e.createTable("Full")
	e.put("Full", "p", "1", `"A":1`)
	full = true
	for _, a := range []reply{
		e.do("PUT", entityPath("Full", "p", "2"), `{}`), e.do("POST", "Full", `{"PartitionKey":"p","RowKey":"3"}`),
		e.do("DELETE", entityPath("Full", "p", "1"), "", "If-Match: *"),
		e.do("POST", "Tables", `{"TableName":"Another"}`), e.do("DELETE", "Tables('Full')", ""),
	} {
		a.failsWith(t, 500, "InternalError")
		if !strings.Contains(a.body, "data directory") {
			t.Errorf("the answer does not say why: %s", a.body)
		}
	}
	if a := e.batch(insertText("Full", "p", "4")); a.statuses() != "500" {
		t.Errorf("a transaction: %d %s", a.status, a.body)
	}
	if got := e.must(200, "GET", entityPath("Full", "p", "1"), "").object(t); got["A"] == nil {
		t.Errorf("what was acknowledged reads %v", got)
	}
	if err := e.engine.Close(); !errors.Is(err, engine.ErrFailed) {
		t.Errorf("close: %v", err)
	}
	e.open(engine.Options{Dir: "data", FS: disk})
	defer e.close()
	if got := e.must(200, "GET", entityPath("Full", "p", "1"), "").object(t); got["A"] == nil {
		t.Errorf("after a restart it reads %v", got)
	}
}
