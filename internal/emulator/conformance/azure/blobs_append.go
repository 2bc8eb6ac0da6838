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
			p.fails(404, "BlobNotFound")(b.AppendBlock(p.Context(), seekable("x"), nil))
			p.works(b.Create(p.Context(), nil))
			one := result(b.AppendBlock(p.Context(), seekable("one"), nil))(p)
			value(p, "offset", one.BlobAppendOffset, "0")
			two := result(b.AppendBlock(p.Context(), seekable("two"), nil))(p)
			value(p, "offset", two.BlobAppendOffset, "3")
			value(p, "blocks", two.BlobCommittedBlockCount, 2)
			equal(p, "content", p.content(b.BlobClient()), "onetwo")
			only := func(when appendblob.AppendPositionAccessConditions) *appendblob.AppendBlockOptions {
				return &appendblob.AppendBlockOptions{AppendPositionAccessConditions: &when}
			}
			p.fails(412, "AppendPositionConditionNotMet")(b.AppendBlock(p.Context(), seekable("x"),
				only(appendblob.AppendPositionAccessConditions{AppendPosition: to.Ptr(int64(3))})))
			p.fails(412, "MaxBlobSizeConditionNotMet")(b.AppendBlock(p.Context(), seekable("x"),
				only(appendblob.AppendPositionAccessConditions{MaxSize: to.Ptr(int64(6))})))
			p.fails(400, "InvalidHeaderValue")(b.AppendBlock(p.Context(), seekable(""), nil))
		}},
		{"a sealed append blob", nil, func(p *blobProbe) {
			b := p.container.NewAppendBlobClient("b")
			p.works(b.Create(p.Context(), nil))
			p.works(b.Seal(p.Context(), nil))
			p.fails(409, "BlobIsSealed")(b.AppendBlock(p.Context(), seekable("x"), nil))
			props := result(b.GetProperties(p.Context(), nil))(p)
			value(p, "sealed", props.IsSealed, true)
		}},
		{"the type of a blob", nil, func(p *blobProbe) {
			p.put("b", "x")
			p.fails(409, "InvalidBlobType")(
				p.container.NewAppendBlobClient("b").AppendBlock(p.Context(), seekable("x"), nil))
			p.fails(409, "InvalidBlobType")(
				p.container.NewPageBlobClient("b").UploadPages(p.Context(), seekable(strings.Repeat("x", 512)),
					blob.HTTPRange{Count: 512}, nil))
		}},
	}
}
