package conformance

import (
	"encoding/xml"
	"strings"
)

func blobRaw() []blobCase {
	return []blobCase{
		{"an error is XML with Azure's elements", func(p *blobProbe) {
			r := p.answers(p.raw("GET", "/none", ""), 404, "BlobNotFound")
			var e struct {
				XMLName       xml.Name `xml:"Error"`
				Code, Message string
			}
			p.ok(xml.Unmarshal([]byte(strings.TrimPrefix(r.body, "\ufeff")), &e))
			equal(p, "code", e.Code, "BlobNotFound")
			if !strings.Contains(e.Message, "RequestId:") {
				p.failf("message %q", e.Message)
			}
		}},
		{"HEAD of a missing blob has no body", func(p *blobProbe) {
			r := p.answers(p.raw("HEAD", "/none", ""), 404, "BlobNotFound")
			equal(p, "body", r.body, "")
		}},
		{"the client's request id comes back", func(p *blobProbe) {
			r := p.raw("GET", "/none", "", "x-ms-client-request-id: mine")
			equal(p, "id", r.header.Get("x-ms-client-request-id"), "mine")
			if r.header.Get("x-ms-request-id") == "" {
				p.failf("no x-ms-request-id")
			}
		}},
		{"put without a type", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b", "x"), 400, "MissingRequiredHeader")
		}},
		{"put with an unknown type", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b", "x", "x-ms-blob-type: Nonsense"), 400, "InvalidHeaderValue")
		}},
		{"an unknown comp", func(p *blobProbe) {
			p.answers(p.raw("GET", "/b?comp=nonsense", ""), 400, "InvalidQueryParameterValue")
		}},
		{"a malformed snapshot", func(p *blobProbe) {
			p.put("b", "x")
			p.answers(p.raw("GET", "/b?snapshot=yesterday", ""), 400, "InvalidQueryParameterValue")
		}},
		{"metadata with a name that is no identifier", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b", "x", "x-ms-blob-type: BlockBlob", "x-ms-meta-1a: x"), 400, "InvalidMetadata")
		}},
		{"metadata over 8 KiB", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b", "x", "x-ms-blob-type: BlockBlob", "x-ms-meta-a: "+strings.Repeat("x", 8200)), 400, "MetadataTooLarge")
		}},
		{"a body with a length over the limit", func(p *blobProbe) {
			p.pageBlob(16 << 10)
			p.answers(p.raw("PUT", "/b?comp=page", strings.Repeat("x", 5<<20), "x-ms-page-write: update", "x-ms-range: bytes=0-5242879"), 413, "RequestBodyTooLarge")
		}},
		{"a blob of the root container", func(p *blobProbe) {
			p.rawService("PUT", "/$root?restype=container", "")
			p.answers(p.rawService("PUT", "/at-root.txt", "x", "x-ms-blob-type: BlockBlob"), 201, "")
			equal(p, "content", p.answers(p.rawService("GET", "/at-root.txt", ""), 200, "").body, "x")
		}},
		{"account information", func(p *blobProbe) {
			r := p.answers(p.rawService("GET", "/?restype=account&comp=properties", ""), 200, "")
			equal(p, "kind", r.header.Get("x-ms-account-kind"), "StorageV2")
		}},
		{"a batch that is none", func(p *blobProbe) {
			r := p.rawService("POST", "/?comp=batch", "nonsense", "Content-Type: multipart/mixed; boundary=b")
			equal(p, "status", r.status, 400)
		}},
	}
}
