package azure

import (
	"encoding/binary"
	"hash/crc64"
	"io"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/appendblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

// structuredBody is the value of x-ms-structured-body.
const structuredBody = "XSM/1.0; properties=crc64"

// structured is a structured message of segments, as x-ms-structured-body announces it.
func structured(segments ...string) string {
	table := crc64.MakeTable(0x9A6C9329AC4BC9B5)
	content := strings.Join(segments, "")
	length := 13 + 18*len(segments) + len(content) + 8
	b := binary.LittleEndian.AppendUint64([]byte{1}, uint64(length))
	b = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(b, 1), uint16(len(segments)))
	for i, s := range segments {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint16(b, uint16(i+1)), uint64(len(s)))
		b = binary.LittleEndian.AppendUint64(append(b, s...), crc64.Checksum([]byte(s), table))
	}
	return string(binary.LittleEndian.AppendUint64(b, crc64.Checksum([]byte(content), table)))
}

// putStructured puts a blob with a structured message.
func (p *blobProbe) putStructured(message string, length int) reply {
	return p.raw("PUT", "/b", message, "x-ms-version: 2026-12-06", aBlockBlob,
		"x-ms-structured-body: "+structuredBody, "x-ms-structured-content-length: "+strconv.Itoa(length))
}

// blobMessages are bodies in segments with a CRC64 each.
func blobMessages() []blobCase {
	return []blobCase{
		{"put a structured message", TakesStructuredBodies, func(p *blobProbe) {
			r := p.answers(p.putStructured(structured("Hello, ", "", "world"), 12), 201, "")
			equal(p, "structured body", r.header.Get("x-ms-structured-body"), structuredBody)
			p.hasSums(r, md5Of("Hello, world"), crcOf("Hello, world"))
			p.holds(p.container.NewBlockBlobClient("b"), "Hello, world")
		}},
		{"a structured message with a wrong CRC64", TakesStructuredBodies, func(p *blobProbe) {
			message := structured("Hello, ", "world")
			// content, a segment's CRC64, that of all
			for _, at := range []int{13 + 10, 13 + 10 + 7, len(message) - 1} {
				broken := []byte(message)
				broken[at] ^= 1
				p.answers(p.putStructured(string(broken), 12), 400, "Crc64Mismatch")
			}
			p.answers(p.raw("HEAD", "/b", ""), 404, "BlobNotFound")
		}},
		{"a structured message that is malformed", TakesStructuredBodies, func(p *blobProbe) {
			whole := structured("Hello")
			for _, message := range []string{whole[:len(whole)-1], "\x02" + whole[1:], whole + "x"} {
				equal(p, "status", p.putStructured(message, 5).status, 400)
			}
			equal(p, "status with another length", p.putStructured(whole, 4).status, 400)
			p.answers(p.raw("PUT", "/b", whole, aBlockBlob, "x-ms-structured-body: "+structuredBody),
				400, "MissingRequiredHeader")
			p.answers(p.raw("PUT", "/b", whole, aBlockBlob, "x-ms-structured-body: XSM/2.0",
				"x-ms-structured-content-length: 5"), 400, "InvalidHeaderValue")
		}},
		{"a structured message without its checksums", TakesStructuredBodies, func(p *blobProbe) {
			whole := structured("Hello, ", "world")
			for _, cut := range []int{8, 16, len(whole)} {
				message := []byte(whole[:len(whole)-cut])
				if len(message) > 0 { // it says of itself that it is as long as it is
					binary.LittleEndian.PutUint64(message[1:], uint64(len(message)))
				}
				equal(p, "status without the last "+strconv.Itoa(cut)+" bytes",
					p.putStructured(string(message), 12).status, 400)
			}
			equal(p, "status of nothing for no content", p.putStructured("", 0).status, 400)
			p.answers(p.raw("HEAD", "/b", ""), 404, "BlobNotFound")
		}},
		{"get a structured message", TakesStructuredBodies, func(p *blobProbe) {
			p.put("b", "Hello, world")
			r := p.answers(p.raw("GET", "/b", "", "x-ms-structured-body: "+structuredBody), 200, "")
			equal(p, "message", r.body, structured("Hello, world"))
			equal(p, "length", r.header.Get("x-ms-structured-content-length"), "12")
			r = p.answers(p.raw("GET", "/b", "", "x-ms-structured-body: "+structuredBody, "Range: bytes=7-8"), 206, "")
			equal(p, "message of a range", r.body, structured("wo"))
			equal(p, "range", r.header.Get("Content-Range"), "bytes 7-8/12")
		}},
		{"the digests of a range", AnswersRangeCRC64, func(p *blobProbe) {
			p.put("b", "Hello, world")
			r := p.raw("GET", "/b", "", "Range: bytes=7-8", "x-ms-range-get-content-crc64: true")
			p.hasSums(p.answers(r, 206, ""), "", crcOf("wo"))
			p.answers(p.raw("GET", "/b", "", "x-ms-range-get-content-crc64: true"), 400, "InvalidHeaderValue")
			p.answers(p.raw("GET", "/b", "", "Range: bytes=7-8", "x-ms-range-get-content-crc64: true",
				"x-ms-range-get-content-md5: true"), 400, "InvalidHeaderValue")
		}},
	}
}

// blobMessagesOfSDK are structured messages as the SDK sends and checks them.
func blobMessagesOfSDK() []blobCase {
	validation := blob.TransferValidationTypeComputeStructuredMessageCRC64(0)
	return []blobCase{
		{"structured messages of several segments", TakesStructuredBodies, func(p *blobProbe) {
			content := strings.Repeat("0123456789", 900_000) // three segments
			b := p.container.NewBlockBlobClient("b")
			p.works(b.Upload(p.Context(), seekable(content),
				&blockblob.UploadOptions{TransactionalValidation: validation}))
			p.holds(b, content)
			for _, from := range []int64{0, 5, 4 << 20} {
				res := result(b.DownloadStream(p.Context(), &blob.DownloadStreamOptions{
					Range: blob.HTTPRange{Offset: from}, TransactionalValidation: validation}))(p)
				data := result(io.ReadAll(res.Body))(p)
				if string(data) != content[from:] {
					p.Fatalf("%d bytes from %d are not those of the blob", len(data), from)
				}
			}
		}},
		{"structured messages of blocks", TakesStructuredBodies, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.works(b.StageBlock(p.Context(), id("1"), seekable("one"),
				&blockblob.StageBlockOptions{TransactionalValidation: validation}))
			p.commit(b, "1")
			p.holds(b, "one")
			log := p.container.NewAppendBlobClient("log")
			p.works(log.Create(p.Context(), nil))
			p.works(log.AppendBlock(p.Context(), seekable("line"),
				&appendblob.AppendBlockOptions{TransactionalValidation: validation}))
			equal(p, "content", p.content(log.BlobClient()), "line")
			pages := p.container.NewPageBlobClient("pages")
			p.works(pages.Create(p.Context(), 512, nil))
			r := p.raw("PUT", "/pages?comp=page", structured(strings.Repeat("x", 512)), "x-ms-page-write: update",
				"x-ms-range: bytes=0-511", "x-ms-structured-body: "+structuredBody,
				"x-ms-structured-content-length: 512")
			p.answers(r, 201, "")
			equal(p, "pages", p.content(pages.BlobClient()), strings.Repeat("x", 512))
		}},
	}
}
