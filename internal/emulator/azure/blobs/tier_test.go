package blobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// A blob leaves the archive after as long as Azure takes, sooner with high priority; a copy of it does too.
func TestLeavingTheArchive(t *testing.T) {
	m := start(t, engine.Options{}, true) // dates of requests would be too old
	c, ctx := m.container(t, "cont"), context.Background()
	src := c.NewBlockBlobClient("src")
	must[any](t)(src.Upload(ctx, bodyOf([]byte("x")), nil))
	must[any](t)(src.SetTier(ctx, blob.AccessTierArchive, nil))
	copied := c.NewBlockBlobClient("copied")
	must[any](t)(copied.StartCopyFromURL(ctx, src.URL(), &blob.StartCopyFromURLOptions{
		Tier: to.Ptr(blob.AccessTierCool), RehydratePriority: to.Ptr(blob.RehydratePriorityHigh)}))
	must[any](t)(src.SetTier(ctx, blob.AccessTierHot, nil))
	shows := func(b *blob.Client, tier, status string) {
		t.Helper()
		props, err := b.GetProperties(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if props.ArchiveStatus != nil {
			got = *props.ArchiveStatus
		}
		if *props.AccessTier != tier || got != status {
			t.Errorf("tier %s, status %q; want %s, %q", *props.AccessTier, got, tier, status)
		}
	}
	shows(copied.BlobClient(), "Archive", "rehydrate-pending-to-cool")
	m.advance(61 * time.Minute)
	shows(copied.BlobClient(), "Cool", "")
	must[any](t)(copied.DownloadStream(ctx, nil))
	shows(src.BlobClient(), "Archive", "rehydrate-pending-to-hot")
	_, err := src.DownloadStream(ctx, nil)
	wantCode(t, err, "BlobArchived")
	m.advance(14 * time.Hour)
	shows(src.BlobClient(), "Hot", "")
	must[any](t)(src.DownloadStream(ctx, nil))
}

// A container that is being deleted may be deleted again for as long as Azure takes, and not later.
func TestDeletingAContainerAgain(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.raw(t, "DELETE", "/cont?restype=container", "").want(t, 202, "")
	m.raw(t, "DELETE", "/cont?restype=container", "").want(t, 202, "")
	m.advance(31 * time.Second)
	m.raw(t, "DELETE", "/cont?restype=container", "").want(t, 404, "ContainerNotFound")
}
