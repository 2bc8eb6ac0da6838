package azure

import (
	"crypto/md5"
	"encoding/base64"
	"hash/crc64"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

// blobBasics are what every client relies on: content, ETags, metadata.
func blobBasics() []blobCase {
	return []blobCase{
		{"put and get a blob", nil, func(p *blobProbe) {
			b := p.put("dir/ein Blob ü'|;+%.txt", "hello")
			p.holds(b, "hello")
			res := result(b.GetProperties(p.Context(), nil))(p)
			value(p, "length", res.ContentLength, 5)
			value(p, "type", res.BlobType, blob.BlobTypeBlockBlob)
			value(p, "content type", res.ContentType, "application/octet-stream")
			value(p, "tier", res.AccessTier, "Hot")
			sum := md5.Sum([]byte("hello"))
			equal(p, "MD5", string(res.ContentMD5), string(sum[:]))
		}},
		{"an ETag is 0x8 in quotes in headers", DerivesETags, func(p *blobProbe) {
			r := p.answers(p.raw("PUT", "/b", "x", aBlockBlob), 201, "")
			etag := r.header.Get("ETag")
			if !strings.HasPrefix(etag, `"0x8`) || !strings.HasSuffix(etag, `"`) || len(etag) != 19 ||
				strings.ToUpper(etag[3:]) != etag[3:] {
				p.Fatalf("ETag %s", etag)
			}
		}},
		{"an ETag is bare in a list of blobs", nil, func(p *blobProbe) {
			r := p.raw("PUT", "/b", "x", aBlockBlob)
			equal(p, "ETag of the list", p.list("").Blobs[0].Etag, strings.Trim(r.header.Get("ETag"), `"`))
		}},
		{"setting metadata changes the ETag", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			before := result(b.GetProperties(p.Context(), nil))(p)
			p.works(b.SetMetadata(p.Context(), map[string]*string{"a": to.Ptr("1")}, nil))
			after := result(b.GetProperties(p.Context(), nil))(p)
			if *before.ETag == *after.ETag {
				p.Fatalf("the ETag is still %s", *after.ETag)
			}
			value(p, "metadata", after.Metadata["A"], "1")
		}},
		{"setting HTTP headers changes the ETag and replaces all of them", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			before := result(b.Upload(p.Context(), seekable("x"),
				&blockblob.UploadOptions{HTTPHeaders: &blob.HTTPHeaders{BlobContentType: to.Ptr("text/plain"),
					BlobContentLanguage: to.Ptr("de")}}))(p)
			after := result(
				b.SetHTTPHeaders(p.Context(), blob.HTTPHeaders{BlobContentType: to.Ptr("text/html")}, nil))(p)
			if *before.ETag == *after.ETag {
				p.Fatalf("the ETag is still %s", *after.ETag)
			}
			res := result(b.GetProperties(p.Context(), nil))(p)
			value(p, "content type", res.ContentType, "text/html")
			if res.ContentLanguage != nil && *res.ContentLanguage != "" {
				p.Fatalf("language %s is left", *res.ContentLanguage)
			}
		}},
	}
}

// blobTransfers are what is sent and read in part, with and without digests.
func blobTransfers() []blobCase {
	return []blobCase{
		{"overwriting keeps nothing of the old metadata", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.works(b.Upload(p.Context(), seekable("x"),
				&blockblob.UploadOptions{Metadata: map[string]*string{"a": to.Ptr("1")}}))
			p.put("b", "y")
			res := result(b.GetProperties(p.Context(), nil))(p)
			equal(p, "metadata", len(res.Metadata), 0)
		}},
		{"ranges", RefusesRangeAtEnd, func(p *blobProbe) {
			b := p.put("b", "0123456789")
			p.fails(416, "InvalidRange")(
				b.DownloadStream(p.Context(), &blob.DownloadStreamOptions{Range: blob.HTTPRange{Offset: 10}}))
			r := p.answers(p.raw("GET", "/b", "", "x-ms-range: bytes=2-4"), 206, "")
			equal(p, "range", r.body, "234")
			equal(p, "Content-Range", r.header.Get("Content-Range"), "bytes 2-4/10")
			r = p.answers(p.raw("GET", "/b", "", "Range: bytes=8-"), 206, "")
			equal(p, "open range", r.body, "89")
			r = p.answers(p.raw("GET", "/b", "", "Range: bytes=8-99"), 206, "")
			equal(p, "range over the end", r.body, "89")
		}},
		{"the digest of a range", nil, func(p *blobProbe) {
			p.put("b", "0123456789")
			r := p.answers(p.raw("GET", "/b", "", "x-ms-range: bytes=2-4", "x-ms-range-get-content-md5: true"), 206, "")
			sum := md5.Sum([]byte("234"))
			equal(p, "Content-MD5", r.header.Get("Content-MD5"), base64.StdEncoding.EncodeToString(sum[:]))
		}},
		{"a wrong MD5 is refused", NamesMD5Mismatch, func(p *blobProbe) {
			sum := md5.Sum([]byte("other"))
			p.answers(p.raw("PUT", "/b", "x", aBlockBlob, "Content-MD5: "+
				base64.StdEncoding.EncodeToString(sum[:])), 400, "Md5Mismatch")
		}},
		refusing("a malformed MD5 is refused", NamesMalformedMD5, "InvalidMd5",
			"PUT", "/b", "x", aBlockBlob, "Content-MD5: nonsense"),
		refusing("a wrong CRC64 is refused", RefusesWrongCRC64, "Crc64Mismatch",
			"PUT", "/b", "x", aBlockBlob, "x-ms-content-crc64: AAAAAAAAAAA="),
		{"a right CRC64 is taken", TakesCRC64, func(p *blobProbe) {
			crc := crc64.Checksum([]byte("x"), crc64.MakeTable(0x9A6C9329AC4BC9B5))
			raw := []byte{byte(crc), byte(crc >> 8), byte(crc >> 16), byte(crc >> 24), byte(crc >> 32), byte(crc >> 40),
				byte(crc >> 48), byte(crc >> 56)}
			p.answers(p.raw("PUT", "/b", "x", aBlockBlob, "x-ms-content-crc64: "+
				base64.StdEncoding.EncodeToString(raw)), 201, "")
		}},
		{"delete a blob", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			p.works(b.Delete(p.Context(), nil))
			p.fails(404, "BlobNotFound")(b.Delete(p.Context(), nil))
		}},
	}
}
