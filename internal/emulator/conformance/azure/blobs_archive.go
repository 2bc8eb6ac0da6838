package azure

import (
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

// archived puts a block blob into the archive tier.
func (p *blobProbe) archived(name string) *blockblob.Client {
	b := p.put(name, "x")
	_, err := b.SetTier(p.Context(), blob.AccessTierArchive, nil)
	p.OK(err)
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
			_, err := b.DownloadStream(p.Context(), nil)
			p.code(err, 409, "BlobArchived")
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
			res, err := b.CreateSnapshot(p.Context(), nil)
			p.OK(err)
			snapshot, err := b.WithSnapshot(*res.Snapshot)
			p.OK(err)
			_, err = snapshot.SetTier(p.Context(), blob.AccessTierArchive, nil)
			p.OK(err)
			_, err = snapshot.SetTier(p.Context(), blob.AccessTierCool, nil)
			p.code(err, 409, "BlobOperationNotSupported")
		}},
		{"a copy takes a blob out of the archive", CopiesOutOfArchive, func(p *blobProbe) {
			src := p.archived("src")
			dst := p.container.NewBlockBlobClient("dst")
			_, err := dst.StartCopyFromURL(p.Context(), src.URL(),
				&blob.StartCopyFromURLOptions{Tier: to.Ptr(blob.AccessTierHot),
					RehydratePriority: to.Ptr(blob.RehydratePriorityHigh)})
			p.OK(err)
			r := p.answers(p.raw("HEAD", "/dst", ""), 200, "")
			equal(p, "tier", r.header.Get("x-ms-access-tier"), "Archive")
			equal(p, "status", r.header.Get("x-ms-archive-status"), "rehydrate-pending-to-hot")
			equal(p, "priority", r.header.Get("x-ms-rehydrate-priority"), "High")
			props, err := src.GetProperties(p.Context(), nil)
			p.OK(err)
			value(p, "tier of the source", props.AccessTier, "Archive")
		}},
		{"a copy of an archived blob needs a tier", nil, func(p *blobProbe) {
			src := p.archived("src")
			_, err := src.StartCopyFromURL(p.Context(), src.URL(), nil)
			p.code(err, 409, "BlobArchived")
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
			_, err := b.SetTier(p.Context(), blob.AccessTierCool, nil)
			p.OK(err)
			r = p.answers(p.raw("GET", "/b", ""), 200, "")
			equal(p, "tier", r.header.Get("x-ms-access-tier"), "Cool")
			if r.header.Get("x-ms-access-tier-change-time") == "" {
				p.Fatalf("no x-ms-access-tier-change-time")
			}
		}},
		{"a snapshot has no lease", SnapshotsHaveNoLease, func(p *blobProbe) {
			res, err := p.put("b", "x").CreateSnapshot(p.Context(), nil)
			p.OK(err)
			r := p.answers(p.raw("HEAD", "/b?snapshot="+*res.Snapshot, ""), 200, "")
			equal(p, "state", r.header.Get("x-ms-lease-state"), "")
			equal(p, "status", r.header.Get("x-ms-lease-status"), "")
			l := p.list("&include=snapshots")
			equal(p, "state of the snapshot", l.Blobs[0].LeaseState, "")
			equal(p, "state of the blob", l.Blobs[1].LeaseState, "available")
		}},
	}
}
