package azure

import (
	"encoding/xml"
	"strings"
)

// blobErrors are requests that no SDK sends, and how errors look on the wire.
func blobErrors() []blobCase {
	return []blobCase{
		{"an error is XML with Azure's elements", nil, func(p *blobProbe) {
			r := p.answers(p.raw("GET", "/none", ""), 404, "BlobNotFound")
			var e struct {
				XMLName       xml.Name `xml:"Error"`
				Code, Message string
			}
			p.OK(xml.Unmarshal([]byte(strings.TrimPrefix(r.body, "\ufeff")), &e))
			equal(p, "code", e.Code, "BlobNotFound")
			if !strings.Contains(e.Message, "RequestId:") {
				p.Fatalf("message %q", e.Message)
			}
		}},
		{"HEAD of a missing blob has no body", nil, func(p *blobProbe) {
			r := p.answers(p.raw("HEAD", "/none", ""), 404, "BlobNotFound")
			equal(p, "body", r.body, "")
		}},
		{"the client's request id comes back", ErrorsRepeatRequestID, func(p *blobProbe) {
			r := p.raw("GET", "/none", "", "x-ms-client-request-id: mine")
			equal(p, "id", r.header.Get("x-ms-client-request-id"), "mine")
			if r.header.Get("x-ms-request-id") == "" {
				p.Fatalf("no x-ms-request-id")
			}
		}},
		refusing("put without a type", NamesMissingBlobType, "MissingRequiredHeader", "PUT", "/b", "x"),
		refusing("put with an unknown type", NamesUnknownBlobType, "InvalidHeaderValue",
			"PUT", "/b", "x", "x-ms-blob-type: Nonsense"),
		refusing("an unknown comp", RefusesUnknownComp, "InvalidQueryParameterValue",
			"GET", "/b?comp=nonsense", ""),
		{"a malformed snapshot", NamesMalformedSnapshots, func(p *blobProbe) {
			p.put("b", "x")
			p.answers(p.raw("GET", "/b?snapshot=yesterday", ""), 400, "InvalidQueryParameterValue")
		}},
	}
}

// blobEdges are limits, and addresses other than those of blobs.
func blobEdges() []blobCase {
	return []blobCase{
		refusing("metadata with a name that is not an identifier", nil, "InvalidMetadata",
			"PUT", "/b", "x", aBlockBlob, "x-ms-meta-1a: x"),
		refusing("metadata over 8 KiB", LimitsMetadata, "MetadataTooLarge",
			"PUT", "/b", "x", aBlockBlob, "x-ms-meta-a: "+strings.Repeat("x", 8200)),
		{"a body with a length over the limit", LimitsPageWrites, func(p *blobProbe) {
			p.pageBlob(16 << 10)
			p.answers(p.raw("PUT", "/b?comp=page", strings.Repeat("x", 5<<20), "x-ms-page-write: update",
				"x-ms-range: bytes=0-5242879"), 413, "RequestBodyTooLarge")
		}},
		{"a blob of the root container", HasRootContainer, func(p *blobProbe) {
			p.rawService("PUT", "/$root?restype=container", "")
			p.answers(p.rawService("PUT", "/at-root.txt", "x", aBlockBlob), 201, "")
			equal(p, "content", p.answers(p.rawService("GET", "/at-root.txt", ""), 200, "").body, "x")
		}},
		{"account information", nil, func(p *blobProbe) {
			r := p.answers(p.rawService("GET", "/?restype=account&comp=properties", ""), 200, "")
			equal(p, "kind", r.header.Get("x-ms-account-kind"), "StorageV2")
		}},
		{"an invalid batch", RefusesMalformedBlobBatches, func(p *blobProbe) {
			r := p.rawService("POST", "/?comp=batch", "nonsense", "Content-Type: multipart/mixed; boundary=b")
			equal(p, "status", r.status, 400)
		}},
	}
}
