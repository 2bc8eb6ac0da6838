package tables

import (
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// changeKind is what a change does.
type changeKind byte

const (
	insertEntity  changeKind = iota // where there is none
	replaceEntity                   // put the entity, whatever was there unless there is a condition
	mergeEntity                     // put its properties among those that are there
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

// changeOne does a change that is not in a batch.
func (s *Service) changeOne(o *operation, x *scratch) (response, *azure.Problem) {
	c, problem := s.plan(o, x.stored[:0], &x.reader)
	if problem != nil {
		return response{}, problem
	}
	x.stored = c.stored
	x.key = c.appendKey(o.Account.Data.Data(), x.key[:0])
	c.key = x.key
	defer o.Account.Data.Lock(c.key)()

	var old []byte
	if c.reads() {
		old, problem = s.read(&c, x.old[:0])
		if problem != nil {
			return response{}, problem
		}
		if old != nil {
			x.old = old
		}
	}
	if problem := c.settle(old); problem != nil {
		return response{}, problem
	}
	x.stored = c.stored
	var err error
	at := s.clock.next(s.Now())
	if c.kind == deleteEntity {
		err = s.Engine.Delete(c.key)
	} else {
		setTimestamp(c.stored, at)
		err = s.Engine.Set(c.key, c.stored)
	}
	if err != nil {
		return response{}, s.broken(err)
	}
	answer := c.answer(x.out[:0])
	if answer.body != nil {
		x.out = answer.body
	}
	return answer, nil
}

// plan finds out what an operation is to change. The entity's stored form is appended to dst, which
// the change then holds.
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
	// What a signature does not allow is refused before anything is said about what there is.
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

// permission is what a signature needs for the change.
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

// readEntity reads the body into the stored form. Of an insert it has the keys; otherwise the
// address has them, and what the body says of them is ignored.
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

// reads reports whether what is there matters: not for an unconditional replacement, the most
// frequent write.
func (c *change) reads() bool { return c.kind != replaceEntity || c.condition.present }

// read appends what is stored under the change's key to dst; nil: nothing.
func (s *Service) read(c *change, dst []byte) ([]byte, *azure.Problem) {
	old, found, err := s.Engine.Get(c.key, dst)
	if err != nil {
		return nil, s.broken(err)
	}
	if !found {
		return nil, nil
	}
	return old, nil
}

// settle decides whether the change can be made of what is there (nil: nothing), and merges.
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

// merge adds to the change's entity the properties it does not have itself.
func (c *change) merge(old []byte) *azure.Problem {
	size := entitySize{}
	own := c.stored
	for p := propertiesOf(own); ; {
		name, v, ok := p.next()
		if !ok {
			break
		}
		if problem := size.add(name, v); problem != nil {
			return problem
		}
	}
	for p := propertiesOf(old); ; {
		name, v, ok := p.next()
		if !ok {
			return nil
		}
		if _, replaced := property(own, string(name)); replaced {
			continue
		}
		if problem := size.add(name, v); problem != nil {
			return problem
		}
		c.stored = appendProperty(c.stored, name, v)
	}
}

const (
	returnNoContent = "return-no-content"
	returnContent   = "return-content"
)

// preference is what the client wants to get back when it creates something.
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

// answer is what the client gets once the change is made. A body is appended to dst.
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

// get answers with one entity.
// https://learn.microsoft.com/rest/api/storageservices/query-entities
func (s *Service) get(o *operation, x *scratch) (response, *azure.Problem) {
	if problem := o.Allow(azure.ObjectLevel, "r"); problem != nil {
		return response{}, problem
	}
	if problem := o.AllowRow(o.table, o.partition, o.row); problem != nil {
		return response{}, problem
	}
	t, err := s.catalogue(o.Account).lookup(o.table)
	if err != nil {
		return response{}, s.broken(err)
	}
	if t == nil {
		return response{}, tableNotFound()
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
	f.selected = selectOf(o.query)
	x.out = f.appendContext(x.out[:0], "/@Element")
	x.out = f.appendEntity(x.out, []byte(o.partition), []byte(o.row), old)
	x.out = append(x.out, '}')
	return response{status: http.StatusOK, etag: timestamp(old), metadata: o.metadata, body: x.out}, nil
}
