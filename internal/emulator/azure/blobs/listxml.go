package blobs

import (
	"cmp"
	"encoding/base64"
)

// uncommitted writes the entry of a blob that only has uncommitted blocks: it has no length yet.
func (x *xmlWriter) uncommitted(name string) {
	x.open("Blob")
	x.name(name)
	x.open("Properties")
	x.number("Content-Length", 0)
	x.element("BlobType", blockBlob.String())
	x.close("Properties")
	x.close("Blob")
}

// writeBlob writes a blob's entry in a list.
func writeBlob(x *xmlWriter, l *listPage, w *walk, rec *record, now ticks) {
	x.open("Blob")
	x.name(string(w.name))
	x.identity(w, rec)
	deleted := w.table == goneRows
	if deleted {
		x.element("Deleted", "true")
	}
	x.open("Properties")
	writeProperties(x, rec, now)
	if w.version == baseMark { // only the blob has a lease
		x.lease(&rec.lease, now)
	}
	if l.include["copy"] {
		rec.copy.each(func(_, element, value string) { x.element(element, value) })
	}
	x.element("ServerEncrypted", "true")
	x.keyDigest(rec.key)
	if deleted {
		x.element("DeletedTime", w.deleted.at.http())
		x.number("RemainingRetentionDays", w.deleted.daysLeft(now))
	}
	if len(rec.tags) > 0 {
		x.number("TagCount", int64(len(rec.tags)))
	}
	x.close("Properties")
	if l.include["metadata"] {
		x.metadataOf(rec)
	}
	if l.include["tags"] && len(rec.tags) > 0 {
		x.tags(rec.tags)
	}
	x.empty("OrMetadata")
	x.close("Blob")
}

// identity writes which snapshot or version an entry is.
func (x *xmlWriter) identity(w *walk, rec *record) {
	switch {
	case w.table == orphanRow:
		x.element("VersionId", cmp.Or(rec.ended, rec.version).snapshot())
		x.element("IsCurrentVersion", "true")
		x.element("HasVersionsOnly", "true")
	case isSnapshot(w.version):
		x.element("Snapshot", w.version)
	case rec.version != 0:
		x.element("VersionId", rec.version.snapshot())
		if w.version == baseMark {
			x.element("IsCurrentVersion", "true")
		}
	}
}

func writeProperties(x *xmlWriter, rec *record, now ticks) {
	x.element("Creation-Time", rec.created.http())
	x.element("Last-Modified", rec.etag.http())
	x.open("Etag")
	x.b = rec.etag.appendETag(x.b)
	x.close("Etag")
	x.number("Content-Length", rec.size)
	h := &rec.headers
	x.element("Content-Type", h.contentType)
	x.element("Content-Encoding", h.encoding)
	x.element("Content-Language", h.language)
	x.empty("Content-CRC64")
	x.element("Content-MD5", base64.StdEncoding.EncodeToString([]byte(h.md5)))
	x.element("Cache-Control", h.cacheControl)
	x.element("Content-Disposition", h.disposition)
	if rec.kind == pageBlob {
		x.number("x-ms-blob-sequence-number", rec.sequence)
	}
	x.element("BlobType", rec.kind.String())
	if rec.kind == blockBlob {
		rec.tier.each(now, func(_, element, value string) { x.element(element, value) })
	}
	if rec.sealed {
		x.element("Sealed", "true")
	}
}

// lease writes the lease elements of a list entry.
func (x *xmlWriter) lease(l *lease, now ticks) {
	state := l.state(now)
	x.element("LeaseStatus", state.status())
	x.element("LeaseState", string(state))
	if state == leaseLeased {
		x.element("LeaseDuration", l.kind())
	}
}
