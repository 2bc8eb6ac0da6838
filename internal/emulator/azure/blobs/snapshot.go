package blobs

import (
	"bytes"
	"cmp"
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// createSnapshot is Snapshot Blob. The snapshot has the blob's ETag, unless the request gives it metadata of its own.
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
	rec.lease = lease{}
	if metadata != nil {
		rec.metadata, rec.etag = metadata, taken
	}
	ch := c.shelf.change()
	defer ch.discard()
	rec.body = ch.copyBody(t.rec.body)
	ch.set(c.shelf.space.Key(nil, blobRows, c.id, c.blob, taken.snapshot()), rec.append(nil))
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	c.h["X-Ms-Snapshot"] = []string{taken.snapshot()}
	c.h["X-Ms-Request-Server-Encrypted"] = []string{"false"}
	c.etagHeaders(rec.etag)
	return c.empty(http.StatusCreated)
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
	p = c.locked(version, func(t *target) *azure.Problem {
		if p := cmp.Or(c.mayWrite(t, false), c.tierConditions(&t.rec)); p != nil {
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
		return c.failed(ch.commit())
	})
	if p != nil {
		return p
	}
	c.h["X-Ms-Delete-Type-Permanent"] = c.s.yes
	return c.empty(http.StatusAccepted)
}

// deleteSnapshots removes a blob's snapshots. Problem: SnapshotsPresent, if the request does not ask for that.
func (c *call) deleteSnapshots(ch *change, allowed bool) *azure.Problem {
	sh := c.shelf
	lower, _ := sh.space.Range(blobRows, c.id, c.blob)
	upper := sh.space.Key(nil, blobRows, c.id, c.blob, stagedMark)
	present := false
	err := sh.engine.Each(lower, upper, nil, func(key, value []byte) (bool, error) {
		if present = true; !allowed {
			return false, nil
		}
		var rec record
		if err := rec.decode(value); err != nil {
			return false, err
		}
		ch.dropBody(rec.body)
		ch.delete(bytes.Clone(key))
		return true, nil
	})
	if err == nil && present && !allowed {
		return snapshotsPresent()
	}
	return c.failed(err)
}

// tierConditions are the conditions of Delete Blob on the time of the last tier change.
func (c *call) tierConditions(r *record) *azure.Problem {
	since, p := parseDate(c.HTTP.Header, "X-Ms-Access-Tier-If-Modified-Since")
	notSince, q := parseDate(c.HTTP.Header, "X-Ms-Access-Tier-If-Unmodified-Since")
	if p := cmp.Or(p, q); p != nil {
		return p
	}
	changed := r.tier.at(c.now).changed.seconds()
	if since != 0 && changed <= since || notSince != 0 && changed > notSince {
		return azure.NewProblem(http.StatusPreconditionFailed, "AccessTierChangeTimeConditionNotMet",
			"The condition specified on blob's access tier change time using HTTP conditional header(s) is not met.")
	}
	return nil
}
