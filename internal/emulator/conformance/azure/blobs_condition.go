package azure

import (
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

// foreignETag is a well-formed ETag that no blob has.
const foreignETag azcore.ETag = `"0x8D00000000000AA"`

func ifMatch(etag azcore.ETag) *blob.AccessConditions {
	return when(blob.ModifiedAccessConditions{IfMatch: &etag})
}

func ifNoneMatch(etag azcore.ETag) *blob.AccessConditions {
	return when(blob.ModifiedAccessConditions{IfNoneMatch: &etag})
}

func when(conditions blob.ModifiedAccessConditions) *blob.AccessConditions {
	return &blob.AccessConditions{ModifiedAccessConditions: &conditions}
}

// blobMatches are conditions on a blob's ETag, mostly of writes.
func blobMatches() []blobCase {
	return []blobCase{
		{"a missing blob with If-Match is not found", MissingBeforeConditions, func(p *blobProbe) {
			b := p.put("b", "x")
			props := result(b.GetProperties(p.Context(), nil))(p)
			missing := p.container.NewBlockBlobClient("missing")
			p.fails(404, "BlobNotFound")(missing.DownloadStream(p.Context(),
				&blob.DownloadStreamOptions{AccessConditions: ifMatch(*props.ETag)}))
			p.fails(404, "BlobNotFound")(missing.GetProperties(p.Context(),
				&blob.GetPropertiesOptions{AccessConditions: ifMatch(*props.ETag)}))
		}},
		{"writing with If-Match", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.fails(412, "ConditionNotMet")(p.upload(b, "x", ifMatch(`"0x8DEADBEEF000000"`)))
			one := result(b.Upload(p.Context(), seekable("1"), nil))(p)
			p.works(p.upload(b, "2", ifMatch(*one.ETag)))
			p.fails(412, "ConditionNotMet")(p.upload(b, "3", ifMatch(*one.ETag)))
			p.holds(b, "2")
		}},
		{"If-Match: * needs the blob", IfMatchNeedsBlob, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.fails(412, "ConditionNotMet")(p.upload(b, "x", ifMatch("*")))
			p.put("b", "x")
			p.works(p.upload(b, "y", ifMatch("*")))
		}},
		{"If-None-Match: * makes a blob only once", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.works(p.upload(b, "x", ifNoneMatch("*")))
			p.fails(409, "BlobAlreadyExists")(p.upload(b, "y", ifNoneMatch("*")))
			p.holds(b, "x")
		}},
		{"If-None-Match of the same ETag on a write", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			props := result(b.GetProperties(p.Context(), nil))(p)
			p.fails(412, "ConditionNotMet")(p.upload(b, "y", ifNoneMatch(*props.ETag)))
		}},
	}
}

// blobConditions are those of reads, and those on dates and tags.
func blobConditions() []blobCase {
	return []blobCase{
		{"reading with If-None-Match is 304", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			props := result(b.GetProperties(p.Context(), nil))(p)
			r := p.answers(p.raw("GET", "/b", "", "If-None-Match: "+string(*props.ETag)), 304, "ConditionNotMet")
			equal(p, "body", r.body, "")
			p.answers(p.raw("HEAD", "/b", "", "If-None-Match: "+string(*props.ETag)), 304, "ConditionNotMet")
			p.answers(p.raw("GET", "/b", "", `If-None-Match: "0x8000"`), 200, "")
		}},
		{"an ETag without quotes", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			props := result(b.GetProperties(p.Context(), nil))(p)
			bare := string(*props.ETag)[1 : len(*props.ETag)-1]
			p.answers(p.raw("GET", "/b", "", "If-Match: "+bare), 200, "")
		}},
		{"dates", nil, func(p *blobProbe) {
			p.put("b", "x")
			past, future := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat),
				time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
			p.answers(p.raw("GET", "/b", "", "If-Modified-Since: "+past), 200, "")
			p.answers(p.raw("GET", "/b", "", "If-Modified-Since: "+future), 304, "ConditionNotMet")
			p.answers(p.raw("GET", "/b", "", "If-Unmodified-Since: "+future), 200, "")
			p.answers(p.raw("GET", "/b", "", "If-Unmodified-Since: "+past), 412, "ConditionNotMet")
			p.answers(p.raw("PUT", "/b?comp=metadata", "", "If-Modified-Since: "+future), 412, "ConditionNotMet")
		}},
		{"a read with several conditions", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			props := result(b.GetProperties(p.Context(), nil))(p)
			past := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
			// If-None-Match fails, If-Modified-Since holds: one of the two is enough.
			p.answers(p.raw("GET", "/b", "", "If-None-Match: "+string(*props.ETag), "If-Modified-Since: "+past), 200,
				"")
		}},
		{"a date of a blob that is not committed", ChecksDatesOfUncommitted, func(p *blobProbe) {
			future := "If-Modified-Since: " + time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
			p.answers(p.raw("PUT", "/b?comp=block&blockid=MDE=", "x"), 201, "")
			const list = "<BlockList><Latest>MDE=</Latest></BlockList>"
			p.answers(p.raw("PUT", "/b?comp=blocklist", list, future), 412, "ConditionNotMet")
			p.answers(p.raw("PUT", "/b?comp=blocklist", list), 201, "")
		}},
		{"conditions on tags", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.works(b.Upload(p.Context(), seekable("x"),
				&blockblob.UploadOptions{Tags: map[string]string{"color": "red"}}))
			p.answers(p.raw("GET", "/b", "", `x-ms-if-tags: "color" = 'red'`), 200, "")
			p.answers(p.raw("GET", "/b", "", `x-ms-if-tags: "color" = 'blue'`), 412, "ConditionNotMet")
			notRed := when(blob.ModifiedAccessConditions{IfTags: to.Ptr(`"color" <> 'red'`)})
			p.fails(412, "ConditionNotMet")(b.Delete(p.Context(), &blob.DeleteOptions{AccessConditions: notRed}))
		}},
	}
}
