package blobs

import (
	"fmt"
	"slices"
)

// history is what an account keeps of one blob besides the blob itself: its snapshots, its previous versions and its
// soft-deleted states. What replaces, changes or deletes the blob goes through it.
type history struct{ *place }

func (c *call) history() history { return history{&c.place} }

// versioned reports whether the blob becomes a previous version when it is replaced or deleted: versions that were made
// before the account stopped keeping them stay.
func (h history) versioned(t *target) bool { return t.exists && (h.versioning || t.rec.version != 0) }

// keeps reports whether the account keeps what is deleted.
func (h history) keeps() bool { return h.kept.Days > 0 }

// newVersion returns the id of a version that is written now; 0 if the account keeps none.
func (h history) newVersion(now ticks) ticks {
	if h.versioning {
		return now
	}
	return 0
}

// deletion returns what the account's setting makes of a deletion now.
func (h history) deletion() deletion {
	return deletion{h.now, h.now + ticks(h.kept.Days)*dayTicks}
}

// succeed makes rec the successor of the existing blob.
func (h history) succeed(rec *record, t *target) {
	rec.etag = h.clock.Next(h.now)
	rec.created, rec.version, rec.ended = rec.etag, h.newVersion(rec.etag), 0
	if t.exists {
		rec.lease = t.rec.lease
		if rec.version == 0 {
			rec.created = t.rec.created
		}
	}
}

// supersede disposes of what a new blob replaces: uncommitted blocks, and the blob itself, which the account may keep
// as a previous version, or else as a soft-deleted snapshot, though never an archived one.
func (h history) supersede(ch *change, t *target, successor kind) {
	ch.dropStaged(h.id, h.blob)
	switch {
	case !t.exists:
		h.supersedeGone(ch, successor)
	case h.versioned(t):
		h.setVersion(ch, t.rec, 0)
	case h.keeps() && !t.rec.archived(h.now):
		ch.keep(h.id, h.blob, h.clock.Next(h.now).snapshot(), t.rec, h.deletion())
	default:
		ch.dropBody(t.rec.body)
	}
}

// supersedeGone makes a soft-deleted blob, which a new one of its type replaces, a soft-deleted snapshot. One of
// another type ends all that is soft-deleted of the blob.
func (h history) supersedeGone(ch *change, successor kind) {
	rows, err := ch.goneOf(h.id, h.blob, h.now)
	ch.fail(err)
	i := slices.IndexFunc(rows, func(row goneRow) bool { return row.version == baseMark })
	if i < 0 {
		return
	}
	if base := &rows[i]; base.rec.kind == successor {
		ch.delete(base.key)
		ch.keep(h.id, h.blob, h.clock.Next(h.now).snapshot(), base.rec, base.deletion)
		return
	}
	for i := range rows {
		ch.forget(&rows[i])
	}
}

// removeBlob removes a blob, and reports whether something of it is kept: it may become a previous version.
func (h history) removeBlob(ch *change, t *target) bool {
	if !h.versioned(t) {
		h.remove(ch, t.key, baseMark, &t.rec)
		return h.keeps()
	}
	ch.delete(t.key)
	h.setVersion(ch, t.rec, h.clock.Next(h.now))
	return true
}

// remove removes the row of a blob, a snapshot or a version, or makes it a soft-deleted one.
func (h history) remove(ch *change, key []byte, version string, rec *record) {
	ch.delete(key)
	if h.keeps() {
		ch.keep(h.id, h.blob, version, *rec, h.deletion())
		return
	}
	ch.dropBody(rec.body)
}

// forgetSnapshots removes the soft-deleted snapshots of a blob that is deleted for good, and reports whether there are
// any: they count as snapshots then.
func (h history) forgetSnapshots(ch *change) (some bool, err error) {
	rows, err := ch.goneOf(h.id, h.blob, h.now)
	for i := range rows {
		if isSnapshot(rows[i].version) {
			some = true
			ch.forget(&rows[i])
		}
	}
	return some, err
}

// preserve makes a copy of the blob a previous version, before a write that changes it in place.
func (h history) preserve(t *target, ch *change) {
	if h.versioned(t) {
		old := t.rec
		old.body = ch.copyBody(t.rec.body)
		h.setVersion(ch, old, 0)
	}
}

// setVersion writes a previous version, which shares no body with another row. ended is when its blob was deleted; 0:
// it was replaced. A blob that was written without a version gets the time of its creation for an id, unless another
// version has that, from before the account stopped keeping them for a while.
func (h history) setVersion(ch *change, rec record, ended ticks) {
	if rec.version == 0 {
		taken, err := h.hasVersion(rec.created)
		ch.fail(err)
		if rec.version = rec.created; taken {
			rec.version = rec.etag
		}
	}
	rec.ended, rec.lease = ended, lease{}
	ch.set(h.shelf.space.Key(nil, blobRows, h.id, h.blob, versionKey(rec.version)), rec.append(nil))
}

// hasVersion reports whether the blob has a previous version of that id, soft-deleted or not.
func (h history) hasVersion(id ticks) (bool, error) {
	for _, table := range []string{blobRows, goneRows} {
		key := h.shelf.space.Key(nil, table, h.id, h.blob, versionKey(id))
		if _, found, err := h.shelf.engine.Get(key, nil); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// haveKind reports whether all previous versions of the blob are of a type, soft-deleted ones too.
func (h history) haveKind(k kind) (bool, error) {
	rows, _, err := h.shelf.goneOf(h.id, h.blob, h.now)
	other := func(row goneRow) bool { return isVersion(row.version) && row.rec.kind != k }
	if err != nil || slices.ContainsFunc(rows, other) {
		return false, err
	}
	same := true
	err = h.eachEarlier(func(_ []byte, version string, rec *record) bool {
		same = !isVersion(version) || rec.kind == k
		return same
	})
	return same, err
}

// eachEarlier calls do with the rows of the blob's snapshots and previous versions, from the oldest on, until it
// returns false. Key and record are valid only during the call.
func (h history) eachEarlier(do func(key []byte, version string, rec *record) bool) error {
	sh := h.shelf
	lower, _ := sh.space.Range(blobRows, h.id, h.blob)
	upper := sh.space.Key(nil, blobRows, h.id, h.blob, stagedMark)
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
