package azure

import (
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

// archived puts a block blob into the archive tier.
func (p *blobProbe) archived(name string) *blockblob.Client {
	b := p.put(name, "x")
	p.works(b.SetTier(p.Context(), blob.AccessTierArchive, nil))
	return b
}

// blobArchive is how blobs leave the archive tier, which takes hours.
func blobArchive() []blobCase {
	return []blobCase{
		{"leaving the archive is pending", RehydratesLater, func(p *blobProbe) {
			b := p.archived("b")
			p.answers(p.raw("PUT", "/b?comp=tier", "", "x-ms-access-tier: Cool"), 202, "")
			r := p.answers(p.raw("HEAD", "/b", ""), 200, "")
			equal(p, "tier", r.header.Get("x-ms-access-tier"), "Archive")
			equal(p, "status", r.header.Get("x-ms-archive-status"), "rehydrate-pending-to-cool")
			equal(p, "priority", r.header.Get("x-ms-rehydrate-priority"), "Standard")
			p.fails(409, "BlobArchived")(b.DownloadStream(p.Context(), nil))
			l := p.list("")
			equal(p, "status in the list", l.Blobs[0].ArchiveStatus, "rehydrate-pending-to-cool")
			equal(p, "priority in the list", l.Blobs[0].RehydratePriority, "Standard")
		}},
		{"a pending tier may be asked for again, not another one", RehydratesLater, func(p *blobProbe) {
			p.archived("b")
			p.answers(p.raw("PUT", "/b?comp=tier", "", "x-ms-access-tier: Cool"), 202, "")
			p.answers(p.raw("PUT", "/b?comp=tier", "", "x-ms-access-tier: Cool",
				"x-ms-rehydrate-priority: High"), 202, "")
			r := p.answers(p.raw("HEAD", "/b", ""), 200, "")
			equal(p, "priority", r.header.Get("x-ms-rehydrate-priority"), "High")
			p.answers(p.raw("PUT", "/b?comp=tier", "", "x-ms-access-tier: Hot"), 409, "BlobBeingRehydrated")
		}},
		{"an archived snapshot stays archived", KeepsArchivedSnapshots, func(p *blobProbe) {
			b := p.put("b", "x")
			res := result(b.CreateSnapshot(p.Context(), nil))(p)
			snapshot := result(b.WithSnapshot(*res.Snapshot))(p)
			p.works(snapshot.SetTier(p.Context(), blob.AccessTierArchive, nil))
			p.fails(409, "BlobOperationNotSupported")(snapshot.SetTier(p.Context(), blob.AccessTierCool, nil))
		}},
		{"a copy takes a blob out of the archive", CopiesOutOfArchive, func(p *blobProbe) {
			src := p.archived("src")
			dst := p.container.NewBlockBlobClient("dst")
			p.works(dst.StartCopyFromURL(p.Context(), src.URL(),
				&blob.StartCopyFromURLOptions{Tier: to.Ptr(blob.AccessTierHot),
					RehydratePriority: to.Ptr(blob.RehydratePriorityHigh)}))
			r := p.answers(p.raw("HEAD", "/dst", ""), 200, "")
			equal(p, "tier", r.header.Get("x-ms-access-tier"), "Archive")
			equal(p, "status", r.header.Get("x-ms-archive-status"), "rehydrate-pending-to-hot")
			equal(p, "priority", r.header.Get("x-ms-rehydrate-priority"), "High")
			props := result(src.GetProperties(p.Context(), nil))(p)
			value(p, "tier of the source", props.AccessTier, "Archive")
		}},
		{"a copy of an archived blob needs a tier", nil, func(p *blobProbe) {
			src := p.archived("src")
			p.fails(409, "BlobArchived")(src.StartCopyFromURL(p.Context(), src.URL(), nil))
		}},
	}
}

// blobShown is what answers show of a blob's tier and lease.
func blobShown() []blobCase {
	return []blobCase{
		{"reading shows the tier", GetShowsTier, func(p *blobProbe) {
			b := p.put("b", "x")
			r := p.answers(p.raw("GET", "/b", ""), 200, "")
			equal(p, "tier", r.header.Get("x-ms-access-tier"), "Hot")
			equal(p, "inferred", r.header.Get("x-ms-access-tier-inferred"), "true")
			p.works(b.SetTier(p.Context(), blob.AccessTierCool, nil))
			r = p.answers(p.raw("GET", "/b", ""), 200, "")
			equal(p, "tier", r.header.Get("x-ms-access-tier"), "Cool")
			if r.header.Get("x-ms-access-tier-change-time") == "" {
				p.Fatalf("no x-ms-access-tier-change-time")
			}
		}},
		{"a snapshot has no lease", SnapshotsHaveNoLease, func(p *blobProbe) {
			res := result(p.put("b", "x").CreateSnapshot(p.Context(), nil))(p)
			r := p.answers(p.raw("HEAD", "/b?snapshot="+*res.Snapshot, ""), 200, "")
			equal(p, "state", r.header.Get("x-ms-lease-state"), "")
			equal(p, "status", r.header.Get("x-ms-lease-status"), "")
			l := p.list("&include=snapshots")
			equal(p, "state of the snapshot", l.Blobs[0].LeaseState, "")
			equal(p, "state of the blob", l.Blobs[1].LeaseState, "available")
		}},
	}
}
