package blobs

import (
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// answer writes the answer to one request. Its methods return no problem, so that an operation can end with one of
// them.
type answer struct {
	w    http.ResponseWriter
	h    http.Header
	yes  []string // the shared value true
	head bool     // the answer has no body
}

// etag sets the headers of the answer to every write.
func (a *answer) etag(etag ticks) {
	values := []string{etag.quoted(), etag.http()}
	a.h["Etag"] = values[0:1:1]
	a.h["Last-Modified"] = values[1:2:2]
}

// version names the version that was written or read, if it has an id.
func (a *answer) version(id ticks) {
	if id != 0 {
		a.h["X-Ms-Version-Id"] = []string{id.snapshot()}
	}
}

// number sets a header to a number.
func (a *answer) number(name string, n int64) { a.h[name] = []string{strconv.FormatInt(n, 10)} }

// sums adds digests of a body.
func (a *answer) sums(sums digests, b *body) {
	if sums.md5 {
		a.h["Content-Md5"] = []string{b.md5Text()}
	}
	if sums.crc {
		a.h["X-Ms-Content-Crc64"] = []string{b.crcText()}
	}
}

// key adds the digest of the customer-provided key of what was read or written, if it has one.
func (a *answer) key(digest string) {
	if digest != "" {
		a.h["X-Ms-Encryption-Key-Sha256"] = []string{digestText(digest)}
	}
}

// encrypted adds the headers about the encryption of what was written, with a key of that digest or none.
func (a *answer) encrypted(key string) {
	a.h["X-Ms-Request-Server-Encrypted"] = a.yes
	a.key(key)
}

// tier writes the headers about a block blob's tier.
func (a *answer) tier(rec *record, now ticks) {
	if rec.kind == blockBlob {
		rec.tier.each(now, func(header, _, value string) { a.h[header] = []string{value} })
	}
}

// empty answers without a body. net/http adds the length; a ninth header of our own would make the map grow.
func (a *answer) empty(status int) *azure.Problem {
	a.w.WriteHeader(status)
	return nil
}

// changed answers 200 without a body, for a resource that has an ETag.
func (a *answer) changed(etag ticks) *azure.Problem {
	a.etag(etag)
	return a.empty(http.StatusOK)
}

// created answers 201 for content that was stored with a customer-provided key of that digest, or none.
func (a *answer) created(key string) *azure.Problem {
	a.encrypted(key)
	return a.empty(http.StatusCreated)
}

// xml answers 200 with a document.
func (a *answer) xml(x *xmlWriter) *azure.Problem {
	a.h["Content-Type"] = []string{"application/xml"}
	a.number("Content-Length", int64(len(x.b)))
	a.w.WriteHeader(http.StatusOK)
	if !a.head {
		_, _ = a.w.Write(x.b) // the client is gone
	}
	return nil
}
