package blobs

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"slices"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// Soft-deleted blobs, snapshots and versions have rows of their own, goneRows, with the same keys as the others, so
// that nothing else has to pass over them. https://learn.microsoft.com/azure/storage/blobs/soft-delete-blob-overview

// dayTicks is the length of a day, in which retention counts.
const dayTicks = 24 * 60 * 60 * ticks(azure.SecondTicks)

// deletion is when something was soft-deleted, and when it goes for good. The zero value: it was not.
type deletion struct{ at, until ticks }

// deletionSize is the length of an encoded deletion, which a soft-deleted row begins with.
const deletionSize = 16

func (d deletion) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(d.at))
	return binary.BigEndian.AppendUint64(b, uint64(d.until))
}

// decodeDeletion returns the deletion and the rest of a soft-deleted row, which is a record.
func decodeDeletion(value []byte) (d deletion, rest []byte, err error) {
	if len(value) < deletionSize {
		return d, nil, fmt.Errorf("soft-deleted blob: %w", errRecord)
	}
	d.at, d.until = ticks(binary.BigEndian.Uint64(value)), ticks(binary.BigEndian.Uint64(value[8:]))
	return d, value[deletionSize:], nil
}

// daysLeft returns the whole days until it goes, as lists show them: a moment after the deletion, one has begun.
func (d deletion) daysLeft(now ticks) int64 {
	return max(0, int64((d.until-now-1)/dayTicks))
}

// goneRow is a soft-deleted blob, snapshot or version.
type goneRow struct {
	key     []byte
	version string
	deletion
	rec record
}

// keep writes a soft-deleted row. Its body stays; its lease ends.
func (c *change) keep(container, blob, version string, rec record, d deletion) {
	rec.lease = lease{}
	key := c.shelf.space.Key(nil, goneRows, container, blob, version)
	c.set(key, rec.append(d.append(make([]byte, 0, deletionSize+len(rec.inline)+256))))
	c.shelf.gone.Store(true)
	c.until = min(c.until, d.until)
}

// forget removes a soft-deleted row and its body.
func (c *change) forget(row *goneRow) {
	c.dropBody(row.rec.body)
	c.delete(row.key)
}

// goneOf returns what is soft-deleted of a blob, and what of it has expired: snapshots also with their blob.
func (s *shelf) goneOf(container, blob string, now ticks) (kept, expired []goneRow, err error) {
	if !s.gone.Load() {
		return nil, nil, nil
	}
	var rows []goneRow
	lower, upper := s.space.Range(goneRows, container, blob)
	err = s.engine.Each(lower, upper, nil, func(key, value []byte) (bool, error) {
		row, err := s.decodeGone(key, value)
		rows = append(rows, row)
		return true, err
	})
	if err != nil {
		return nil, nil, err
	}
	ended := slices.ContainsFunc(rows, func(r goneRow) bool { return r.version == baseMark && now >= r.until })
	for _, row := range rows {
		if now >= row.until || ended && isSnapshot(row.version) {
			expired = append(expired, row)
		} else {
			kept = append(kept, row)
		}
	}
	return kept, expired, nil
}

// goneOf returns what is soft-deleted of a blob, and forgets what has expired.
func (c *change) goneOf(container, blob string, now ticks) ([]goneRow, error) {
	kept, expired, err := c.shelf.goneOf(container, blob, now)
	for i := range expired {
		c.forget(&expired[i])
	}
	return kept, err
}

func (s *shelf) decodeGone(key, value []byte) (row goneRow, err error) {
	parts, err := s.space.Parts(key)
	if err != nil || len(parts) != 4 {
		return row, fmt.Errorf("soft-deleted blob: %w", errRecord)
	}
	row.key, row.version = append(row.key, key...), parts[3]
	var rest []byte
	if row.deletion, rest, err = decodeDeletion(value); err == nil {
		err = row.rec.decode(append([]byte(nil), rest...)) // the value is the iterator's
	}
	return row, err
}

// isSnapshot reports whether a row is that of a snapshot, by the last part of its key.
func isSnapshot(version string) bool {
	return version != baseMark && version != stagedMark && !isVersion(version)
}

// undeleteBlob is Undelete Blob: it restores the blob and everything else that is soft-deleted of it.
// https://learn.microsoft.com/rest/api/storageservices/undelete-blob
func undeleteBlob(c *call) *azure.Problem {
	if p := cmp.Or(c.onlyCurrent(), c.enter()); p != nil {
		return p
	}
	p := c.locked(baseMark, func(t *target) *azure.Problem {
		ch := c.shelf.change()
		defer ch.discard()
		rows, err := ch.goneOf(c.id, c.blob, c.now)
		if err != nil {
			return c.failed(err)
		}
		// Without their blob, or a version of it, snapshots do not come back.
		found := t.exists || slices.ContainsFunc(rows, func(row goneRow) bool { return !isSnapshot(row.version) })
		if !found {
			err := c.history().eachEarlier(func(_ []byte, version string, _ *record) bool {
				found = isVersion(version)
				return !found
			})
			if err != nil {
				return c.failed(err)
			}
		}
		if !found {
			return blobNotFound()
		}
		for i := range rows {
			row := &rows[i]
			ch.delete(row.key)
			ch.set(c.shelf.space.Key(nil, blobRows, c.id, c.blob, row.version), row.rec.append(nil))
		}
		return c.failed(ch.commit())
	})
	if p != nil {
		return p
	}
	return c.answer.empty(http.StatusOK)
}

// noExpiry is when a shelf without soft-deleted blobs is purged.
const noExpiry = math.MaxInt64

// purgePause is the least time between two purges, each of which passes over all that is soft-deleted.
const purgePause = dayTicks / 24

// prepare reads the account's setting, for a write, and purges what has expired, if it is time.
func (c *call) prepare() (err error) {
	if int64(c.now) >= c.shelf.expiry.Load() {
		if err := c.shelf.purge(c.now); err != nil {
			c.s.log("blob service: purge soft-deleted blobs: %v", err) // what has expired is hidden all the same
		}
	}
	if c.HTTP.Method != http.MethodGet && c.HTTP.Method != http.MethodHead {
		c.kept, err = c.SoftDelete()
	}
	return err
}

// expireAt makes the next purge be no later than a time.
func (s *shelf) expireAt(t ticks) {
	for {
		next := s.expiry.Load()
		if next <= int64(t) || s.expiry.CompareAndSwap(next, int64(t)) {
			return
		}
	}
}

// purge removes what has expired by a time, and its bodies. The caller holds no lock.
func (s *shelf) purge(now ticks) error {
	if !s.purging.TryLock() {
		return nil // it is being done
	}
	defer s.purging.Unlock()
	s.expiry.Store(noExpiry) // whatever is deleted from here on moves it again
	next := ticks(noExpiry)
	var expired [][2]string // containers and names
	lower, upper := s.space.Range(goneRows)
	err := s.engine.Each(lower, upper, nil, func(key, value []byte) (bool, error) {
		d, _, err := decodeDeletion(value)
		if err != nil || now < d.until {
			next = min(next, d.until)
			return true, err
		}
		parts, err := s.space.Parts(key)
		if err != nil || len(parts) != 4 {
			return false, fmt.Errorf("soft-deleted blob: %w", errRecord)
		}
		if blob := [2]string{parts[1], parts[2]}; len(expired) == 0 || expired[len(expired)-1] != blob {
			expired = append(expired, blob)
		}
		return true, nil
	})
	for i := 0; i < len(expired) && err == nil; i++ {
		err = s.purgeBlob(expired[i][0], expired[i][1], now)
	}
	if err != nil {
		next = 0
	}
	if next != noExpiry {
		s.expireAt(max(next, now+purgePause))
	}
	return err
}

func (s *shelf) purgeBlob(container, blob string, now ticks) error {
	defer s.account.Lock(s.space.Key(nil, blobRows, container, blob, baseMark))()
	s.burying.Lock() // the container may be removed at the same time
	defer s.burying.Unlock()
	ch := s.change()
	defer ch.discard()
	if _, err := ch.goneOf(container, blob, now); err != nil {
		return err
	}
	return ch.commit()
}
