package blobs

import (
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// createSnapshot is Snapshot Blob. The snapshot has the blob's ETag, unless it is given metadata of its
// own.
// https://learn.microsoft.com/rest/api/storageservices/snapshot-blob
func (c *call) createSnapshot() *azure.Problem {
	if p := c.noSnapshot(); p != nil {
		return p
	}
	metadata, p := parseMetadata(c.HTTP.Header)
	if p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	var t target
	unlock, p := c.lock(&t)
	if p != nil {
		return p
	}
	defer unlock()
	defer c.done(&t)
	if !t.exists {
		return blobNotFound()
	}
	conditions, p := parseConditions(c.HTTP.Header, ownConditions())
	if p != nil {
		return p
	}
	if p := conditions.write(true, t.rec.etag, t.rec.tags); p != nil {
		return p
	}
	if p := t.rec.lease.guardRead(leaseOfBlob, c.leaseID(), c.now); p != nil {
		return p
	}
	rec := t.rec
	taken := c.s.clock.next(c.Now)
	rec.lease = lease{}
	if metadata != nil {
		rec.metadata, rec.etag = metadata, taken
	}
	ch := c.shelf.change()
	defer ch.discard()
	if rec.body != "" {
		rec.body = newBody()
		ch.copyBody(t.rec.body, rec.body)
	}
	ch.set(c.shelf.space.Key(nil, blobRows, c.id, c.blob, taken.snapshot()), rec.append(nil))
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	c.h["X-Ms-Snapshot"] = []string{taken.snapshot()}
	c.h["X-Ms-Request-Server-Encrypted"] = []string{"false"}
	c.etagHeaders(rec.etag)
	c.empty(http.StatusCreated)
	return nil
}

// Which snapshots Delete Blob removes, spelled as in x-ms-delete-snapshots.
const (
	deleteInclude = "include" // the blob and its snapshots
	deleteOnly    = "only"    // the snapshots, not the blob
)

// deleteBlob is Delete Blob, for a blob or a snapshot.
// https://learn.microsoft.com/rest/api/storageservices/delete-blob
func (c *call) deleteBlob() *azure.Problem {
	which := first(c.HTTP.Header, "X-Ms-Delete-Snapshots")
	if which != "" && which != deleteInclude && which != deleteOnly {
		return azure.InvalidHeaderValue("x-ms-delete-snapshots", which)
	}
	version, p := c.version()
	if p != nil {
		return p
	}
	if version != baseMark && which != "" {
		return azure.InvalidHeaderValue("x-ms-delete-snapshots", which)
	}
	if p := c.enter(); p != nil {
		return p
	}
	var t target
	base := c.shelf.space.Key(nil, blobRows, c.id, c.blob, baseMark)
	defer c.Account.Data.Lock(base)()
	if p := c.load(&t, version); p != nil {
		return p
	}
	defer c.done(&t)
	if p := c.mayWrite(&t, false); p != nil {
		return p
	}
	if p := c.tierConditions(&t.rec); p != nil {
		return p
	}
	ch := c.shelf.change()
	defer ch.discard()
	if version == baseMark {
		if p := c.deleteSnapshots(ch, which != ""); p != nil {
			return p
		}
	}
	if which != deleteOnly {
		ch.dropBody(t.rec.body)
		ch.delete(t.key)
		if version == baseMark {
			ch.dropStaged(c.id, c.blob)
		}
	}
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	c.h["X-Ms-Delete-Type-Permanent"] = c.s.yes
	c.empty(http.StatusAccepted)
	return nil
}

// deleteSnapshots removes a blob's snapshots. Problem: SnapshotsPresent, when that was not asked for.
func (c *call) deleteSnapshots(ch *change, allowed bool) *azure.Problem {
	sh := c.shelf
	lower, _ := sh.space.Range(blobRows, c.id, c.blob)
	it, err := sh.engine.Iter(lower, sh.space.Key(nil, blobRows, c.id, c.blob, stagedMark))
	if err != nil {
		return c.failed(err)
	}
	var p *azure.Problem
	for ok := it.First(); ok && p == nil; ok = it.Next() {
		if !allowed {
			p = snapshotsPresent()
			break
		}
		var rec record
		value, err := it.Value()
		if err == nil {
			err = rec.decode(value)
		}
		if err != nil {
			p = c.failed(err)
			break
		}
		ch.dropBody(rec.body)
		ch.delete(append([]byte(nil), it.Key()...))
	}
	if err := it.Close(); err != nil && p == nil {
		p = c.failed(err)
	}
	return p
}

// tierConditions are the conditions of Delete Blob about when the tier was changed.
func (c *call) tierConditions(r *record) *azure.Problem {
	since, p := parseDate(c.HTTP.Header, "X-Ms-Access-Tier-If-Modified-Since")
	if p != nil {
		return p
	}
	notSince, p := parseDate(c.HTTP.Header, "X-Ms-Access-Tier-If-Unmodified-Since")
	if p != nil {
		return p
	}
	changed := r.tier.changed.seconds()
	if since != 0 && changed <= since || notSince != 0 && changed > notSince {
		return azure.NewProblem(http.StatusPreconditionFailed, "AccessTierChangeTimeConditionNotMet",
			"The condition specified on blob's access tier change time using HTTP conditional header(s) is not met.")
	}
	return nil
}
