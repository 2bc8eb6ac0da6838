package blobs

import (
	"cmp"
	"maps"
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// deleteContainer is Delete Container. The container is gone with the answer, whereas in Azure its name cannot be used
// for half a minute; its blobs are removed afterwards.
// https://learn.microsoft.com/rest/api/storageservices/delete-container
func (c *call) deleteContainer() *azure.Problem {
	if c.container == logsContainer {
		return azure.AuthorizationFailure()
	}
	p := c.deleteExisting()
	if p != nil && p.Code == "ContainerNotFound" && c.shelf.beingDeleted(c.container, c.now) {
		return c.empty(http.StatusAccepted)
	}
	return p
}

func (c *call) deleteExisting() *azure.Problem {
	return c.lockedContainer(func(key []byte, r *containerRecord) *azure.Problem {
		if p := cmp.Or(c.checkLeaseID(), r.lease.guardWrite(leaseOfContainer, c.leaseID(), c.now)); p != nil {
			return p
		}
		ch := c.shelf.change()
		defer ch.discard()
		ch.delete(key)
		ch.set(c.shelf.space.Key(nil, deadRows, r.id), nil)
		if err := ch.commit(); err != nil {
			return c.failed(err)
		}
		c.shelf.forget(c.container, c.now)
		if err := c.shelf.bury(); err != nil {
			return c.failed(err)
		}
		return c.empty(http.StatusAccepted)
	})
}

// deletionTime is how long Azure takes to delete a container, at least; deleting it again is accepted meanwhile.
const deletionTime = 30 * ticks(azure.SecondTicks)

// beingDeleted reports whether Azure would still be deleting a container of that name.
func (s *shelf) beingDeleted(name string, now ticks) bool {
	s.remembered.RLock()
	defer s.remembered.RUnlock()
	deleted, found := s.deleted[name]
	return found && now < deleted+deletionTime
}

// forget removes a deleted container from the cache; the caller holds its lock.
func (s *shelf) forget(name string, now ticks) {
	s.remembered.Lock()
	defer s.remembered.Unlock()
	delete(s.containers, name)
	maps.DeleteFunc(s.deleted, func(_ string, at ticks) bool { return now >= at+deletionTime })
	s.deleted[name] = now
}

// bury removes the rows and chunks of deleted containers, one batch for each. If it is interrupted, the container's
// mark remains, and the next start continues.
func (s *shelf) bury() error {
	s.burying.Lock()
	defer s.burying.Unlock()
	var dead []string
	lower, upper := s.space.Range(deadRows)
	err := s.engine.Each(lower, upper, nil, func(key, _ []byte) (bool, error) {
		parts, err := s.space.Parts(key)
		if err != nil || len(parts) != 2 {
			return false, errRecord
		}
		dead = append(dead, parts[1])
		return true, nil
	})
	if err != nil {
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
	for _, table := range []string{blobRows, goneRows} {
		if err := ch.dropBodies(table, id); err != nil {
			return err
		}
		ch.deleteRange(s.space.Range(table, id))
	}
	ch.deleteRange(s.space.Range(stagedRows, id))
	ch.delete(s.space.Key(nil, deadRows, id))
	return ch.commit()
}

// dropBodies removes the bodies and uncommitted blocks of all rows of a container in a table.
func (c *change) dropBodies(table, container string) error {
	w := c.shelf.walk(table, container, "", "")
	defer w.close()
	for w.next() {
		if w.version == stagedMark {
			c.dropStaged(container, string(w.name))
			continue
		}
		rec, err := w.record()
		if err != nil {
			return err
		}
		c.dropBody(rec.body)
	}
	return w.err
}
