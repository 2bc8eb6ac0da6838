package blobs

import (
	"cmp"
	"encoding/base64"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// The limits of bodies.
// https://learn.microsoft.com/azure/storage/blobs/scalability-targets
const (
	maxPutBlob     = 5000 << 20
	maxBlock       = 4000 << 20
	maxAppendBlock = 100 << 20
	maxPages       = 4 << 20
	maxPageBlob    = 8 << 40
)

// putBlob is Put Blob, Put Blob From URL, Copy Blob and Copy Blob From URL, distinguished by headers.
// https://learn.microsoft.com/rest/api/storageservices/put-blob
func (c *call) putBlob() *azure.Problem {
	if p := cmp.Or(c.onlyCurrent(), c.enter()); p != nil {
		return p
	}
	h := c.HTTP.Header
	kind := first(h, "X-Ms-Blob-Type")
	source := first(h, "X-Ms-Copy-Source")
	switch {
	case source != "" && kind == "":
		return c.copyBlob(source)
	case source != "" && kind == "BlockBlob":
		return c.putFromURL(source)
	case kind == "BlockBlob":
		return c.putBlockBlob()
	case kind == "PageBlob":
		return c.createPageBlob()
	case kind == "AppendBlob":
		return c.createEmpty(appendBlob, 0, 0)
	case kind == "":
		return azure.MissingHeader("x-ms-blob-type")
	}
	return azure.InvalidHeaderValue("x-ms-blob-type", kind)
}

func (c *call) putBlockBlob() *azure.Problem {
	rec, p := c.newRecord(blockBlob, true)
	if p != nil {
		return p
	}
	crc := first(c.HTTP.Header, "Content-Md5") == "" || c.Version >= bothDigests
	b, p := c.receive(maxPutBlob, memoryLimit, digests{md5: true, crc: crc})
	if p != nil {
		return p
	}
	defer c.s.release(b)
	return c.storeBody(&rec, b, crc)
}

// putFromURL is Put Blob From URL: the body is the source's; everything else is the request's, or the source's with
// x-ms-copy-source-blob-properties. https://learn.microsoft.com/rest/api/storageservices/put-blob-from-url
func (c *call) putFromURL(address string) *azure.Problem {
	rec, p := c.newRecord(blockBlob, false)
	if p != nil {
		return p
	}
	src, p := c.source(address, false)
	if p != nil {
		return p
	}
	if p := src.findReadable(c.HTTP.Header); p != nil {
		return p
	}
	given := src.target.rec
	src.done(&src.target)
	if first(c.HTTP.Header, "X-Ms-Copy-Source-Blob-Properties") != "false" {
		md5 := rec.headers.md5
		if rec.headers == (contentHeaders{contentType: defaultType, md5: md5}) {
			rec.headers = given.headers
			rec.headers.md5 = md5
		}
	}
	if first(c.HTTP.Header, "X-Ms-Copy-Source-Tag-Option") == "COPY" {
		rec.tags = given.tags
	}
	b, p := c.sourceBody(address, maxPutBlob, memoryLimit, digests{md5: true})
	if p != nil {
		return p
	}
	defer c.s.release(b)
	return c.storeBody(&rec, b, false)
}

// storeBody stores a blob whose MD5 is that of its body, and answers 201 with the digests, crc among them.
func (c *call) storeBody(rec *record, b *body, crc bool) *azure.Problem {
	if rec.headers.md5 != "" && rec.headers.md5 != string(b.md5[:]) {
		return md5Mismatch()
	}
	rec.headers.md5 = string(b.md5[:])
	if p := c.store(rec, b); p != nil {
		return p
	}
	var buffer [24]byte
	base64.StdEncoding.Encode(buffer[:], b.md5[:])
	values := []string{rec.etag.quoted(), rec.etag.http(), string(buffer[:])}
	c.h["Etag"] = values[0:1:1]
	c.h["Last-Modified"] = values[1:2:2]
	c.h["Content-Md5"] = values[2:3:3]
	c.versionHeader(rec.version)
	if crc {
		c.h["X-Ms-Content-Crc64"] = []string{b.crcText()}
	}
	return c.created()
}

// store replaces a whole blob: under its lock, after checking conditions and lease. The lease, snapshots and
// versions stay; uncommitted blocks are removed. b nil: the record is complete.
func (c *call) store(rec *record, b *body) *azure.Problem {
	return c.locked(baseMark, func(t *target) *azure.Problem {
		if p := cmp.Or(c.mayWrite(t, true), c.checkKind(t, rec.kind)); p != nil {
			return p
		}
		c.succeed(rec, t)
		if b != nil {
			rec.size = b.size
			if b.file == "" && b.size <= inlineLimit {
				rec.inline = b.data
				if c.replacesRow(t) {
					return c.setRow(t.key, rec)
				}
			}
		}
		return c.storeParts(t, rec, b)
	})
}

// succeed makes rec the successor of the existing blob.
func (c *call) succeed(rec *record, t *target) {
	c.touch(rec)
	rec.created, rec.version, rec.ended = rec.etag, c.newVersion(rec.etag), 0
	if t.exists {
		rec.lease = t.rec.lease
		if rec.version == 0 {
			rec.created = t.rec.created
		}
	}
}

// replacesRow reports whether a new blob has nothing to dispose of but the row that it replaces.
func (c *call) replacesRow(t *target) bool {
	return t.rec.body == "" && !c.shelf.staged.Load() && !c.keeps() && !c.shelf.gone.Load() && !c.versioned(t)
}

// replace begins a write that replaces the blob by one of a kind.
func (c *call) replace(t *target, successor kind) *change {
	ch := c.shelf.change()
	c.supersede(ch, t, successor)
	return ch
}

// setRow writes one row and nothing else.
func (c *call) setRow(key []byte, rec *record) *azure.Problem {
	row := c.s.bodies.get()
	*row = rec.append((*row)[:0])
	err := c.s.engine.Set(key, *row)
	c.s.bodies.Put(row)
	return c.failed(err)
}

// storeParts writes a row with its parts, and removes those of its predecessor.
func (c *call) storeParts(t *target, rec *record, b *body) *azure.Problem {
	ch := c.replace(t, rec.kind)
	defer ch.discard()
	if b != nil && rec.inline == nil && b.size > 0 {
		rec.body = newBody()
		ch.setExtent(rec.body, extent{end: b.size, chunk: ch.add(b)})
	}
	ch.set(t.key, rec.append(nil))
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	if b != nil {
		b.keep()
	}
	return nil
}

// createPageBlob creates a page blob of zeros.
func (c *call) createPageBlob() *azure.Problem {
	h := c.HTTP.Header
	text := first(h, "X-Ms-Blob-Content-Length")
	if text == "" {
		return azure.MissingHeader("x-ms-blob-content-length")
	}
	size, ok := digits(text)
	if !ok || size%pageSize != 0 || size > maxPageBlob {
		return azure.InvalidHeaderValue("x-ms-blob-content-length", text)
	}
	sequence := int64(0)
	if text := first(h, "X-Ms-Blob-Sequence-Number"); text != "" {
		if sequence, ok = digits(text); !ok {
			return azure.InvalidHeaderValue("x-ms-blob-sequence-number", text)
		}
	}
	return c.createEmpty(pageBlob, size, sequence)
}

func (c *call) createEmpty(k kind, size, sequence int64) *azure.Problem {
	if c.HTTP.ContentLength > 0 {
		return azure.InvalidHeaderValue("Content-Length", strconv.FormatInt(c.HTTP.ContentLength, 10))
	}
	rec, p := c.newRecord(k, true)
	if p != nil {
		return p
	}
	rec.size, rec.sequence = size, sequence
	if p := c.store(&rec, nil); p != nil {
		return p
	}
	c.etagHeaders(rec.etag)
	c.versionHeader(rec.version)
	return c.created()
}
