package conformance

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
	url, err := b.GetSASURL(sas.BlobPermissions{Read: true}, time.Now().Add(time.Hour), nil)
	p.ok(err)
	return url
}

func blobCopies() []blobCase {
	return []blobCase{
		{"copy within the account", func(p *blobProbe) {
			src := p.container.NewBlockBlobClient("src")
			_, err := src.Upload(p.ctx, seekable("x"), &blockblob.UploadOptions{Metadata: map[string]*string{"a": to.Ptr("1")}, HTTPHeaders: &blob.HTTPHeaders{BlobContentType: to.Ptr("text/plain")}})
			p.ok(err)
			dst := p.container.NewBlockBlobClient("dst")
			res, err := dst.StartCopyFromURL(p.ctx, src.URL(), nil)
			p.ok(err)
			value(p, "status", res.CopyStatus, blob.CopyStatusTypeSuccess)
			p.holds(dst, "x")
			props, err := dst.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "metadata", props.Metadata["A"], "1")
			value(p, "content type", props.ContentType, "text/plain")
			value(p, "copy status", props.CopyStatus, blob.CopyStatusTypeSuccess)
			value(p, "progress", props.CopyProgress, "1/1")
			value(p, "copy id", props.CopyID, *res.CopyID)
			p.put("src", "y")
			p.holds(dst, "x")
		}},
		{"copy with metadata of its own", func(p *blobProbe) {
			src := p.put("src", "x")
			dst := p.container.NewBlockBlobClient("dst")
			_, err := dst.StartCopyFromURL(p.ctx, src.URL(), &blob.StartCopyFromURLOptions{Metadata: map[string]*string{"b": to.Ptr("2")}})
			p.ok(err)
			props, err := dst.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "metadata", props.Metadata["B"], "2")
		}},
		{"a source that is not there", func(p *blobProbe) {
			dst := p.container.NewBlockBlobClient("dst")
			_, err := dst.StartCopyFromURL(p.ctx, p.container.NewBlockBlobClient("none").URL(), nil)
			p.code(err, 404, "CannotVerifyCopySource")
			_, err = dst.GetProperties(p.ctx, nil)
			p.code(err, 404, "BlobNotFound")
		}},
		{"conditions of a copy", func(p *blobProbe) {
			src, dst := p.put("src", "x"), p.put("dst", "y")
			_, err := dst.StartCopyFromURL(p.ctx, src.URL(), &blob.StartCopyFromURLOptions{SourceModifiedAccessConditions: &blob.SourceModifiedAccessConditions{SourceIfMatch: to.Ptr(blockETag)}})
			p.code(err, 412, "SourceConditionNotMet")
			_, err = dst.StartCopyFromURL(p.ctx, src.URL(), &blob.StartCopyFromURLOptions{AccessConditions: ifMatch(blockETag)})
			p.code(err, 412, "ConditionNotMet")
		}},
		{"copying onto a lease of limited duration", func(p *blobProbe) {
			src, dst := p.put("src", "x"), p.put("dst", "y")
			l, err := lease.NewBlobClient(dst, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseOne)})
			p.ok(err)
			_, err = l.AcquireLease(p.ctx, 15, nil)
			p.ok(err)
			_, err = dst.StartCopyFromURL(p.ctx, src.URL(), &blob.StartCopyFromURLOptions{AccessConditions: holding(leaseOne)})
			p.code(err, 412, "InfiniteLeaseDurationRequired")
		}},
		{"copy at once from an address", func(p *blobProbe) {
			src := p.put("src", "x")
			dst := p.container.NewBlockBlobClient("dst")
			res, err := dst.CopyFromURL(p.ctx, p.readable(src), nil)
			p.ok(err)
			value(p, "status", res.CopyStatus, "success")
			p.holds(dst, "x")
		}},
		{"put a blob from an address", func(p *blobProbe) {
			src := p.put("src", "content")
			dst := p.container.NewBlockBlobClient("dst")
			_, err := dst.UploadBlobFromURL(p.ctx, p.readable(src), nil)
			p.ok(err)
			p.holds(dst, "content")
		}},
		{"put a block from an address", func(p *blobProbe) {
			src := p.put("src", "content")
			dst := p.container.NewBlockBlobClient("dst")
			_, err := dst.StageBlockFromURL(p.ctx, id("1"), p.readable(src), &blockblob.StageBlockFromURLOptions{Range: blob.HTTPRange{Offset: 3, Count: 2}})
			p.ok(err)
			p.commit(dst, "1")
			p.holds(dst, "te")
		}},
		{"a source without a signature", func(p *blobProbe) {
			src := p.put("src", "x")
			_, err := p.container.NewBlockBlobClient("dst").CopyFromURL(p.ctx, src.URL(), nil)
			if !bloberror.HasCode(err, bloberror.CannotVerifyCopySource) {
				p.failf("error %v", err)
			}
		}},
		{"abort a copy that is done", func(p *blobProbe) {
			src := p.put("src", "x")
			dst := p.container.NewBlockBlobClient("dst")
			res, err := dst.StartCopyFromURL(p.ctx, src.URL(), nil)
			p.ok(err)
			_, err = dst.AbortCopyFromURL(p.ctx, *res.CopyID, nil)
			p.code(err, 409, "NoPendingCopyOperation")
		}},
		{"abort with an id that is none", func(p *blobProbe) {
			b := p.put("b", "x")
			_, err := b.AbortCopyFromURL(p.ctx, "copynotstarted", nil)
			p.code(err, 400, "InvalidQueryParameterValue")
		}},
	}
}
