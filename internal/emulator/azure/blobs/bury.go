package blobs

import (
	"encoding/binary"
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// deleteContainer is Delete Container. The container is gone with the answer, where Azure takes half a
// minute in which the name cannot be used; its blobs are removed after it.
// https://learn.microsoft.com/rest/api/storageservices/delete-container
func (c *call) deleteContainer() *azure.Problem {
	key := c.containerKey()
	defer c.Account.Data.Lock(key)()
	r, p := c.loadContainer()
	if p != nil {
		return p
	}
	if p := c.containerConditions(r); p != nil {
		return p
	}
	if p := c.checkLeaseID(); p != nil {
		return p
	}
	if p := r.lease.guardWrite(leaseOfContainer, c.leaseID(), c.now); p != nil {
		return p
	}
	ch := c.shelf.change()
	defer ch.discard()
	ch.delete(key)
	ch.set(c.shelf.space.Key(nil, deadRows, r.id), nil)
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	c.shelf.forget(c.container)
	if err := c.shelf.bury(); err != nil {
		return c.failed(err)
	}
	c.empty(http.StatusAccepted)
	return nil
}

// bury removes the rows and chunks of containers that were deleted, one batch for each. A stop in
// between leaves the container's mark, and the next start goes on.
func (s *shelf) bury() error {
	s.burying.Lock()
	defer s.burying.Unlock()
	var dead []string
	it, err := s.engine.Iter(s.space.Range(deadRows))
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		parts, err := s.space.Parts(it.Key())
		if err != nil || len(parts) != 2 {
			_ = it.Close() // the row is the error
			return errRecord
		}
		dead = append(dead, parts[1])
	}
	if err := it.Close(); err != nil {
		return err
	}
	for _, id := range dead {
		if err := s.buryOne(id); err != nil {
			return err
		}
	}
	return nil
}

func (s *shelf) buryOne(id string) error {
	ch := s.change()
	defer ch.discard()
	w := s.walk(id, "", "")
	for w.next() {
		if w.version == stagedMark {
			ch.dropStaged(id, string(w.name))
			continue
		}
		rec, err := w.record()
		if err != nil {
			w.close()
			return err
		}
		ch.dropBody(rec.body)
	}
	w.close()
	if w.err != nil {
		return w.err
	}
	ch.deleteRange(s.space.Range(blobRows, id))
	ch.deleteRange(s.space.Range(stagedRows, id))
	ch.delete(s.space.Key(nil, deadRows, id))
	return ch.commit()
}

func appendUint(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }
