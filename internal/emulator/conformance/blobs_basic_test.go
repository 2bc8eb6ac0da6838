package conformance

import (
	"crypto/md5"
	"encoding/base64"
	"hash/crc64"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
)

func blobBasics() []blobCase {
	return []blobCase{
		{"put and get a blob", func(p *blobProbe) {
			b := p.put("dir/ein Blob ü'|;+%.txt", "hello")
			p.holds(b, "hello")
			res, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "length", res.ContentLength, 5)
			value(p, "type", res.BlobType, blob.BlobTypeBlockBlob)
			value(p, "content type", res.ContentType, "application/octet-stream")
			value(p, "tier", res.AccessTier, "Hot")
			sum := md5.Sum([]byte("hello"))
			equal(p, "MD5", string(res.ContentMD5), string(sum[:]))
		}},
		{"an ETag is 0x8 in quotes in headers", func(p *blobProbe) {
			r := p.answers(p.raw("PUT", "/b", "x", "x-ms-blob-type: BlockBlob"), 201, "")
			etag := r.header.Get("ETag")
			if !strings.HasPrefix(etag, `"0x8`) || !strings.HasSuffix(etag, `"`) || len(etag) != 19 || strings.ToUpper(etag[3:]) != etag[3:] {
				p.failf("ETag %s", etag)
			}
		}},
		{"an ETag is bare in a list of blobs", func(p *blobProbe) {
			r := p.raw("PUT", "/b", "x", "x-ms-blob-type: BlockBlob")
			equal(p, "ETag of the list", p.list("").Blobs[0].Etag, strings.Trim(r.header.Get("ETag"), `"`))
		}},
		{"setting metadata changes the ETag", func(p *blobProbe) {
			b := p.put("b", "x")
			before, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			_, err = b.SetMetadata(p.ctx, map[string]*string{"a": to.Ptr("1")}, nil)
			p.ok(err)
			after, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			if *before.ETag == *after.ETag {
				p.failf("the ETag is still %s", *after.ETag)
			}
			value(p, "metadata", after.Metadata["A"], "1")
		}},
		{"setting HTTP headers changes the ETag and replaces all of them", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			before, err := b.Upload(p.ctx, seekable("x"), &blockblob.UploadOptions{HTTPHeaders: &blob.HTTPHeaders{BlobContentType: to.Ptr("text/plain"), BlobContentLanguage: to.Ptr("de")}})
			p.ok(err)
			after, err := b.SetHTTPHeaders(p.ctx, blob.HTTPHeaders{BlobContentType: to.Ptr("text/html")}, nil)
			p.ok(err)
			if *before.ETag == *after.ETag {
				p.failf("the ETag is still %s", *after.ETag)
			}
			res, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "content type", res.ContentType, "text/html")
			if res.ContentLanguage != nil && *res.ContentLanguage != "" {
				p.failf("language %s is left", *res.ContentLanguage)
			}
		}},
		{"overwriting keeps nothing of the old metadata", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			_, err := b.Upload(p.ctx, seekable("x"), &blockblob.UploadOptions{Metadata: map[string]*string{"a": to.Ptr("1")}})
			p.ok(err)
			p.put("b", "y")
			res, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			equal(p, "metadata", len(res.Metadata), 0)
		}},
		{"ranges", func(p *blobProbe) {
			b := p.put("b", "0123456789")
			_, err := b.DownloadStream(p.ctx, &blob.DownloadStreamOptions{Range: blob.HTTPRange{Offset: 10}})
			p.code(err, 416, "InvalidRange")
			r := p.answers(p.raw("GET", "/b", "", "x-ms-range: bytes=2-4"), 206, "")
			equal(p, "range", r.body, "234")
			equal(p, "Content-Range", r.header.Get("Content-Range"), "bytes 2-4/10")
			r = p.answers(p.raw("GET", "/b", "", "Range: bytes=8-"), 206, "")
			equal(p, "open range", r.body, "89")
			r = p.answers(p.raw("GET", "/b", "", "Range: bytes=8-99"), 206, "")
			equal(p, "range over the end", r.body, "89")
		}},
		{"the digest of a range", func(p *blobProbe) {
			p.put("b", "0123456789")
			r := p.answers(p.raw("GET", "/b", "", "x-ms-range: bytes=2-4", "x-ms-range-get-content-md5: true"), 206, "")
			sum := md5.Sum([]byte("234"))
			equal(p, "Content-MD5", r.header.Get("Content-MD5"), base64.StdEncoding.EncodeToString(sum[:]))
		}},
		{"a wrong MD5 is refused", func(p *blobProbe) {
			sum := md5.Sum([]byte("other"))
			p.answers(p.raw("PUT", "/b", "x", "x-ms-blob-type: BlockBlob", "Content-MD5: "+base64.StdEncoding.EncodeToString(sum[:])), 400, "Md5Mismatch")
		}},
		{"a malformed MD5 is refused", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b", "x", "x-ms-blob-type: BlockBlob", "Content-MD5: nonsense"), 400, "InvalidMd5")
		}},
		{"a wrong CRC64 is refused", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b", "x", "x-ms-blob-type: BlockBlob", "x-ms-content-crc64: AAAAAAAAAAA="), 400, "Crc64Mismatch")
		}},
		{"a right CRC64 is taken", func(p *blobProbe) {
			crc := crc64.Checksum([]byte("x"), crc64.MakeTable(0x9A6C9329AC4BC9B5))
			raw := []byte{byte(crc), byte(crc >> 8), byte(crc >> 16), byte(crc >> 24), byte(crc >> 32), byte(crc >> 40), byte(crc >> 48), byte(crc >> 56)}
			p.answers(p.raw("PUT", "/b", "x", "x-ms-blob-type: BlockBlob", "x-ms-content-crc64: "+base64.StdEncoding.EncodeToString(raw)), 201, "")
		}},
		{"delete a blob", func(p *blobProbe) {
			b := p.put("b", "x")
			_, err := b.Delete(p.ctx, nil)
			p.ok(err)
			_, err = b.Delete(p.ctx, nil)
			p.code(err, 404, "BlobNotFound")
		}},
		{"containers", func(p *blobProbe) {
			_, err := p.container.Create(p.ctx, nil)
			p.code(err, 409, "ContainerAlreadyExists")
			_, err = p.container.SetMetadata(p.ctx, &container.SetMetadataOptions{Metadata: map[string]*string{"a": to.Ptr("1")}})
			p.ok(err)
			res, err := p.container.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "metadata", res.Metadata["A"], "1")
			_, err = p.service.NewContainerClient("no-such").GetProperties(p.ctx, nil)
			p.code(err, 404, "ContainerNotFound")
			other := p.service.NewContainerClient(p.name + "-other")
			_, err = other.Create(p.ctx, nil)
			p.ok(err)
			_, err = other.Delete(p.ctx, nil)
			p.ok(err)
			_, err = other.NewBlockBlobClient("b").Upload(p.ctx, seekable("x"), nil)
			p.code(err, 404, "ContainerNotFound")
		}},
		{"a container's name", func(p *blobProbe) {
			_, err := p.service.NewContainerClient("foo bar").Create(p.ctx, nil)
			p.code(err, 400, "InvalidResourceName")
			_, err = p.service.NewContainerClient("ab").Create(p.ctx, nil)
			p.code(err, 400, "OutOfRangeInput")
			_, err = p.service.NewContainerClient("a--b").Create(p.ctx, nil)
			p.code(err, 400, "InvalidResourceName")
		}},
		{"stored access policies", func(p *blobProbe) {
			_, err := p.container.SetAccessPolicy(p.ctx, &container.SetAccessPolicyOptions{ContainerACL: []*container.SignedIdentifier{{
				ID: to.Ptr("reader"), AccessPolicy: &container.AccessPolicy{Permission: to.Ptr("r"), Expiry: to.Ptr(time.Now().Add(time.Hour))},
			}}})
			p.ok(err)
			res, err := p.container.GetAccessPolicy(p.ctx, nil)
			p.ok(err)
			equal(p, "policies", len(res.SignedIdentifiers), 1)
			value(p, "id", res.SignedIdentifiers[0].ID, "reader")
			var six []*container.SignedIdentifier
			for range 6 {
				six = append(six, &container.SignedIdentifier{ID: to.Ptr("p"), AccessPolicy: &container.AccessPolicy{Permission: to.Ptr("r")}})
			}
			_, err = p.container.SetAccessPolicy(p.ctx, &container.SetAccessPolicyOptions{ContainerACL: six})
			p.code(err, 400, "InvalidXmlDocument")
		}},
		{"snapshots", func(p *blobProbe) {
			b := p.put("b", "one")
			snap, err := b.CreateSnapshot(p.ctx, nil)
			p.ok(err)
			p.put("b", "two")
			old, err := b.WithSnapshot(*snap.Snapshot)
			p.ok(err)
			p.holds(old, "one")
			p.holds(b, "two")
			_, err = b.Delete(p.ctx, nil)
			p.code(err, 409, "SnapshotsPresent")
			_, err = b.Delete(p.ctx, &blob.DeleteOptions{DeleteSnapshots: to.Ptr(blob.DeleteSnapshotsOptionTypeOnly)})
			p.ok(err)
			_, err = old.GetProperties(p.ctx, nil)
			p.code(err, 404, "BlobNotFound")
			p.holds(b, "two")
		}},
		{"tiers", func(p *blobProbe) {
			b := p.put("b", "x")
			before, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			_, err = b.SetTier(p.ctx, blob.AccessTierCool, nil)
			p.ok(err)
			after, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "tier", after.AccessTier, "Cool")
			value(p, "ETag", after.ETag, *before.ETag)
			_, err = b.SetTier(p.ctx, "Warm", nil)
			p.code(err, 400, "InvalidHeaderValue")
		}},
		{"an archived blob cannot be read", func(p *blobProbe) {
			b := p.put("b", "x")
			_, err := b.SetTier(p.ctx, blob.AccessTierArchive, nil)
			p.ok(err)
			_, err = b.DownloadStream(p.ctx, nil)
			p.code(err, 409, "BlobArchived")
		}},
		{"a blob's signature", func(p *blobProbe) {
			b := p.put("b", "x")
			read, err := b.GetSASURL(sas.BlobPermissions{Read: true}, time.Now().Add(time.Hour), nil)
			p.ok(err)
			c, err := blockblob.NewClientWithNoCredential(read, &blockblob.ClientOptions{ClientOptions: p.options()})
			p.ok(err)
			p.holds(c, "x")
			_, err = c.Upload(p.ctx, seekable("y"), nil)
			p.code(err, 403, "AuthorizationPermissionMismatch")
			p.holds(b, "x")
		}},
		{"a signature to create does not overwrite", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			create, err := b.GetSASURL(sas.BlobPermissions{Create: true}, time.Now().Add(time.Hour), nil)
			p.ok(err)
			c, err := blockblob.NewClientWithNoCredential(create, &blockblob.ClientOptions{ClientOptions: p.options()})
			p.ok(err)
			_, err = c.Upload(p.ctx, seekable("x"), nil)
			p.ok(err)
			_, err = c.Upload(p.ctx, seekable("y"), nil)
			p.code(err, 403, "UnauthorizedBlobOverwrite")
			p.holds(b, "x")
		}},
	}
}
