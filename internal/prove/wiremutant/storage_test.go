package wiremutant

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/internal/store/storetest"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// scene is a namespace behind a gateway at which a mutant is, and direct ways around it.
type scene struct {
	*testing.T
	rec              *wire.Recorder
	renew            func()
	asked            http.RoundTripper // carries requests to a target
	rows, others     *aztables.Client  // tables: the mutant's, and another
	objects          *azblob.Client
	directly         *aztables.Client
	directlyFromBlob *azblob.Client
}

const held = "held" // a container

// at makes a scene. Two rows are there, Rows a/1 and b/1, each with n = 1, and a blob x/1.
func at(t *testing.T, m Mutant) *scene {
	t.Helper()
	lease := storetest.Lease(t)
	s := &scene{T: t, rec: wire.NewRecorder()}
	distortion := distortStorage(m, lease)
	upstream := map[wire.Protocol]http.Handler{}
	for protocol, service := range lease.Upstream() {
		upstream[protocol] = distortion.Store(protocol, service)
	}
	gate, err := wire.NewGateway(s.rec, upstream, wire.GatewayOptions{Before: distortion.Calls})
	s.must(err)
	t.Cleanup(func() { s.must(gate.Close()) })
	s.renew = distortion.Renew
	s.asked = distortion.Answers(roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}))
	s.directly, s.directlyFromBlob = s.clients(lease.Direct()["connection"])
	for _, table := range []string{"Rows", "Others"} {
		_, err = s.service(lease.Direct()["connection"]).NewClient(table).CreateTable(t.Context(), nil)
		s.must(err)
	}
	_, err = s.directlyFromBlob.CreateContainer(t.Context(), held, nil)
	s.must(err)
	connection := lease.Values(gate.Endpoints())["connection"]
	s.rows, s.objects = s.clients(connection)
	s.others = s.service(connection).NewClient("Others")
	for _, partition := range []string{"a", "b"} {
		_, err = s.directly.AddEntity(t.Context(), row(partition, "1", "1"), nil)
		s.must(err)
	}
	s.upload(s.directlyFromBlob, "x/1", "1", nil)
	return s
}

func (s *scene) service(connection string) *aztables.ServiceClient {
	client, err := aztables.NewServiceClientFromConnectionString(connection, nil)
	s.must(err)
	return client
}

func (s *scene) clients(connection string) (*aztables.Client, *azblob.Client) {
	blobs, err := azblob.NewClientFromConnectionString(connection, nil)
	s.must(err)
	return s.service(connection).NewClient("Rows"), blobs
}

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func row(partition, key, n string) []byte {
	return []byte(`{"PartitionKey":"` + partition + `","RowKey":"` + key + `","n":"` + n + `"}`)
}

func (s *scene) upload(to *azblob.Client, name, content string, o *azblob.UploadBufferOptions) {
	s.Helper()
	_, err := to.UploadBuffer(s.Context(), held, name, []byte(content), o)
	s.must(err)
}

// n returns the column n of a row as a client reads it; "" if the row is not there.
func (s *scene) n(from *aztables.Client, partition, key string) string {
	s.Helper()
	found, err := from.GetEntity(s.Context(), partition, key, nil)
	if status(err) == http.StatusNotFound {
		return ""
	}
	s.must(err)
	_, after, _ := strings.Cut(string(found.Value), `"n":"`)
	value, _, _ := strings.Cut(after, `"`)
	return value
}

// list returns the keys and the column n of the rows that a query finds.
func (s *scene) list(from *aztables.Client, filter string) string {
	s.Helper()
	var found []string
	for pager := from.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter}); pager.More(); {
		page, err := pager.NextPage(s.Context())
		s.must(err)
		for _, entity := range page.Entities {
			var parts []string
			for _, name := range []string{"PartitionKey", "RowKey", "n"} {
				_, after, _ := strings.Cut(string(entity), `"`+name+`":"`)
				value, _, _ := strings.Cut(after, `"`)
				parts = append(parts, value)
			}
			found = append(found, strings.Join(parts, "/"))
		}
	}
	return strings.Join(found, " ")
}

// blob returns a blob's content; "" if it is not there.
func (s *scene) blob(from *azblob.Client, name string) string {
	s.Helper()
	got, err := from.DownloadStream(s.Context(), held, name, nil)
	if status(err) == http.StatusNotFound {
		return ""
	}
	s.must(err)
	content, err := io.ReadAll(got.Body)
	s.must(errors.Join(err, got.Body.Close()))
	return string(content)
}

// seen returns the classes of the calls that were recorded since it was last asked, with the resource.
func (s *scene) seen() string {
	s.Helper()
	s.must(s.rec.Settle(s.Context()))
	var classes []string
	for _, call := range s.rec.Calls() {
		classes = append(classes, call.Class+" "+call.Resource)
	}
	s.rec.Reset()
	return strings.Join(classes, ", ")
}

func (s *scene) want(what, got, want string) {
	s.Helper()
	if got != want {
		s.Errorf("%s: %q, want %q", what, got, want)
	}
}

// status returns the status of an SDK's error; 0: there was none.
func status(err error) int {
	if failed := (*azcore.ResponseError)(nil); errors.As(err, &failed) {
		return failed.StatusCode
	}
	return 0
}

func onRows(kind Kind) Mutant  { return Mutant{Kind: kind, Service: azure.Table, Resource: "Rows"} }
func onBlobs(kind Kind) Mutant { return Mutant{Kind: kind, Service: azure.Blob, Resource: held} }

func TestLostWritesAreAnsweredAndNotMade(t *testing.T) {
	s := at(t, onRows(Lost))
	_, err := s.rows.AddEntity(t.Context(), row("a", "2", "1"), nil)
	s.must(err)
	_, err = s.rows.AddEntity(t.Context(), row("a", "1", "2"), nil) // which is there
	s.must(err)
	changed, err := s.rows.UpdateEntity(t.Context(), row("a", "1", "2"), nil)
	s.must(err)
	if changed.ETag == "" {
		t.Error("the answer to an update has no ETag")
	}
	_, err = s.rows.UpsertEntity(t.Context(), row("a", "3", "1"), nil)
	s.must(err)
	_, err = s.rows.DeleteEntity(t.Context(), "a", "1", nil)
	s.must(err)
	_, err = s.rows.SubmitTransaction(t.Context(), []aztables.TransactionAction{
		{ActionType: aztables.TransactionTypeAdd, Entity: row("a", "4", "1")},
		{ActionType: aztables.TransactionTypeDelete, Entity: row("a", "1", "1")},
	}, nil)
	s.must(err)
	s.want("recorded", s.seen(), "")
	s.want("rows", s.list(s.directly, ""), "a/1/1 b/1/1")
	_, err = s.others.AddEntity(t.Context(), row("a", "1", "1"), nil)
	s.must(err)
	s.want("another table", s.seen(), "insert Others")
	s.want("reads", s.n(s.rows, "a", "1"), "1")
}

func TestLostBlobsAreAnsweredAndNotMade(t *testing.T) {
	s := at(t, onBlobs(Lost))
	s.upload(s.objects, "x/2", "1", nil)
	s.upload(s.objects, "x/1", "2", nil)
	_, err := s.objects.DeleteBlob(t.Context(), held, "x/1", nil)
	s.must(err)
	_, err = s.objects.ServiceClient().NewContainerClient(held).NewBlobClient("x/1").SetMetadata(t.Context(),
		map[string]*string{"a": new(string)}, nil)
	s.must(err)
	s.want("recorded", s.seen(), "")
	s.want("the old one", s.blob(s.directlyFromBlob, "x/1"), "1")
	s.want("the new one", s.blob(s.directlyFromBlob, "x/2"), "")
}

func TestDroppedConditionsLetStaleWritesThrough(t *testing.T) {
	s := at(t, onRows(Unconditional))
	stale := azcore.ETag(`W/"datetime'2020-01-01T00%3A00%3A00.0000000Z'"`)
	_, err := s.rows.UpdateEntity(t.Context(), row("a", "1", "2"), &aztables.UpdateEntityOptions{
		IfMatch: &stale, UpdateMode: aztables.UpdateModeReplace})
	s.must(err)
	s.must(s.rec.Settle(t.Context()))
	if calls := s.rec.Calls(); len(calls) != 1 || calls[0].Conditional != "If-Match: *" {
		t.Errorf("recorded: %+v", calls)
	}
	s.want("the row", s.n(s.directly, "a", "1"), "2")
	_, err = s.rows.SubmitTransaction(t.Context(), []aztables.TransactionAction{{
		ActionType: aztables.TransactionTypeUpdateReplace, Entity: row("a", "1", "3"), IfMatch: &stale}}, nil)
	s.must(err)
	s.want("the row after a transaction", s.n(s.directly, "a", "1"), "3")
	_, err = s.others.AddEntity(t.Context(), row("a", "1", "1"), nil)
	s.must(err)
	_, err = s.others.UpdateEntity(t.Context(), row("a", "1", "2"), &aztables.UpdateEntityOptions{
		IfMatch: &stale, UpdateMode: aztables.UpdateModeReplace})
	if status(err) != http.StatusPreconditionFailed {
		t.Errorf("another table: %v", err)
	}
}

// A blob's conditions are signed, so this shows that the call is signed again.
func TestDroppedConditionsOfBlobs(t *testing.T) {
	s := at(t, onBlobs(Unconditional))
	none := azcore.ETagAny
	s.upload(s.objects, "x/1", "2", &azblob.UploadBufferOptions{AccessConditions: &blob.AccessConditions{
		ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: &none}}})
	s.want("the blob", s.blob(s.directlyFromBlob, "x/1"), "2")
}

func TestOneReadIsAddedToEachRequest(t *testing.T) {
	s := at(t, onRows(ReadAdded))
	ask := func() {
		res, err := s.asked.RoundTrip(nil)
		s.must(err)
		s.must(res.Body.Close())
	}
	ask()
	s.want("a row", s.n(s.rows, "a", "1"), "1")
	s.want("recorded", s.seen(), "point read Rows, point read Rows")
	s.want("the same request", s.n(s.rows, "a", "1"), "1")
	s.want("recorded of the same request", s.seen(), "point read Rows")
	ask()
	_, err := s.rows.AddEntity(t.Context(), row("it's", "a b'2", "1"), nil)
	s.must(err)
	s.want("recorded of a write", s.seen(), "point read Rows, insert Rows")
	ask()
	_, err = s.rows.SubmitTransaction(t.Context(), []aztables.TransactionAction{
		{ActionType: aztables.TransactionTypeAdd, Entity: row("a", "4", "1")}}, nil)
	s.must(err)
	s.want("recorded of a transaction", s.seen(), "point read Rows, transaction Rows")
	ask()
	_, err = s.others.AddEntity(t.Context(), row("a", "1", "1"), nil)
	s.must(err)
	s.want("recorded of another table", s.seen(), "insert Others")
}

func TestOneReadIsAddedToEachTrace(t *testing.T) {
	s := at(t, onRows(ReadAdded))
	first, second := s.rec.Begin("first"), s.rec.Begin("second")
	for _, request := range []*wire.Request{first, second, first} {
		ctx := azcoreHeader(t, request.Traceparent())
		_, err := s.rows.GetEntity(ctx, "a", "1", nil)
		s.must(err)
	}
	s.must(s.rec.Settle(t.Context()))
	if a, b := len(first.Calls()), len(second.Calls()); a != 3 || b != 2 {
		t.Errorf("%d and %d calls, want 3 and 2", a, b)
	}
}

func TestReadsAreAddedToBlobs(t *testing.T) {
	s := at(t, onBlobs(ReadAdded))
	s.upload(s.objects, "x/2 ä", "1", nil)
	s.want("recorded", s.seen(), "read held, write held")
}

func TestWidenedQueriesFindOtherRows(t *testing.T) {
	s := at(t, onRows(Widened))
	s.want("rows", s.list(s.rows, "PartitionKey eq 'a'"), "a/1/1 b/1/1")
	s.want("recorded", s.seen(), "partition query Rows")
	s.want("a row", s.n(s.rows, "a", "1"), "1")
	_, err := s.directly.AddEntity(t.Context(), row("a", "2", "1"), nil)
	s.must(err)
	s.want("another filter", s.list(s.rows, "PartitionKey eq 'a' and RowKey eq '1'"), "a/1/1 a/2/1 b/1/1")
}

// The prefix is signed too.
func TestWidenedListsFindOtherBlobs(t *testing.T) {
	s := at(t, onBlobs(Widened))
	prefix := "y/"
	s.upload(s.directlyFromBlob, "y/1", "1", nil)
	var names []string
	options := &container.ListBlobsFlatOptions{Prefix: &prefix}
	for pager := s.objects.NewListBlobsFlatPager(held, options); pager.More(); {
		page, err := pager.NextPage(t.Context())
		s.must(err)
		for _, item := range page.Segment.BlobItems {
			names = append(names, *item.Name)
		}
	}
	if !slices.Equal(names, []string{"x/1", "y/1"}) {
		t.Errorf("found %q", names)
	}
}

func TestStaleReadsMissTheLastWriteOnly(t *testing.T) {
	s := at(t, onRows(Stale))
	_, err := s.rows.AddEntity(t.Context(), row("a", "2", "1"), nil)
	s.must(err)
	s.want("the new row", s.n(s.rows, "a", "2"), "")
	s.want("the list", s.list(s.rows, "PartitionKey eq 'a'"), "a/1/1")
	_, err = s.rows.UpsertEntity(t.Context(), row("a", "1", "2"), nil)
	s.must(err)
	s.want("the changed row", s.n(s.rows, "a", "1"), "1")
	s.want("the list after it", s.list(s.rows, ""), "a/1/1 a/2/1 b/1/1")
	_, err = s.rows.DeleteEntity(t.Context(), "a", "1", nil)
	s.must(err)
	s.want("the deleted row", s.n(s.rows, "a", "1"), "2")
	_, err = s.rows.AddEntity(t.Context(), row("a", "2", "9"), nil) // which is there
	if status(err) != http.StatusConflict {
		t.Errorf("a second insert: %v", err)
	}
	s.want("the deleted row after a write that failed", s.n(s.rows, "a", "1"), "2")
	s.renew()
	s.want("in the next scenario", s.n(s.rows, "a", "1"), "")
	s.want("recorded", s.seen(), "insert Rows, point read Rows, partition query Rows, upsert Rows, point read Rows, "+
		"table scan Rows, delete Rows, point read Rows, insert Rows, point read Rows, point read Rows")
}

func TestStaleReadsOfATransaction(t *testing.T) {
	s := at(t, onRows(Stale))
	_, err := s.rows.SubmitTransaction(t.Context(), []aztables.TransactionAction{
		{ActionType: aztables.TransactionTypeAdd, Entity: row("a", "2", "1")},
		{ActionType: aztables.TransactionTypeInsertReplace, Entity: row("a", "1", "2")}}, nil)
	s.must(err)
	s.want("the list", s.list(s.rows, ""), "a/1/1 b/1/1")
}

func TestStaleReadsOfBlobs(t *testing.T) {
	s := at(t, onBlobs(Stale))
	s.upload(s.objects, "x/1", "2", nil)
	s.want("the changed blob", s.blob(s.objects, "x/1"), "1")
	s.upload(s.objects, "x/2", "1", nil)
	s.want("the new blob", s.blob(s.objects, "x/2"), "")
	s.want("the one before", s.blob(s.objects, "x/1"), "2")
}

func TestRepeatedWritesAreMadeTwice(t *testing.T) {
	s := at(t, onRows(Repeated))
	_, err := s.rows.AddEntity(t.Context(), row("a", "2", "1"), nil)
	s.must(err) // the second is refused, unnoticed
	_, err = s.rows.UpsertEntity(t.Context(), row("a", "2", "2"), nil)
	s.must(err)
	s.want("a row", s.n(s.rows, "a", "2"), "2")
	s.want("recorded", s.seen(), "insert Rows, insert Rows, upsert Rows, upsert Rows, point read Rows")
	b := at(t, onBlobs(Repeated))
	b.upload(b.objects, "x/2", "1", nil)
	b.want("recorded of a blob", b.seen(), "write held, write held")
}
