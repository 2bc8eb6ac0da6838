package azure

import (
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
)

// deletesByOperation is the table of what soft delete does, by operation.
const deletesByOperation = azureDocs + "soft-delete-blob-overview#blob-soft-delete-protection-by-operation"

// What Azure does with blobs that others replace, when the account is set to keep them.
var (
	KeepsOverwritten = documented("kept as a soft-deleted snapshot", azureDocs+"soft-delete-blob-overview")
	KeepsNoChanges   = documented("metadata, properties, a tier, tags and appended blocks leave no deleted snapshot",
		deletesByOperation)
	LosesArchived = documented("gone for good, without a deleted snapshot",
		azureDocs+"soft-delete-blob-overview#how-overwrites-are-handled-when-soft-delete-is-enabled")
	KeepsReplacedDeletedBlobs = documented("a soft-deleted blob that is replaced becomes a soft-deleted snapshot",
		azureDocs+"soft-delete-blob-overview")
	LosesOtherTypes       = documented("all that was soft-deleted of the blob is gone", deletesByOperation)
	DeletedSnapshotsCount = documented("409 SnapshotsPresent",
		"https://github.com/microsoft/AzureStorageExplorer/issues/486")
)

// blobOverwritten are blobs that others replace.
func blobOverwritten() []blobCase {
	return []blobCase{
		{"what is overwritten is kept as a deleted snapshot", KeepsOverwritten, kept(func(p *blobProbe) {
			b := p.put("b", "one")
			p.put("b", "two")
			p.works(b.StageBlock(p.Context(), id("1"), seekable("three"), nil))
			p.works(b.CommitBlockList(p.Context(), []string{id("1")}, nil))
			p.works(b.StartCopyFromURL(p.Context(), p.put("c", "four").URL(), nil))
			equal(p, "snapshots", p.shown("snapshots"), "b c")
			equal(p, "deleted without their snapshots", p.shown("deleted"), "b c")
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b@- b@- b@- b c")
			l := p.list("&include=deleted,snapshots")
			p.answers(p.raw("GET", "/b?snapshot="+l.Blobs[0].Snapshot, ""), 404, "BlobNotFound")
			p.undelete("b")
			p.holds(b, "four")
			for i, want := range []string{"one", "two", "three"} {
				equal(p, "content", p.answers(p.raw("GET", "/b?snapshot="+l.Blobs[i].Snapshot, ""), 200, "").body, want)
			}
		})},
		{"what changes a blob in place keeps nothing", KeepsNoChanges, kept(func(p *blobProbe) {
			b := p.put("b", "x")
			p.put("b", "y") // shows that something would be kept
			p.works(b.SetMetadata(p.Context(), map[string]*string{"a": to.Ptr("1")}, nil))
			p.works(b.SetHTTPHeaders(p.Context(), blob.HTTPHeaders{BlobContentType: to.Ptr("text/x")}, nil))
			p.works(b.SetTier(p.Context(), blob.AccessTierCool, nil))
			p.works(b.SetTags(p.Context(), map[string]string{"a": "1"}, nil))
			a := p.container.NewAppendBlobClient("l")
			p.works(a.Create(p.Context(), nil))
			p.works(a.AppendBlock(p.Context(), seekable("x"), nil))
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b@- b l")
		})},
		{"an archived blob that is overwritten is gone", LosesArchived, kept(func(p *blobProbe) {
			p.put("b", "x")
			p.put("b", "y")
			p.archived("b")
			p.put("b", "z")
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b@- b@- b") // of "x", and of "y"
		})},
	}
}

// blobReplaced are deleted blobs that new ones replace.
func blobReplaced() []blobCase {
	return []blobCase{
		{"a deleted blob that is replaced", KeepsReplacedDeletedBlobs, kept(func(p *blobProbe) {
			p.put("b", "x")
			p.answers(p.raw("DELETE", "/b", ""), 202, "")
			b := p.put("b", "y")
			equal(p, "deleted", p.shown("deleted"), "b")
			l := p.list("&include=deleted,snapshots")
			equal(p, "deleted snapshots", l.shown(), "b@- b")
			p.undelete("b")
			p.holds(b, "y")
			equal(p, "content", p.answers(p.raw("GET", "/b?snapshot="+l.Blobs[0].Snapshot, ""), 200, "").body, "x")
		})},
		{"a deleted blob, and a block for a new one", KeepsReplacedDeletedBlobs, kept(func(p *blobProbe) {
			b := p.put("b", "x")
			p.answers(p.raw("DELETE", "/b", ""), 202, "")
			p.works(b.StageBlock(p.Context(), id("1"), seekable("y"), nil))
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b@-")
			p.works(b.CommitBlockList(p.Context(), []string{id("1")}, nil))
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b@- b")
		})},
		{"a deleted blob that is replaced by one of another type", LosesOtherTypes, kept(func(p *blobProbe) {
			p.put("b", "w")
			p.put("b", "x")
			p.answers(p.raw("DELETE", "/b", ""), 202, "")
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b@- b-")
			p.works(p.container.NewAppendBlobClient("b").Create(p.Context(), nil))
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b")
		})},
		{"deleted snapshots of a blob when soft delete is off", DeletedSnapshotsCount, func(p *blobProbe) {
			off := p.keep(false)
			defer off() // also if the case fails before
			p.put("b", "x")
			p.put("b", "y")
			off()
			p.answers(p.raw("DELETE", "/b", ""), 409, "SnapshotsPresent")
			p.answers(p.raw("DELETE", "/b", "", "x-ms-delete-snapshots: include"), 202, "")
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "")
		}},
	}
}
