package account

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"

	"github.com/storespec/storespec/internal/store"
)

// content lists the entities of table T, with their ETags and Timestamps, and the blobs of container c
// with theirs and their content.
func content(t *testing.T, c clients) (list []string) {
	t.Helper()
	pager := c.tables.NewClient("T00").NewListEntitiesPager(nil)
	for pager.More() {
		page, err := pager.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, entity := range page.Entities {
			list = append(list, string(entity))
		}
	}
	for _, name := range blobNames(t, c, "con") {
		answer, err := c.blobs.DownloadStream(t.Context(), "con", name, nil)
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		if _, err := body.ReadFrom(answer.Body); err != nil {
			t.Fatal(err)
		}
		if body.Len() > 100 {
			body.Truncate(100)
		}
		list = append(list, fmt.Sprint(name, *answer.ETag, *answer.LastModified, *answer.ContentLength, body.String()))
	}
	return list
}

// furnish puts three entities, and blobs of each way in which bodies are stored: inline, rows, a file.
func furnish(t *testing.T, c clients) {
	t.Helper()
	createTable(t, c, "T00")
	createContainer(t, c, "con")
	for _, row := range []string{"1", "2", "it's"} {
		upsert(t, c, row, "first")
	}
	for name, size := range map[string]int{"inline": 10, "row": 100 << 10, "file": 2 << 20} {
		upload(t, c, name, strings.Repeat(name[:1], size))
	}
}

func upsert(t *testing.T, c clients, row, value string) {
	t.Helper()
	entity := fmt.Appendf(nil, `{"PartitionKey":"p","RowKey":%q,"V":%q}`, row, value)
	if _, err := c.tables.NewClient("T00").UpsertEntity(t.Context(), entity, nil); err != nil {
		t.Error(err)
	}
}

func upload(t *testing.T, c clients, name, body string) {
	t.Helper()
	if _, err := c.blobs.UploadBuffer(t.Context(), "con", name, []byte(body), nil); err != nil {
		t.Error(err)
	}
}

// change overwrites, deletes and adds.
func change(t *testing.T, c clients, turn int) {
	t.Helper()
	upsert(t, c, "1", fmt.Sprint("changed ", turn))
	upsert(t, c, fmt.Sprint("new", turn), "new")
	if _, err := c.tables.NewClient("T00").DeleteEntity(t.Context(), "p", "2", nil); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"file", "row"} {
		if _, err := c.blobs.DeleteBlob(t.Context(), "con", name, nil); err != nil {
			t.Error(err)
		}
	}
	upload(t, c, "inline", "changed")
	upload(t, c, fmt.Sprint("new", turn), "new")
	createTable(t, c, fmt.Sprint("Later", turn))
}

// While one lane is restored a hundred times, which brings back all of it with the same ETags, another
// one keeps what is written to it.
func TestRestoreALane(t *testing.T) {
	s := openStore(t, store.Options{Name: "embedded", Lanes: 2})
	l, other := mustLease(t, s), mustLease(t, s)
	defer l.Release()
	defer other.Release()
	restored, free := newClients(t, l.Direct()["connection"], l.Transport()),
		newClients(t, other.Direct()["connection"], other.Transport())
	furnish(t, restored)
	furnish(t, free)
	want := content(t, restored)
	restore, err := l.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const turns = 100
	var writer sync.WaitGroup
	defer writer.Wait()
	writer.Go(func() {
		for i := range turns {
			upsert(t, free, fmt.Sprint("kept", i), "kept")
		}
	})
	for i := range turns {
		change(t, restored, i)
		if err := restore(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := content(t, restored); !slices.Equal(got, want) {
			t.Fatalf("after restore %d:\n%s\nwant\n%s", i, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	writer.Wait()
	if n := query(t, free.tables.NewClient("T00"), ""); n != turns+3 {
		t.Errorf("the other lane has %d entities, want %d", n, turns+3)
	}
	// An ETag read before the snapshot was taken is still good for a conditional write.
	got, err := restored.tables.NewClient("T00").GetEntity(t.Context(), "p", "1", nil)
	if err != nil {
		t.Fatal(err)
	}
	etag := got.ETag
	if err := restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = restored.tables.NewClient("T00").UpdateEntity(t.Context(), []byte(`{"PartitionKey":"p","RowKey":"1"}`),
		&aztables.UpdateEntityOptions{IfMatch: &etag, UpdateMode: aztables.UpdateModeReplace})
	if err != nil {
		t.Errorf("a conditional write after a restore: %v", err)
	}
}

// Uncommitted blocks are restored too, and can then be committed.
func TestRestoreUncommittedBlocks(t *testing.T) {
	s := openStore(t, store.Options{Name: "embedded", Lanes: 1})
	l := mustLease(t, s)
	defer l.Release()
	c := newClients(t, l.Direct()["connection"], l.Transport())
	createContainer(t, c, "con")
	staged := c.blobs.ServiceClient().NewContainerClient("con").NewBlockBlobClient("staged")
	const id = "AAAA"
	if _, err := staged.StageBlock(t.Context(), id, readSeekCloser{bytes.NewReader([]byte("block"))}, nil); err != nil {
		t.Fatal(err)
	}
	restore, err := l.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := staged.CommitBlockList(t.Context(), []string{id}, nil); err != nil {
			t.Fatal(err)
		}
		if err := restore(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := staged.GetProperties(t.Context(), &blob.GetPropertiesOptions{}); status(err) != 404 {
		t.Errorf("the blob that is not committed any more: %v", err)
	}
}

type readSeekCloser struct{ *bytes.Reader }

func (readSeekCloser) Close() error { return nil }

// Clean and Release discard what was taken, so that nothing can bring it into the next scenario.
func TestSnapshotsEndWithTheirLease(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	s := openStore(t, store.Options{Name: "embedded", Lanes: 1})
	for name, end := range map[string]func(*store.Lease) error{
		"clean":   func(l *store.Lease) error { return l.Clean(t.Context()) },
		"release": func(l *store.Lease) error { l.Release(); return nil },
	} {
		l := mustLease(t, s)
		furnish(t, newClients(t, l.Direct()["connection"], l.Transport()))
		restore, err := l.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := end(l); err != nil {
			t.Fatal(err)
		}
		if err := restore(t.Context()); err == nil {
			t.Errorf("%s: the snapshot can still be restored", name)
		}
		if left, _ := filepath.Glob(filepath.Join(temp, "*", "snapshot-*")); len(left) > 0 {
			t.Errorf("%s: left %q", name, left)
		}
		l.Release()
	}
	if left, _ := os.ReadDir(temp); len(left) > 1 {
		t.Errorf("there are %d directories, want that of the large bodies", len(left))
	}
}

func TestStoresWithoutSnapshotsSaySo(t *testing.T) {
	l := store.NewLease(namespace("a", "", "", nil, ""), func() {})
	if _, err := l.Snapshot(t.Context()); !errors.Is(err, store.ErrNoSnapshots) {
		t.Errorf("snapshot: %v, want %v", err, store.ErrNoSnapshots)
	}
}
