package azure

import (
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/appendblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
)

// blobAppends are append blobs, and blobs of another type than is asked for.
func blobAppends() []blobCase {
	return []blobCase{
		{"append blobs", nil, func(p *blobProbe) {
			b := p.container.NewAppendBlobClient("b")
			_, err := b.AppendBlock(p.Context(), seekable("x"), nil)
			p.code(err, 404, "BlobNotFound")
			_, err = b.Create(p.Context(), nil)
			p.OK(err)
			one, err := b.AppendBlock(p.Context(), seekable("one"), nil)
			p.OK(err)
			value(p, "offset", one.BlobAppendOffset, "0")
			two, err := b.AppendBlock(p.Context(), seekable("two"), nil)
			p.OK(err)
			value(p, "offset", two.BlobAppendOffset, "3")
			value(p, "blocks", two.BlobCommittedBlockCount, 2)
			equal(p, "content", p.content(b.BlobClient()), "onetwo")
			only := func(when appendblob.AppendPositionAccessConditions) *appendblob.AppendBlockOptions {
				return &appendblob.AppendBlockOptions{AppendPositionAccessConditions: &when}
			}
			_, err = b.AppendBlock(p.Context(), seekable("x"),
				only(appendblob.AppendPositionAccessConditions{AppendPosition: to.Ptr(int64(3))}))
			p.code(err, 412, "AppendPositionConditionNotMet")
			_, err = b.AppendBlock(p.Context(), seekable("x"),
				only(appendblob.AppendPositionAccessConditions{MaxSize: to.Ptr(int64(6))}))
			p.code(err, 412, "MaxBlobSizeConditionNotMet")
			_, err = b.AppendBlock(p.Context(), seekable(""), nil)
			p.code(err, 400, "InvalidHeaderValue")
		}},
		{"a sealed append blob", nil, func(p *blobProbe) {
			b := p.container.NewAppendBlobClient("b")
			_, err := b.Create(p.Context(), nil)
			p.OK(err)
			_, err = b.Seal(p.Context(), nil)
			p.OK(err)
			_, err = b.AppendBlock(p.Context(), seekable("x"), nil)
			p.code(err, 409, "BlobIsSealed")
			props, err := b.GetProperties(p.Context(), nil)
			p.OK(err)
			value(p, "sealed", props.IsSealed, true)
		}},
		{"the type of a blob", nil, func(p *blobProbe) {
			p.put("b", "x")
			_, err := p.container.NewAppendBlobClient("b").AppendBlock(p.Context(), seekable("x"), nil)
			p.code(err, 409, "InvalidBlobType")
			_, err = p.container.NewPageBlobClient("b").UploadPages(p.Context(), seekable(strings.Repeat("x", 512)),
				blob.HTTPRange{Count: 512}, nil)
			p.code(err, 409, "InvalidBlobType")
		}},
	}
}
