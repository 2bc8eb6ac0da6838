package actions

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// maxBatch is the maximum number of records in a batch.
const maxBatch = 100

// item is one record of a batch while it is processed.
type item struct {
	record
	refused *web.Error // what is wrong with it, or its storage error
	old     *row       // as it was read; nil: there was none
	next    *row       // what to write; nil: nothing
	entity  []byte     // next as it is sent
	done    saved
}

// batch is POST /api/ActionsUpsert/batch {records}: each record is judged on its own, and changed records of one owner
// are written together.
func (s *Server) batch(ctx context.Context, items []*item) (web.Reply, error) {
	writeID := s.newID()
	var open []*item // records that have no result yet
	for _, it := range items {
		if it.refused == nil {
			open = append(open, it)
		}
	}
	_ = account.InParallel(len(open), func(i int) error {
		s.compare(ctx, open[i], writeID)
		return nil
	})
	groups := transactions(open)
	_ = account.InParallel(len(groups), func(i int) error {
		s.writeGroup(ctx, groups[i], writeID)
		return nil
	})
	return results(items)
}

// readBatch reads a batch's records. An invalid record is marked as such; an invalid batch is an error. Of several
// records with one key the first counts.
func readBatch(body []byte) ([]*item, error) {
	whole, _ := web.ParseObject(body) // nil if the body is anything else
	var records []json.RawMessage
	if err := json.Unmarshal(whole["records"], &records); err != nil || len(records) < 1 || len(records) > maxBatch {
		return nil, web.BadRequest("the body must be one JSON object whose records are a list of 1 to 100 records")
	}
	items := make([]*item, len(records))
	taken := map[key]bool{}
	for i, data := range records {
		it := &item{}
		it.record, it.refused = parseRecord(data)
		if it.refused == nil && taken[it.key] {
			it.refused = web.BadRequest("an earlier record of this batch has this owner and name")
		}
		taken[it.key] = true // of an invalid record the key is not whole, so that it is not another's
		items[i] = it
	}
	return items, nil
}

// compare reads a record's row and decides what to write.
func (s *Server) compare(ctx context.Context, it *item, writeID string) {
	old, err := s.former(ctx, it.key)
	if err != nil {
		it.fail(err)
		return
	}
	if old != nil && old.hash == it.hash {
		it.done = saved{synced: old.synced}
		return
	}
	next := it.following(old, s.now(), writeID)
	if it.entity, err = next.columns(); err != nil {
		it.fail(err)
		return
	}
	it.old, it.next = old, next
}

// writeGroup writes records of one owner in one transaction, if possible (alone). A record that another request wrote
// first, or a transaction that the store rejects for a reason that may concern one record only, is judged again record
// by record.
func (s *Server) writeGroup(ctx context.Context, group []*item, writeID string) {
	var err error
	if group[0].alone() {
		err = s.replace(ctx, group[0].old, group[0].next)
	} else {
		err = s.writeTogether(ctx, group)
	}
	if err != nil && !errors.Is(err, account.ErrUnavailable) {
		_ = account.InParallel(len(group), func(i int) error {
			it := group[i]
			var err error
			if it.done, err = s.save(ctx, it.record, writeID, it.written()); err != nil {
				it.fail(err)
			}
			return nil
		})
		return
	}
	for _, it := range group {
		it.done = it.written()
		if err != nil {
			it.fail(err)
		}
	}
}

func (s *Server) writeTogether(ctx context.Context, group []*item) error {
	err := account.InParallel(len(group), func(i int) error { return s.keep(ctx, group[i].old) })
	if err != nil {
		return err
	}
	rows, entities, keys := make([]*row, len(group)), make([][]byte, len(group)), make([]key, len(group))
	for i, it := range group {
		rows[i], entities[i], keys[i] = it.next, it.entity, it.key
	}
	defer s.cache.forget(ctx, keys...) // also when the answer was lost: they may have been written
	return s.store.writeTogether(ctx, rows, entities)
}

// written returns the outcome of writing the record.
func (it *item) written() saved {
	return saved{updated: true, created: it.old == nil, synced: it.next.synced}
}

// fail records a storage error for a record.
func (it *item) fail(err error) {
	if !errors.As(answerable(err), &it.refused) {
		it.refused = &web.Error{Status: http.StatusInternalServerError, Message: "the record could not be stored",
			Cause: err}
	}
}

// result is a batch's answer for one record. owner and name are null if the record has no such text.
type result struct {
	Owner         *string `json:"owner"`
	Name          *string `json:"name"`
	Status        int     `json:"status"` // as if the record had been sent alone
	Updated       bool    `json:"updated"`
	Created       *bool   `json:"created,omitempty"`
	LastSyncedUtc string  `json:"lastSyncedUtc,omitempty"`
	ErrorCode     string  `json:"errorCode,omitempty"`
	Message       string  `json:"message,omitempty"`
}

// results answers a batch: 200 whatever the results of the records, except that a storage failure is returned when it
// prevented every valid record from being judged.
func results(items []*item) (web.Reply, error) {
	list := make([]result, len(items))
	judged := false
	var unavailable *web.Error
	for i, it := range items {
		list[i] = it.result()
		switch {
		case it.refused == nil:
			judged = true
		case it.refused.Status >= http.StatusInternalServerError:
			unavailable = it.refused
		}
	}
	if unavailable != nil && !judged {
		return nil, unavailable
	}
	return web.JSON{Status: http.StatusOK, Value: map[string]any{"results": list}}, nil
}

func (it *item) result() result {
	r := result{Owner: orNil(it.owner), Name: orNil(it.name)}
	if it.refused != nil {
		r.Status, r.ErrorCode, r.Message = it.refused.Status, errorCode(it.refused.Status), it.refused.Message
		return r
	}
	r.Status, r.Updated, r.LastSyncedUtc = it.done.status(), it.done.updated, timestamp(it.done.synced)
	if it.done.updated {
		r.Created = &it.done.created
	}
	return r
}
