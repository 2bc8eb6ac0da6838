package tables

import (
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// changeKind is the kind of a change.
type changeKind byte

const (
	insertEntity  changeKind = iota // only if there is none
	replaceEntity                   // store the entity, unconditionally unless there is a condition
	mergeEntity                     // add its properties to the existing ones
	deleteEntity
)

// change is one write of one entity.
type change struct {
	*operation
	kind      changeKind
	table     *table
	condition condition
	partition string
	row       string

	key    []byte // in the engine
	stored []byte // the entity of the request, in the stored form
}

// changeOne executes a change that is not in a batch.
func (s *Service) changeOne(o *operation, x *scratch) (response, *azure.Problem) {
	c, problem := s.plan(o, x.stored[:0], &x.reader)
	if problem != nil {
		return response{}, problem
	}
	x.stored = c.stored
	x.key = c.appendKey(o.Account.Data.Data(), x.key[:0])
	c.key = x.key
	defer o.Account.Data.Lock(c.key)()
	if problem := s.write(&c, x, s.Engine); problem != nil {
		return response{}, problem
	}
	x.stored = c.stored
	answer := c.answer(x.out[:0])
	if answer.body != nil {
		x.out = answer.body
	}
	return answer, nil
}

// plan determines what an operation changes. The entity's stored form is appended to dst, which the change then refers
// to.
func (s *Service) plan(o *operation, dst []byte, r *reader) (change, *azure.Problem) {
	c := change{operation: o, partition: o.partition, row: o.row}
	switch o.method {
	case http.MethodPost:
		c.kind = insertEntity
	case http.MethodPut:
		c.kind = replaceEntity
	case methodMerge:
		c.kind = mergeEntity
	default:
		c.kind = deleteEntity
	}
	if problem := c.readCondition(); problem != nil {
		return c, problem
	}
	var err error
	if c.table, err = s.catalogue(o.Account).lookup(o.table); err != nil {
		return c, s.broken(err)
	}
	// A change that the signature does not allow is refused before the answer reveals what exists.
	if problem := o.Allow(azure.ObjectLevel, c.permission()); problem != nil {
		return c, problem
	}
	if problem := c.readEntity(dst, r); problem != nil {
		return c, problem
	}
	if problem := o.AllowRow(o.table, c.partition, c.row); problem != nil {
		return c, problem
	}
	if c.table == nil {
		return c, tableNotFound()
	}
	return c, nil
}

// readCondition reads the conditional headers.
func (c *change) readCondition() *azure.Problem {
	match, none := c.header["If-Match"], c.header["If-None-Match"]
	if len(none) > 0 && none[0] != "" && c.kind != insertEntity {
		return azure.InvalidInput("If-None-Match HTTP header cannot be specified for " + c.method + " operations.")
	}
	if len(match) == 0 || match[0] == "" {
		if c.kind == deleteEntity {
			return azure.MissingHeader("If-Match")
		}
		return nil
	}
	if c.kind == insertEntity {
		return nil
	}
	var ok bool
	if c.condition, ok = parseCondition(match[0]); !ok || len(match) > 1 {
		return invalidETag()
	}
	return nil
}

// permission returns the permission that a signature needs for the change.
// https://learn.microsoft.com/rest/api/storageservices/create-account-sas#table-service
func (c *change) permission() string {
	switch {
	case c.kind == insertEntity:
		return "a"
	case c.kind == deleteEntity:
		return "d"
	case c.condition.present:
		return "u"
	}
	return "au" // insert or replace, insert or merge
}

// readEntity converts the body to the stored form. For an insert the body contains the keys; otherwise the address
// does, and keys in the body are ignored.
func (c *change) readEntity(dst []byte, r *reader) *azure.Problem {
	if c.kind == deleteEntity {
		return nil
	}
	problem := r.parse(c.body)
	if problem != nil {
		return problem
	}
	var partition, row key
	if c.stored, partition, row, problem = r.encode(dst); problem != nil {
		return problem
	}
	if c.kind != insertEntity {
		return nil
	}
	if partition.text == nil || row.text == nil {
		return keyMissing()
	}
	c.partition, c.row = string(partition.text), string(row.text)
	return nil
}

func (c *change) appendKey(space engine.Space, dst []byte) []byte {
	return space.Key(dst, c.table.id, c.partition, c.row)
}

// reads reports whether the existing entity matters: not for an unconditional replacement, the most frequent write.
func (c *change) reads() bool { return c.kind != replaceEntity || c.condition.present }

// writer is the engine, or a batch on it.
type writer interface {
	Set(key, value []byte) error
	Delete(key []byte) error
}

// write applies a change to the existing entity, if possible, under the lock of its key.
func (s *Service) write(c *change, x *scratch, to writer) *azure.Problem {
	var old []byte
	if c.reads() {
		stored, found, err := s.Engine.Get(c.key, x.old[:0])
		if err != nil {
			return s.broken(err)
		}
		if found {
			old, x.old = stored, stored
		}
	}
	if problem := c.settle(old); problem != nil {
		return problem
	}
	if c.kind == deleteEntity {
		return s.broken(to.Delete(c.key))
	}
	setTimestamp(c.stored, s.clock.Next(ticksOf(s.Now())))
	return s.broken(to.Set(c.key, c.stored))
}

// settle decides whether the change can be applied to the existing entity (nil: none), and merges.
func (c *change) settle(old []byte) *azure.Problem {
	switch {
	case c.kind == insertEntity:
		if old != nil {
			return entityExists()
		}
	case c.condition.present:
		if old == nil {
			return azure.ResourceNotFound()
		}
		if !c.condition.holds(timestamp(old)) {
			return conditionNotMet()
		}
	}
	if c.kind == mergeEntity && old != nil {
		return c.merge(old)
	}
	return nil
}

// merge adds the existing properties that the change's entity does not have.
func (c *change) merge(old []byte) *azure.Problem {
	size := entitySize{}
	own := c.stored
	for name, v := range propertiesOf(own).all {
		if problem := size.add(name, v); problem != nil {
			return problem
		}
	}
	for name, v := range propertiesOf(old).all {
		if _, replaced := property(own, string(name)); replaced {
			continue
		}
		if problem := size.add(name, v); problem != nil {
			return problem
		}
		c.stored = appendProperty(c.stored, name, v)
	}
	return nil
}

const (
	returnNoContent = "return-no-content"
	returnContent   = "return-content"
)

// preference returns what the client wants in the answer when it creates something.
// https://learn.microsoft.com/rest/api/storageservices/setting-the-prefer-header-to-manage-response-echo-on-insert-operations
func (o *operation) preference() string {
	for _, value := range o.header["Prefer"] {
		for _, p := range [...]string{returnNoContent, returnContent} {
			if strings.Contains(value, p) {
				return p
			}
		}
	}
	return ""
}

// answer returns the answer to a completed change. A body is appended to dst.
func (c *change) answer(dst []byte) response {
	a := response{status: http.StatusNoContent}
	if c.kind != deleteEntity {
		a.etag = timestamp(c.stored)
	}
	if c.kind != insertEntity {
		return a
	}
	f := c.form(c.table.name)
	a.location = f.base + entityPath(c.table.name, c.partition, c.row)
	a.preferred = c.preference()
	if a.preferred == returnNoContent {
		return a
	}
	a.status, a.metadata = http.StatusCreated, c.metadata
	dst = f.appendContext(dst, "/@Element")
	dst = f.appendEntity(dst, []byte(c.partition), []byte(c.row), c.stored)
	dst = append(dst, '}')
	a.body = dst
	return a
}

// get answers with one entity. https://learn.microsoft.com/rest/api/storageservices/query-entities
func (s *Service) get(o *operation, x *scratch) (response, *azure.Problem) {
	if problem := o.AllowRow(o.table, o.partition, o.row); problem != nil {
		return response{}, problem
	}
	selected, problem := selectOf(o.query)
	if problem != nil {
		return response{}, problem
	}
	t, problem := s.tableOf(o.Account, o.table)
	if problem != nil {
		return response{}, problem
	}
	x.key = o.Account.Data.Data().Key(x.key[:0], t.id, o.partition, o.row)
	old, found, err := s.Engine.Get(x.key, x.old[:0])
	if err != nil {
		return response{}, s.broken(err)
	}
	if !found {
		return response{}, azure.ResourceNotFound()
	}
	x.old = old
	f := o.form(t.name)
	f.selected = selected
	x.out = f.appendContext(x.out[:0], "/@Element")
	x.out = f.appendEntity(x.out, []byte(o.partition), []byte(o.row), old)
	x.out = append(x.out, '}')
	return response{status: http.StatusOK, etag: timestamp(old), metadata: o.metadata, body: x.out}, nil
}
