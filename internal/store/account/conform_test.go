package account

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/conform"
)

func TestAzuriteConforms(t *testing.T) {
	needNode(t)
	s := openStore(t, store.Options{Name: "azurite", Lanes: 2, Cold: 1})
	if got, want := s.Version(), "Azurite "+azuriteVersion; got != want {
		t.Errorf("version %q, want %q", got, want)
	}
	conformAll(t, s, 2)
	conform.RunLanes(t, s, harness(s, 2))
}

func TestEmbeddedConforms(t *testing.T) {
	s := openStore(t, store.Options{Name: "embedded", Lanes: 2, Cold: 1})
	if got := s.Version(); !strings.HasPrefix(got, "embedded ") {
		t.Errorf("version %q", got)
	}
	conformAll(t, s, 2)
	conform.RunLanes(t, s, harness(s, 2))
}

func TestContainerConforms(t *testing.T) {
	needDocker(t)
	s := openStore(t, store.Options{Name: "container", Lanes: 2, Cold: 1})
	if got, want := s.Version(), "Azurite "+azuriteVersion; got != want {
		t.Errorf("version %q, want %q", got, want)
	}
	conformAll(t, s, 2)
	conform.RunLanes(t, s, harness(s, 2))
}

func harness(s store.Store, lanes int) conform.Harness {
	return conform.Harness{Lanes: lanes, Snapshots: s.Name() == "embedded", Key: []string{"p"},
		Resource: func(*store.Lease) string { return "things" },
		Closed: func(t *testing.T, l *store.Lease) {
			_, err := newClients(t, l.Direct()["connection"], nil).tables.NewListTablesPager(nil).NextPage(t.Context())
			if err == nil || status(err) != 0 {
				t.Errorf("a closed store answers: %v", err)
			}
		}}
}

// conformAll is what holds for every store, with one lease at a time.
func conformAll(t *testing.T, s store.Store, lanes int) {
	t.Run("entities with awkward keys", func(t *testing.T) {
		l := mustLease(t, s)
		defer l.Release()
		exerciseTables(t, gateway(t, l))
	})
	t.Run("transaction", func(t *testing.T) {
		l := mustLease(t, s)
		defer l.Release()
		exerciseTransaction(t, gateway(t, l))
	})
	t.Run("blobs with awkward names", func(t *testing.T) {
		l := mustLease(t, s)
		defer l.Release()
		exerciseBlobs(t, gateway(t, l))
	})
	t.Run("wrong key", func(t *testing.T) { refusesWrongKey(t, s) })
	t.Run("cleaning", func(t *testing.T) { cleans(t, s) })
	conform.Run(t, s, harness(s, lanes))
}

func exerciseTables(t *testing.T, c clients) {
	ctx := t.Context()
	createTable(t, c, "awkward")
	table := c.tables.NewClient("awkward")
	for _, key := range awkwardKeys() {
		entity := func(value string) []byte {
			data, err := json.Marshal(map[string]any{"PartitionKey": key, "RowKey": key, "Value": value, "Other" +
				value: true})
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		if _, err := table.AddEntity(ctx, entity("1"), nil); err != nil {
			t.Fatalf("insert %q: %v", key, err)
		}
		if _, err := table.UpsertEntity(ctx, entity("2"),
			&aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace}); err != nil {
			t.Fatalf("upsert %q: %v", key, err)
		}
		if _, err := table.UpdateEntity(ctx, entity("3"),
			&aztables.UpdateEntityOptions{UpdateMode: aztables.UpdateModeMerge}); err != nil {
			t.Fatalf("merge %q: %v", key, err)
		}
		got, err := table.GetEntity(ctx, key, key, nil)
		if err != nil {
			t.Fatalf("get %q: %v", key, err)
		}
		if !bytes.Contains(got.Value, []byte(`"Value":"3"`)) || !bytes.Contains(got.Value, []byte(`"Other2":true`)) ||
			bytes.Contains(got.Value, []byte("Other1")) {
			t.Errorf("get %q after insert, replace and merge: %s", key, got.Value)
		}
		filter := fmt.Sprintf("PartitionKey eq '%s' and RowKey ge '%[1]s'", strings.ReplaceAll(key, "'", "''"))
		if rows := query(t, table, filter); rows != 1 {
			t.Errorf("query %s: %d rows, want 1", filter, rows)
		}
	}
	if rows := query(t, table, ""); rows != len(awkwardKeys()) {
		t.Errorf("all rows: %d, want %d", rows, len(awkwardKeys()))
	}
	for _, key := range awkwardKeys() {
		if _, err := table.DeleteEntity(ctx, key, key, nil); err != nil {
			t.Errorf("delete %q: %v", key, err)
		}
	}
	if rows := query(t, table, ""); rows != 0 {
		t.Errorf("%d rows are left", rows)
	}
}

func exerciseTransaction(t *testing.T, c clients) {
	createTable(t, c, "transactions")
	table := c.tables.NewClient("transactions")
	var actions []aztables.TransactionAction
	for _, key := range awkwardKeys() {
		// Inserts only, and no EDMEntity: the SDK does not escape the quotes of a key that is in
		// the address of a transaction's part, and doubles those in an EDMEntity.
		entity, err := json.Marshal(map[string]string{"PartitionKey": "it's one", "RowKey": key,
			"Text": "POST /x HTTP/1.1"})
		if err != nil {
			t.Fatal(err)
		}
		actions = append(actions, aztables.TransactionAction{ActionType: aztables.TransactionTypeAdd, Entity: entity})
	}
	if _, err := table.SubmitTransaction(t.Context(), actions, nil); err != nil {
		t.Fatal(err)
	}
	for _, key := range awkwardKeys() {
		if _, err := table.GetEntity(t.Context(), "it's one", key, nil); err != nil {
			t.Errorf("get %q: %v", key, err)
		}
	}
	if _, err := table.SubmitTransaction(t.Context(), actions, nil); err == nil {
		t.Error("a transaction inserted rows that were there")
	}
}

func exerciseBlobs(t *testing.T, c clients) {
	ctx := t.Context()
	createContainer(t, c, "awkward")
	for i, name := range awkwardBlobs() {
		content := []byte(fmt.Sprintf("content %d", i))
		if i == 0 {
			content = nil // Content-Length: 0
		}
		if _, err := c.blobs.UploadBuffer(ctx, "awkward", name, content, nil); err != nil {
			t.Fatalf("put %q: %v", name, err)
		}
		got, err := c.blobs.DownloadStream(ctx, "awkward", name, nil)
		if err != nil {
			t.Fatalf("get %q: %v", name, err)
		}
		if data, err := io.ReadAll(got.Body); err != nil || !bytes.Equal(data, content) {
			t.Errorf("get %q: %q, %v", name, data, err)
		}
		b := c.blobs.ServiceClient().NewContainerClient("awkward").NewBlobClient(name)
		if _, err := b.SetMetadata(ctx, map[string]*string{"a_b": to.Ptr("1"), "ab1": to.Ptr("2"), "A_c": to.Ptr("3")},
			nil); err != nil {
			t.Errorf("set metadata %q: %v", name, err)
		}
		if head, err := b.GetProperties(ctx, nil); err != nil || *head.ContentLength != int64(len(content)) {
			t.Errorf("head %q: %v", name, err)
		}
	}
	if got, want := blobNames(t, c, "awkward"), slices.Sorted(slices.Values(awkwardBlobs())); !slices.Equal(got, want) {
		t.Errorf("listed %q\nwant %q", got, want)
	}
	for _, name := range awkwardBlobs() {
		if _, err := c.blobs.DeleteBlob(ctx, "awkward", name, nil); err != nil {
			t.Errorf("delete %q: %v", name, err)
		}
	}
	if got := blobNames(t, c, "awkward"); len(got) > 0 {
		t.Errorf("left: %q", got)
	}
}

func refusesWrongKey(t *testing.T, s store.Store) {
	l := mustLease(t, s)
	defer l.Release()
	c := gateway(t, store.NewLease(&store.Namespace{Upstream: l.Upstream(),
		Values: namespace(l.Direct()["account"], strings.Repeat("AAAA", 21)+"AAA=", "", nil, "").Values}, func() {}))
	if _, err := c.tables.NewListTablesPager(nil).NextPage(t.Context()); status(err) != http.StatusForbidden {
		t.Errorf("list tables: %v, want status 403", err)
	}
	if _, err := c.blobs.NewListContainersPager(nil).NextPage(t.Context()); status(err) != http.StatusForbidden {
		t.Errorf("list containers: %v, want status 403", err)
	}
}

// cleans fills a namespace with what makes cleaning hard and leases it again.
func cleans(t *testing.T, s store.Store) {
	const rows = 1100 // more than one page
	ctx := t.Context()
	l := mustLease(t, s)
	defer l.Release()
	c := newClients(t, l.Direct()["connection"], nil)
	createTable(t, c, "many")
	fill(t, c.tables.NewClient("many"), rows)
	createTable(t, c, "awkward")
	for _, key := range append(awkwardKeys(), "") {
		entity, err := json.Marshal(aztables.Entity{PartitionKey: key, RowKey: key})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.tables.NewClient("awkward").AddEntity(ctx, entity, nil); err != nil &&
			status(err) != http.StatusConflict {
			t.Fatalf("insert %q: %v", key, err)
		}
	}
	// One partition of rows whose keys need care, so that they are deleted by a transaction.
	for _, key := range awkwardKeys() {
		entity, err := json.Marshal(aztables.Entity{PartitionKey: "it's", RowKey: "x" + key})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.tables.NewClient("awkward").AddEntity(ctx, entity, nil); err != nil {
			t.Fatalf("insert %q: %v", key, err)
		}
	}
	createContainer(t, c, "blobs")
	for _, name := range awkwardBlobs() {
		if _, err := c.blobs.UploadBuffer(ctx, "blobs", name, []byte("x"), nil); err != nil {
			t.Fatal(err)
		}
	}
	held := c.blobs.ServiceClient().NewContainerClient("blobs").NewBlobClient("plain")
	if _, err := held.CreateSnapshot(ctx, nil); err != nil {
		t.Fatal(err)
	}
	holder, err := lease.NewBlobClient(held, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := holder.AcquireLease(ctx, -1, nil); err != nil {
		t.Fatal(err)
	}
	l.Release()

	again := leaseOf(t, s, l.Direct()["account"])
	defer again.Release()
	c = newClients(t, again.Direct()["connection"], nil)
	for _, name := range []string{"many", "awkward"} {
		if n := query(t, c.tables.NewClient(name), ""); n != 0 {
			t.Errorf("table %s has %d rows after cleaning", name, n)
		}
	}
	if left := blobNames(t, c, "blobs"); len(left) > 0 {
		t.Errorf("blobs after cleaning: %q", left)
	}
}

// fill adds rows to two partitions, in transactions.
func fill(t *testing.T, table *aztables.Client, rows int) {
	t.Helper()
	for from := 0; from < rows; from += maxTransaction {
		var actions []aztables.TransactionAction
		for i := from; i < min(from+maxTransaction, rows); i++ {
			entity, err := json.Marshal(aztables.Entity{PartitionKey: fmt.Sprint("p", from/maxTransaction%2),
				RowKey: fmt.Sprintf("%05d", i)})
			if err != nil {
				t.Fatal(err)
			}
			actions = append(actions,
				aztables.TransactionAction{ActionType: aztables.TransactionTypeInsertReplace, Entity: entity})
		}
		if _, err := table.SubmitTransaction(t.Context(), actions, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// leaseOf leases until it has the given account; the others are released at the end.
func leaseOf(t *testing.T, s store.Store, account string) *store.Lease {
	t.Helper()
	for {
		l := mustLease(t, s)
		if l.Direct()["account"] == account {
			return l
		}
		t.Cleanup(l.Release)
	}
}
