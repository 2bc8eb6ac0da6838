package blobs

import (
	"cmp"
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// createSnapshot is Snapshot Blob. The snapshot has the blob's ETag, unless the request gives it metadata of its own.
// https://learn.microsoft.com/rest/api/storageservices/snapshot-blob
func createSnapshot(c *call) *azure.Problem {
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
		return writeSnapshot(c, t, metadata)
	})
}

func writeSnapshot(c *call, t *target, metadata []pair) *azure.Problem {
	rec := t.rec
	taken := c.clock.Next(c.now)
	rec.lease, rec.version = lease{}, 0
	if metadata != nil {
		rec.metadata, rec.etag = metadata, taken
	}
	ch := c.shelf.change()
	defer ch.discard()
	rec.body = ch.copyBody(t.rec.body)
	ch.set(c.shelf.space.Key(nil, blobRows, c.id, c.blob, taken.snapshot()), rec.append(nil))
	if c.versioning { // the snapshot begins a version too, with the same content
		c.history().preserve(t, ch)
		t.rec.version = c.clock.Next(c.now)
		ch.set(t.key, t.rec.append(nil))
		c.answer.version(t.rec.version)
	}
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	c.answer.h["X-Ms-Snapshot"] = []string{taken.snapshot()}
	c.answer.h["X-Ms-Request-Server-Encrypted"] = []string{"false"}
	c.answer.etag(rec.etag)
	return c.answer.empty(http.StatusCreated)
}
