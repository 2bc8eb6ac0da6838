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
func deleteContainer(c *call) *azure.Problem {
	if c.container == logsContainer {
		return azure.AuthorizationFailure()
	}
	p := deleteExisting(c)
	if p != nil && p.Code == "ContainerNotFound" && c.shelf.beingDeleted(c.container, c.now) {
		return c.answer.empty(http.StatusAccepted)
	}
	return p
}

func deleteExisting(c *call) *azure.Problem {
	return lockedContainer(c, func(key []byte, r *containerRecord) *azure.Problem {
		if p := cmp.Or(c.checkLeaseID(), r.lease.guardWrite(leaseOfContainer, c.leaseID(), c.now)); p != nil {
			return p
		}
		if err := c.shelf.markDead(c.container, key, r.id, c.now); err != nil {
			return c.failed(err)
		}
		if err := c.shelf.bury(); err != nil {
			return c.failed(err)
		}
		return c.answer.empty(http.StatusAccepted)
	})
}

// markDead removes a container's row and marks the container as dead, while no one writes a blob. The caller
// holds the container's lock.
func (s *shelf) markDead(name string, key []byte, id string, now ticks) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	ch := s.change()
	defer ch.discard()
	ch.delete(key)
	ch.set(s.space.Key(nil, deadRows, id), nil)
	if err := ch.commit(); err != nil {
		return err
	}
	s.forget(name, now)
	return nil
}

// holds reports whether a container is still the one that enter found. Dead ones are not remembered.
func (s *shelf) holds(name, id string) bool {
	if id == logsContainer { // it is never deleted, and has no row until it is changed
		return true
	}
	s.remembered.RLock()
	defer s.remembered.RUnlock()
	return s.containers[name] == id
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
