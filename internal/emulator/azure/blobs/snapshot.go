package blobs

import (
	"cmp"
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// createSnapshot is Snapshot Blob. The snapshot has the blob's ETag, unless the request gives it metadata of its own.
// https://learn.microsoft.com/rest/api/storageservices/snapshot-blob
func (c *call) createSnapshot() *azure.Problem {
	if p := c.onlyCurrent(); p != nil {
		return p
	}
	metadata, p := parseMetadata(c.HTTP.Header)
	if p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	return c.locked(baseMark, func(t *target) *azure.Problem {
		if p := cmp.Or(c.meets(t, false), t.rec.lease.guardRead(leaseOfBlob, c.leaseID(), c.now),
			c.unlocks(&t.rec)); p != nil {
			return p
		}
		return c.writeSnapshot(t, metadata)
	})
}

func (c *call) writeSnapshot(t *target, metadata []pair) *azure.Problem {
	rec := t.rec
	taken := c.s.clock.Next(c.Now)
	rec.lease, rec.version = lease{}, 0
	if metadata != nil {
		rec.metadata, rec.etag = metadata, taken
	}
	ch := c.shelf.change()
	defer ch.discard()
	rec.body = ch.copyBody(t.rec.body)
	ch.set(c.shelf.space.Key(nil, blobRows, c.id, c.blob, taken.snapshot()), rec.append(nil))
	if c.s.versioning { // the snapshot begins a version too, with the same content
		c.preserve(t, ch)
		t.rec.version = c.s.clock.Next(c.Now)
		ch.set(t.key, t.rec.append(nil))
		c.versionHeader(t.rec.version)
	}
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	c.h["X-Ms-Snapshot"] = []string{taken.snapshot()}
	c.h["X-Ms-Request-Server-Encrypted"] = []string{"false"}
	c.etagHeaders(rec.etag)
	return c.empty(http.StatusCreated)
}
