package azure

import (
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"hash/crc64"
	"strings"
)

// md5Of is the value of Content-MD5 for a body.
func md5Of(body string) string {
	sum := md5.Sum([]byte(body))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// crcOf is the value of x-ms-content-crc64 for a body.
func crcOf(body string) string {
	crc := crc64.Checksum([]byte(body), crc64.MakeTable(0x9A6C9329AC4BC9B5))
	return base64.StdEncoding.EncodeToString(binary.LittleEndian.AppendUint64(nil, crc))
}

// hasSums checks which digests of a body an answer has.
func (p *blobProbe) hasSums(r reply, md5, crc string) {
	equal(p, "Content-MD5", r.header.Get("Content-MD5"), md5)
	equal(p, "x-ms-content-crc64", r.header.Get("x-ms-content-crc64"), crc)
}

// blobDigests are the digests that an answer has, and those that are checked.
func blobDigests() []blobCase {
	return []blobCase{
		{"put answers with both digests", AnswersBothDigests, func(p *blobProbe) {
			p.hasSums(p.answers(p.raw("PUT", "/b", "x", aBlockBlob), 201, ""), md5Of("x"), crcOf("x"))
		}},
		{"a block answers with the digest that it was sent with", AnswersCRC64, func(p *blobProbe) {
			const block = "/b?comp=block&blockid=MDE="
			p.hasSums(p.answers(p.raw("PUT", block, "x"), 201, ""), "", crcOf("x"))
			p.hasSums(p.answers(p.raw("PUT", block, "x", "Content-MD5: "+md5Of("x")), 201, ""), md5Of("x"), "")
			p.hasSums(p.answers(p.raw("PUT", block, "x", "x-ms-content-crc64: "+crcOf("x")), 201, ""), "", crcOf("x"))
		}},
		{"since 2026-10-06 a digest that was sent comes with the other", AnswersMD5WithCRC64, func(p *blobProbe) {
			const since, sum = "x-ms-version: 2026-10-06", "Content-MD5: "
			p.hasSums(p.answers(p.raw("PUT", "/b?comp=block&blockid=MDE=", "x", since, sum+md5Of("x")), 201, ""),
				md5Of("x"), crcOf("x"))
			p.answers(p.raw("PUT", "/a", "", "x-ms-blob-type: AppendBlob"), 201, "")
			p.hasSums(p.answers(p.raw("PUT", "/a?comp=appendblock", "x", since, sum+md5Of("x")), 201, ""),
				md5Of("x"), crcOf("x"))
			p.answers(p.raw("PUT", "/p", "", "x-ms-blob-type: PageBlob", "x-ms-blob-content-length: 512"), 201, "")
			page := strings.Repeat("x", 512)
			p.hasSums(p.answers(p.raw("PUT", "/p?comp=page", page, since, sum+md5Of(page), "x-ms-page-write: update",
				"x-ms-range: bytes=0-511"), 201, ""), md5Of(page), crcOf(page))
		}},
		{"a blob's MD5 has 16 bytes", ChecksStoredMD5, func(p *blobProbe) {
			p.put("b", "x")
			p.answers(p.raw("PUT", "/b?comp=properties", "", "x-ms-blob-content-md5: AAAA"), 400, "InvalidMd5")
			p.answers(p.raw("PUT", "/c", "x", aBlockBlob, "x-ms-blob-content-md5: nonsense"), 400,
				"InvalidMd5")
		}},
		{"a copy checks the MD5 of its source", ChecksMD5OfSource, func(p *blobProbe) {
			src := p.readable(p.put("src", "x"))
			p.answers(p.raw("PUT", "/dst", "", "x-ms-copy-source: "+src, "x-ms-requires-sync: true",
				"x-ms-source-content-md5: "+md5Of("other")), 400, "Md5Mismatch")
			p.answers(p.raw("HEAD", "/dst", ""), 404, "BlobNotFound")
			p.answers(p.raw("PUT", "/dst", "", "x-ms-copy-source: "+src, "x-ms-requires-sync: true",
				"x-ms-source-content-md5: "+md5Of("x")), 202, "")
		}},
	}
}
