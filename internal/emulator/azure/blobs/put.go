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
func putBlob(c *call) *azure.Problem {
	if p := cmp.Or(c.onlyCurrent(), c.enter()); p != nil {
		return p
	}
	h := c.HTTP.Header
	kind := first(h, "X-Ms-Blob-Type")
	source := first(h, "X-Ms-Copy-Source")
	switch {
	case source != "" && kind == "":
		return copyBlob(c, source)
	case source != "" && kind == "BlockBlob":
		return putFromURL(c, source)
	case kind == "BlockBlob":
		return putBlockBlob(c)
	case kind == "PageBlob":
		return createPageBlob(c)
	case kind == "AppendBlob":
		return createEmpty(c, appendBlob, 0, 0)
	case kind == "":
		return azure.MissingHeader("x-ms-blob-type")
	}
	return azure.InvalidHeaderValue("x-ms-blob-type", kind)
}

func putBlockBlob(c *call) *azure.Problem {
	rec, p := newRecord(c, blockBlob, true)
	if p != nil {
		return p
	}
	crc := first(c.HTTP.Header, "Content-Md5") == "" || c.Version >= bothDigests
	b, p := receive(c, maxPutBlob, memoryLimit, digests{md5: true, crc: crc})
	if p != nil {
		return p
	}
	defer c.s.release(b)
	return storeBody(c, &rec, b, crc)
}

// putFromURL is Put Blob From URL: the body is the source's; everything else is the request's, or the source's with
// x-ms-copy-source-blob-properties. https://learn.microsoft.com/rest/api/storageservices/put-blob-from-url
func putFromURL(c *call, address string) *azure.Problem {
	rec, p := newRecord(c, blockBlob, false)
	if p != nil {
		return p
	}
	src, p := findSource(c, address, false)
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
	b, p := sourceBody(c, address, maxPutBlob, memoryLimit, digests{md5: true})
	if p != nil {
		return p
	}
	defer c.s.release(b)
	return storeBody(c, &rec, b, false)
}

// storeBody stores a blob whose MD5 is that of its body, and answers 201 with the digests, crc among them.
func storeBody(c *call, rec *record, b *body, crc bool) *azure.Problem {
	if rec.headers.md5 != "" && rec.headers.md5 != string(b.md5[:]) {
		return md5Mismatch()
	}
	rec.headers.md5 = string(b.md5[:])
	if p := storeBlob(c, rec, b); p != nil {
		return p
	}
	var buffer [24]byte
	base64.StdEncoding.Encode(buffer[:], b.md5[:])
	values := []string{rec.etag.quoted(), rec.etag.http(), string(buffer[:])}
	c.answer.h["Etag"] = values[0:1:1]
	c.answer.h["Last-Modified"] = values[1:2:2]
	c.answer.h["Content-Md5"] = values[2:3:3]
	c.answer.version(rec.version)
	if crc {
		c.answer.h["X-Ms-Content-Crc64"] = []string{b.crcText()}
	}
	return c.answer.created(c.key)
}

// storeBlob replaces a whole blob: under its lock, after checking conditions and lease. The lease, snapshots and
// versions stay; uncommitted blocks are removed. b nil: the record is complete.
func storeBlob(c *call, rec *record, b *body) *azure.Problem {
	return c.locked(baseMark, func(t *target) *azure.Problem {
		if p := cmp.Or(c.mayWrite(t, true), checkKind(c, t, rec.kind)); p != nil {
			return p
		}
		c.history().succeed(rec, t)
		if b != nil {
			rec.size = b.size
			if b.file == "" && b.size <= inlineLimit {
				rec.inline = b.data
				if replacesRow(c, t) {
					return c.setRow(t.key, rec)
				}
			}
		}
		return storeParts(c, t, rec, b)
	})
}

// replacesRow reports whether a new blob has nothing to dispose of but the row that it replaces.
func replacesRow(c *call, t *target) bool {
	h := c.history()
	return t.rec.body == "" && !c.shelf.staged.Load() && !h.keeps() && !c.shelf.gone.Load() && !h.versioned(t)
}

// replaceBlob begins a write that replaces the blob by one of a kind.
func replaceBlob(c *call, t *target, successor kind) *change {
	ch := c.shelf.change()
	c.history().supersede(ch, t, successor)
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
func storeParts(c *call, t *target, rec *record, b *body) *azure.Problem {
	ch := replaceBlob(c, t, rec.kind)
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
func createPageBlob(c *call) *azure.Problem {
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
	return createEmpty(c, pageBlob, size, sequence)
}

func createEmpty(c *call, k kind, size, sequence int64) *azure.Problem {
	if c.HTTP.ContentLength > 0 {
		return azure.InvalidHeaderValue("Content-Length", strconv.FormatInt(c.HTTP.ContentLength, 10))
	}
	rec, p := newRecord(c, k, true)
	if p != nil {
		return p
	}
	rec.size, rec.sequence = size, sequence
	if p := storeBlob(c, &rec, nil); p != nil {
		return p
	}
	c.answer.etag(rec.etag)
	c.answer.version(rec.version)
	return c.answer.created(c.key)
}
