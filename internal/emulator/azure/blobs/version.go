package blobs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// Previous versions of a blob have rows among those of its snapshots. The current one is the blob itself, whose record
// has the version's id. https://learn.microsoft.com/azure/storage/blobs/versioning-overview

// versionKey returns the last part of the key that a previous version has.
func versionKey(id ticks) string { return id.snapshot() + versionMark }

// isVersion reports whether a row is that of a previous version, by the last part of its key.
func isVersion(version string) bool { return strings.HasSuffix(version, versionMark) }

// versioned reports whether the blob becomes a previous version when it is replaced or deleted: versions that were made
// before the account stopped keeping them stay.
func (c *call) versioned(t *target) bool { return t.exists && (c.s.versioning || t.rec.version != 0) }

// setVersion writes a previous version, which shares no body with another row. ended is when its blob was deleted; 0:
// it was replaced. A blob that was written without a version gets the time of its creation for an id, unless another
// version has that, from before the account stopped keeping them for a while.
func (c *call) setVersion(ch *change, rec record, ended ticks) {
	if rec.version == 0 {
		taken, err := c.hasVersion(rec.created)
		ch.fail(err)
		if rec.version = rec.created; taken {
			rec.version = rec.etag
		}
	}
	rec.ended, rec.lease = ended, lease{}
	ch.set(c.shelf.space.Key(nil, blobRows, c.id, c.blob, versionKey(rec.version)), rec.append(nil))
}

// hasVersion reports whether the blob has a previous version of that id, soft-deleted or not.
func (c *call) hasVersion(id ticks) (bool, error) {
	for _, table := range []string{blobRows, goneRows} {
		key := c.shelf.space.Key(nil, table, c.id, c.blob, versionKey(id))
		if _, found, err := c.s.engine.Get(key, nil); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// preserve makes a copy of the blob a previous version, before a write that changes it in place.
func (c *call) preserve(t *target, ch *change) {
	if c.versioned(t) {
		old := t.rec
		old.body = ch.copyBody(t.rec.body)
		c.setVersion(ch, old, 0)
	}
}

// newVersion returns the id of a version that is written now; 0 if the account keeps none.
func (c *call) newVersion(now ticks) ticks {
	if c.s.versioning {
		return now
	}
	return 0
}

// versionHeader names the version that was written or read, if it has an id.
func (c *call) versionHeader(id ticks) {
	if id != 0 {
		c.h["X-Ms-Version-Id"] = []string{id.snapshot()}
	}
}

// loadCurrent reads the blob as a version that it may be. A blob that is not may have been when the previous versions
// were looked at, and is one of them now.
func (c *call) loadCurrent(t *target, version string) *azure.Problem {
	previous := t.key
	t.key = c.shelf.space.Key(nil, blobRows, c.id, c.blob, baseMark)
	if p := c.loadRow(t); p != nil {
		return p
	}
	if t.exists && versionKey(t.rec.version) == version {
		t.current = true
		return nil
	}
	c.done(t)
	t.key, t.rec = previous, record{}
	return c.loadRow(t)
}

// checkKind checks that a new blob is of the type of its versions: of the current one, or else of all the others,
// soft-deleted ones too. Problem: InvalidBlobType.
func (c *call) checkKind(t *target, k kind) *azure.Problem {
	if !c.s.versioning && !c.versioned(t) {
		return nil
	}
	same := t.rec.kind == k
	if !t.exists {
		var err error
		if same, err = c.haveKind(k); err != nil {
			return c.failed(err)
		}
	}
	if !same {
		return invalidBlobType()
	}
	return nil
}

// haveKind reports whether all previous versions of the blob are of a type, soft-deleted ones too.
func (c *call) haveKind(k kind) (bool, error) {
	rows, _, err := c.shelf.goneOf(c.id, c.blob, c.now)
	other := func(row goneRow) bool { return isVersion(row.version) && row.rec.kind != k }
	if err != nil || slices.ContainsFunc(rows, other) {
		return false, err
	}
	same := true
	err = c.eachEarlier(func(_ []byte, version string, rec *record) bool {
		same = !isVersion(version) || rec.kind == k
		return same
	})
	return same, err
}

// eachEarlier calls do with the rows of the blob's snapshots and previous versions, from the oldest on, until it
// returns false. Key and record are valid only during the call.
func (c *call) eachEarlier(do func(key []byte, version string, rec *record) bool) error {
	sh := c.shelf
	lower, _ := sh.space.Range(blobRows, c.id, c.blob)
	upper := sh.space.Key(nil, blobRows, c.id, c.blob, stagedMark)
	return sh.engine.Each(lower, upper, nil, func(key, value []byte) (bool, error) {
		parts, err := sh.space.Parts(key)
		if err != nil || len(parts) != 4 {
			return false, fmt.Errorf("snapshot or version: %w", errRecord)
		}
		var rec record
		if err := rec.decode(value); err != nil {
			return false, fmt.Errorf("snapshot or version: %w", err)
		}
		return do(key, parts[3], &rec), nil
	})
}
