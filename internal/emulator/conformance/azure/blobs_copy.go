package azure

import (
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
)

// readable is a blob's address with a signature to read it.
func (p *blobProbe) readable(b *blockblob.Client) string {
	url := result(b.GetSASURL(sas.BlobPermissions{Read: true}, time.Now().Add(time.Hour), nil))(p)
	return url
}

// blobCopies are copies that the service makes on its own.
func blobCopies() []blobCase {
	return []blobCase{
		{"copy within the account", nil, func(p *blobProbe) {
			src := p.container.NewBlockBlobClient("src")
			p.works(src.Upload(p.Context(), seekable("x"),
				&blockblob.UploadOptions{Metadata: map[string]*string{"a": to.Ptr("1")},
					HTTPHeaders: &blob.HTTPHeaders{BlobContentType: to.Ptr("text/plain")}}))
			dst := p.container.NewBlockBlobClient("dst")
			res := result(dst.StartCopyFromURL(p.Context(), src.URL(), nil))(p)
			value(p, "status", res.CopyStatus, blob.CopyStatusTypeSuccess)
			p.holds(dst, "x")
			props := result(dst.GetProperties(p.Context(), nil))(p)
			value(p, "metadata", props.Metadata["A"], "1")
			value(p, "content type", props.ContentType, "text/plain")
			value(p, "copy status", props.CopyStatus, blob.CopyStatusTypeSuccess)
			value(p, "progress", props.CopyProgress, "1/1")
			value(p, "copy id", props.CopyID, *res.CopyID)
			p.put("src", "y")
			p.holds(dst, "x")
		}},
		{"copy with metadata of its own", nil, func(p *blobProbe) {
			src := p.put("src", "x")
			dst := p.container.NewBlockBlobClient("dst")
			p.works(dst.StartCopyFromURL(p.Context(), src.URL(),
				&blob.StartCopyFromURLOptions{Metadata: map[string]*string{"b": to.Ptr("2")}}))
			props := result(dst.GetProperties(p.Context(), nil))(p)
			value(p, "metadata", props.Metadata["B"], "2")
		}},
		{"a missing source", NamesMissingCopySource, func(p *blobProbe) {
			dst := p.container.NewBlockBlobClient("dst")
			p.fails(404, "CannotVerifyCopySource")(
				dst.StartCopyFromURL(p.Context(), p.container.NewBlockBlobClient("none").URL(), nil))
			p.fails(404, "BlobNotFound")(dst.GetProperties(p.Context(), nil))
		}},
		{"conditions of a copy", NamesSourceConditions, func(p *blobProbe) {
			src, dst := p.put("src", "x"), p.put("dst", "y")
			other := &blob.SourceModifiedAccessConditions{SourceIfMatch: to.Ptr(foreignETag)}
			p.fails(412, "SourceConditionNotMet")(dst.StartCopyFromURL(p.Context(), src.URL(),
				&blob.StartCopyFromURLOptions{SourceModifiedAccessConditions: other}))
			p.fails(412, "ConditionNotMet")(dst.StartCopyFromURL(p.Context(), src.URL(),
				&blob.StartCopyFromURLOptions{AccessConditions: ifMatch(foreignETag)}))
		}},
		{"copying onto a lease of limited duration", CopyNeedsInfiniteLease, func(p *blobProbe) {
			src, dst := p.put("src", "x"), p.put("dst", "y")
			l := result(lease.NewBlobClient(dst, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseOne)}))(p)
			p.works(l.AcquireLease(p.Context(), 15, nil))
			p.fails(412, "InfiniteLeaseDurationRequired")(dst.StartCopyFromURL(p.Context(), src.URL(),
				&blob.StartCopyFromURLOptions{AccessConditions: holding(leaseOne)}))
		}},
	}
}

// blobSources are copies from an address, done when they are answered, and copies that are aborted.
func blobSources() []blobCase {
	return []blobCase{
		{"copy at once from an address", nil, func(p *blobProbe) {
			src := p.put("src", "x")
			dst := p.container.NewBlockBlobClient("dst")
			res := result(dst.CopyFromURL(p.Context(), p.readable(src), nil))(p)
			value(p, "status", res.CopyStatus, "success")
			p.holds(dst, "x")
		}},
		{"put a blob from an address", PutsBlobsFromURL, func(p *blobProbe) {
			src := p.put("src", "content")
			dst := p.container.NewBlockBlobClient("dst")
			p.works(dst.UploadBlobFromURL(p.Context(), p.readable(src), nil))
			p.holds(dst, "content")
		}},
		{"put a block from an address", PutsBlocksFromURL, func(p *blobProbe) {
			src := p.put("src", "content")
			dst := p.container.NewBlockBlobClient("dst")
			p.works(dst.StageBlockFromURL(p.Context(), id("1"), p.readable(src),
				&blockblob.StageBlockFromURLOptions{Range: blob.HTTPRange{Offset: 3, Count: 2}}))
			p.commit(dst, "1")
			p.holds(dst, "te")
		}},
		{"a source without a signature", ChecksCopySource, func(p *blobProbe) {
			src := p.put("src", "x")
			_, err := p.container.NewBlockBlobClient("dst").CopyFromURL(p.Context(), src.URL(), nil)
			if !bloberror.HasCode(err, bloberror.CannotVerifyCopySource) {
				p.Fatalf("error %v", err)
			}
		}},
		{"a source that has not changed", NamesUnchangedSource, func(p *blobProbe) {
			src, dst := p.put("src", "x"), p.container.NewBlockBlobClient("dst")
			props := result(src.GetProperties(p.Context(), nil))(p)
			same := &blob.SourceModifiedAccessConditions{SourceIfNoneMatch: props.ETag}
			p.fails(304, "CannotVerifyCopySource")(dst.UploadBlobFromURL(p.Context(), p.readable(src),
				&blockblob.UploadBlobFromURLOptions{SourceModifiedAccessConditions: same}))
		}},
		{"abort a copy that is done", nil, func(p *blobProbe) {
			src := p.put("src", "x")
			dst := p.container.NewBlockBlobClient("dst")
			res := result(dst.StartCopyFromURL(p.Context(), src.URL(), nil))(p)
			p.fails(409, "NoPendingCopyOperation")(dst.AbortCopyFromURL(p.Context(), *res.CopyID, nil))
		}},
		{"abort with an invalid id", NamesBadCopyIDs, func(p *blobProbe) {
			b := p.put("b", "x")
			p.fails(400, "InvalidQueryParameterValue")(b.AbortCopyFromURL(p.Context(), "copynotstarted", nil))
		}},
	}
}
