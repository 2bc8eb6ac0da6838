package tables

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// maxOperations is the maximum number of operations in a change set.
const maxOperations = 100

// failure is the problem of one operation of a change set.
type failure struct {
	at int // its index
	*azure.Problem
}

// batch serves an entity group transaction, or a single query sent as a batch.
// https://learn.microsoft.com/rest/api/storageservices/performing-entity-group-transactions
func (s *Service) batch(r *azure.Request, x *scratch) (response, *azure.Problem) {
	var problem *azure.Problem
	if x.body, problem = readBody(r.HTTP, x.body[:0]); problem != nil {
		return response{}, problem
	}
	b, ok := parseBatch(r.HTTP.Header.Get("Content-Type"), x.body)
	if !ok {
		return response{}, invalidInput()
	}
	if b.query != nil {
		return s.batchQuery(r, x, b.query)
	}
	out := newBatchWriter(r.ID, x.out[:0])
	out.beginChanges()
	answers, failed := s.transact(r, x, b.changes)
	if failed != nil {
		a := failed.response(r)
		id := ""
		if failed.at < len(b.changes) {
			id = b.changes[failed.at].header.Get("Content-Id")
		}
		out.part(&a, id)
	}
	for i := range answers {
		out.part(&answers[i], b.changes[i].header.Get("Content-Id"))
	}
	x.out = out.endChanges()
	return response{status: http.StatusAccepted, mixed: out.batch, body: x.out}, nil
}

// batchQuery serves the single query of a batch.
func (s *Service) batchQuery(r *azure.Request, x *scratch, part *batchPart) (response, *azure.Problem) {
	inner := s.scratch()
	defer s.release(inner)
	o, problem := operationOf(r, part)
	var a response
	switch {
	case problem != nil:
	case o.resource == entities || o.resource == oneEntity:
		a, problem = s.operate(&o, inner)
	default:
		problem = invalidInput()
	}
	if problem != nil {
		a = failure{0, problem}.response(r)
	}
	out := newBatchWriter(r.ID, x.out[:0])
	out.part(&a, part.header.Get("Content-Id"))
	x.out = out.end()
	return response{status: http.StatusAccepted, mixed: out.batch, body: x.out}, nil
}

// operationOf makes an operation of a part of a batch, which is authorized by the batch's signature.
func operationOf(r *azure.Request, part *batchPart) (operation, *azure.Problem) {
	path, query, ok := r.PartPath(part.target)
	if !ok {
		return operation{}, azure.InvalidURI()
	}
	a, problem := parseAddress(path)
	if problem != nil {
		return operation{}, problem
	}
	o := operation{Request: r, address: a, method: part.method, header: part.header, query: query, body: part.body}
	return o, o.prepare()
}

// transact makes all changes or none. It returns the answers to all of them, or the first problem.
func (s *Service) transact(r *azure.Request, x *scratch, parts []batchPart) ([]response, *failure) {
	changes, failed := s.planAll(r, x, parts)
	if failed != nil {
		return nil, failed
	}
	keys := make([][]byte, len(changes))
	for i := range changes {
		keys[i] = changes[i].key
	}
	defer r.Account.Data.LockAll(keys)()

	b := s.Engine.NewBatch()
	defer b.Discard()
	for i := range changes {
		if problem := s.write(&changes[i], x, b); problem != nil {
			return nil, &failure{i, problem}
		}
	}
	if err := b.Commit(); err != nil {
		return nil, &failure{0, s.broken(err)}
	}
	answers := make([]response, len(changes))
	for i := range changes {
		answers[i] = changes[i].answer(nil)
	}
	return answers, nil
}

// planAll plans the changes and checks what they must have in common.
func (s *Service) planAll(r *azure.Request, x *scratch, parts []batchPart) ([]change, *failure) {
	if len(parts) == 0 {
		return nil, &failure{0, invalidInput()}
	}
	changes, operations := make([]change, len(parts)), make([]operation, len(parts))
	space := r.Account.Data.Data() // once: the transaction belongs to one epoch
	// The stored forms and the keys are appended to two buffers. A buffer that grows leaves the earlier ones where they
	// were.
	stored, keys := x.stored[:0], x.key[:0]
	for i := range parts {
		if i == maxOperations {
			return nil, &failure{i - 1, tooManyOperations()}
		}
		var problem *azure.Problem
		if operations[i], problem = operationOf(r, &parts[i]); problem != nil {
			return nil, &failure{i, problem}
		}
		if o := &operations[i]; !o.changes() {
			return nil, &failure{i, invalidInput()}
		}
		start := len(stored)
		if changes[i], problem = s.plan(&operations[i], stored[start:start:cap(stored)], &x.reader); problem != nil {
			return nil, &failure{i, problem}
		}
		c := &changes[i]
		if i > 0 && (c.table != changes[0].table || c.partition != changes[0].partition) {
			return nil, &failure{i, differentPartitions()}
		}
		if c.stored != nil {
			if start+len(c.stored) <= cap(stored) {
				stored = stored[:start+len(c.stored)]
			} else {
				stored = c.stored
			}
			c.stored = slices.Clip(c.stored) // a merge must not grow into the next entity
		}
		start = len(keys)
		keys = c.appendKey(space, keys)
		c.key = slices.Clip(keys[start:])
	}
	x.stored, x.key = stored, keys
	return changes, duplicate(changes)
}

// changes reports whether an operation can be in a change set.
func (o *operation) changes() bool {
	switch o.method {
	case http.MethodPost:
		return o.resource == entities
	case http.MethodPut, methodMerge, http.MethodDelete:
		return o.resource == oneEntity
	}
	return false
}

// duplicate finds the first change of an entity that an earlier one also changes.
func duplicate(changes []change) *failure {
	order := make([]int, len(changes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return bytes.Compare(changes[a].key, changes[b].key) })
	first := len(changes)
	for i := 1; i < len(order); i++ {
		if bytes.Equal(changes[order[i-1]].key, changes[order[i]].key) {
			first = min(first, order[i])
		}
	}
	if first == len(changes) {
		return nil
	}
	return &failure{first, duplicateRow()}
}
