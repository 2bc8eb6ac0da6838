package conformance

import (
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

func ifMatch(etag azcore.ETag) *blob.AccessConditions {
	return &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: &etag}}
}

func ifNoneMatch(etag azcore.ETag) *blob.AccessConditions {
	return &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: &etag}}
}

func blobConditions() []blobCase {
	return []blobCase{
		{"a missing blob with If-Match is not found", func(p *blobProbe) {
			b := p.put("b", "x")
			props, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			missing := p.container.NewBlockBlobClient("missing")
			_, err = missing.DownloadStream(p.ctx, &blob.DownloadStreamOptions{AccessConditions: ifMatch(*props.ETag)})
			p.code(err, 404, "BlobNotFound")
			_, err = missing.GetProperties(p.ctx, &blob.GetPropertiesOptions{AccessConditions: ifMatch(*props.ETag)})
			p.code(err, 404, "BlobNotFound")
		}},
		{"writing with If-Match", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			_, err := b.Upload(p.ctx, seekable("x"), &blockblob.UploadOptions{AccessConditions: ifMatch(`"0x8DEADBEEF000000"`)})
			p.code(err, 412, "ConditionNotMet")
			one, err := b.Upload(p.ctx, seekable("1"), nil)
			p.ok(err)
			_, err = b.Upload(p.ctx, seekable("2"), &blockblob.UploadOptions{AccessConditions: ifMatch(*one.ETag)})
			p.ok(err)
			_, err = b.Upload(p.ctx, seekable("3"), &blockblob.UploadOptions{AccessConditions: ifMatch(*one.ETag)})
			p.code(err, 412, "ConditionNotMet")
			p.holds(b, "2")
		}},
		{"If-Match: * needs the blob", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			_, err := b.Upload(p.ctx, seekable("x"), &blockblob.UploadOptions{AccessConditions: ifMatch("*")})
			p.code(err, 412, "ConditionNotMet")
			p.put("b", "x")
			_, err = b.Upload(p.ctx, seekable("y"), &blockblob.UploadOptions{AccessConditions: ifMatch("*")})
			p.ok(err)
		}},
		{"If-None-Match: * makes a blob only once", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			_, err := b.Upload(p.ctx, seekable("x"), &blockblob.UploadOptions{AccessConditions: ifNoneMatch("*")})
			p.ok(err)
			_, err = b.Upload(p.ctx, seekable("y"), &blockblob.UploadOptions{AccessConditions: ifNoneMatch("*")})
			p.code(err, 409, "BlobAlreadyExists")
			p.holds(b, "x")
		}},
		{"If-None-Match of the same ETag on a write", func(p *blobProbe) {
			b := p.put("b", "x")
			props, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			_, err = b.Upload(p.ctx, seekable("y"), &blockblob.UploadOptions{AccessConditions: ifNoneMatch(*props.ETag)})
			p.code(err, 412, "ConditionNotMet")
		}},
		{"reading with If-None-Match is 304", func(p *blobProbe) {
			b := p.put("b", "x")
			props, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			r := p.answers(p.raw("GET", "/b", "", "If-None-Match: "+string(*props.ETag)), 304, "ConditionNotMet")
			equal(p, "body", r.body, "")
			p.answers(p.raw("HEAD", "/b", "", "If-None-Match: "+string(*props.ETag)), 304, "ConditionNotMet")
			p.answers(p.raw("GET", "/b", "", `If-None-Match: "0x8000"`), 200, "")
		}},
		{"an ETag without quotes", func(p *blobProbe) {
			b := p.put("b", "x")
			props, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			bare := string(*props.ETag)[1 : len(*props.ETag)-1]
			p.answers(p.raw("GET", "/b", "", "If-Match: "+bare), 200, "")
		}},
		{"dates", func(p *blobProbe) {
			p.put("b", "x")
			past, future := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat), time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
			p.answers(p.raw("GET", "/b", "", "If-Modified-Since: "+past), 200, "")
			p.answers(p.raw("GET", "/b", "", "If-Modified-Since: "+future), 304, "ConditionNotMet")
			p.answers(p.raw("GET", "/b", "", "If-Unmodified-Since: "+future), 200, "")
			p.answers(p.raw("GET", "/b", "", "If-Unmodified-Since: "+past), 412, "ConditionNotMet")
			p.answers(p.raw("PUT", "/b?comp=metadata", "", "If-Modified-Since: "+future), 412, "ConditionNotMet")
		}},
		{"a read with several conditions", func(p *blobProbe) {
			b := p.put("b", "x")
			props, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			past := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
			// If-None-Match fails, If-Modified-Since holds: one of the two is enough.
			p.answers(p.raw("GET", "/b", "", "If-None-Match: "+string(*props.ETag), "If-Modified-Since: "+past), 200, "")
		}},
		{"conditions on tags", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			_, err := b.Upload(p.ctx, seekable("x"), &blockblob.UploadOptions{Tags: map[string]string{"colour": "red"}})
			p.ok(err)
			p.answers(p.raw("GET", "/b", "", `x-ms-if-tags: "colour" = 'red'`), 200, "")
			p.answers(p.raw("GET", "/b", "", `x-ms-if-tags: "colour" = 'blue'`), 412, "ConditionNotMet")
			_, err = b.Delete(p.ctx, &blob.DeleteOptions{AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfTags: to.Ptr(`"colour" <> 'red'`)}}})
			p.code(err, 412, "ConditionNotMet")
		}},
	}
}
