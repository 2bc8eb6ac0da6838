package tables

import (
	"bytes"
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
	"github.com/storespec/storespec/internal/emulator/odata"
)

// The limits of one page. Azure documents the number of entities and the time; the size of an answer is bounded to
// bound memory. https://learn.microsoft.com/rest/api/storageservices/query-timeout-and-pagination
const (
	pageEntities = 1000
	pageTime     = 5 * time.Second
	pageSize     = 4 << 20
	// lookAtClock is how many entities are read between two checks of the clock.
	lookAtClock = 1024
)

// The headers and parameters of the continuation of a query.
const (
	nextPartition = "NextPartitionKey"
	nextRow       = "NextRowKey"
	nextTable     = "NextTableName"
	continuation  = "X-Ms-Continuation-"
)

// options are the query options of a request.
type options struct {
	filter   odata.Filter
	selected []string
	top      int
}

// readOptions parses the query options. Problem: InvalidInput.
// https://learn.microsoft.com/rest/api/storageservices/querying-tables-and-entities
func readOptions(q azure.Query) (options, *azure.Problem) {
	o := options{top: pageEntities}
	for name, text := range q.All() {
		var err error
		switch strings.ToLower(name) {
		case "$filter":
			o.filter, err = odata.ParseFilter(text)
		case "$top":
			if o.top, err = strconv.Atoi(text); o.top < 0 || o.top > pageEntities {
				return o, invalidInput()
			}
		}
		if err != nil {
			return o, invalidInput()
		}
	}
	var problem *azure.Problem
	o.selected, problem = selectOf(q)
	return o, problem
}

// maxSelected is how many names a projection may have: as many as an entity has properties. More could only give nulls,
// and each is looked for in every entity.
const maxSelected = maxProperties + 3

// selectOf parses $select; nil: all properties. Problem: InvalidInput.
func selectOf(q azure.Query) ([]string, *azure.Problem) {
	if q == "" {
		return nil, nil
	}
	var names []string
	for name := range strings.SplitSeq(q.Get("$select"), ",") {
		name = strings.TrimSpace(name)
		if name == "*" {
			return nil, nil
		}
		if name == "" || slices.Contains(names, name) {
			continue
		}
		if len(names) == maxSelected {
			return nil, invalidInput()
		}
		names = append(names, name)
	}
	return names, nil
}

// query answers with a page of entities.
// https://learn.microsoft.com/rest/api/storageservices/query-entities
func (s *Service) query(o *operation, x *scratch) (response, *azure.Problem) {
	if !o.SAS.CoversTable(o.table) {
		return response{}, o.AllowRow(o.table, "", "")
	}
	want, problem := readOptions(o.query)
	if problem != nil {
		return response{}, problem
	}
	t, problem := s.tableOf(o.Account, o.table)
	if problem != nil {
		return response{}, problem
	}
	space := o.Account.Data.Data()
	keys := newKeyRange(space, t, want.filter)
	if problem := resume(o.query, space, t, &keys); problem != nil {
		return response{}, problem
	}
	p := page{
		form: o.form(t.name), skip: len(space.Key(nil, t.id)), limit: want.top, time: s.pageTime, rest: keys.rest,
		out: x.out[:0],
	}
	p.form.selected = want.selected
	if o.Timeout > 0 {
		p.time = min(p.time, o.Timeout)
	}
	if o.SAS != nil {
		p.allowed = o.SAS.Rows
	}
	p.out = append(p.form.appendContext(p.out, ""), `"value":[`...)
	if want.top > 0 && !keys.empty() {
		if err := p.fill(s.Engine, keys.lower, keys.upper); err != nil {
			return response{}, s.broken(err)
		}
	}
	x.out = append(bytes.TrimSuffix(p.out, []byte(",")), "]}"...)
	return response{status: http.StatusOK, metadata: o.metadata, body: x.out, next: p.next}, nil
}

// resume moves the start of the range to where an earlier page ended. NextRowKey may be missing.
func resume(q azure.Query, space engine.Space, t *table, keys *keyRange) *azure.Problem {
	if q == "" {
		return nil
	}
	parts := []string{t.id}
	for _, name := range [...]string{nextPartition, nextRow} {
		token := q.Get(name)
		if token == "" {
			continue
		}
		key, ok := decodeToken(token)
		if !ok || name == nextRow && len(parts) == 1 {
			return invalidInput()
		}
		parts = append(parts, key)
	}
	if len(parts) > 1 {
		keys.from(space.Key(nil, parts...))
	}
	return nil
}

// page collects the entities of one answer.
type page struct {
	form    form
	skip    int // bytes of a key before the partition key
	limit   int // entities
	time    time.Duration
	rest    predicate
	allowed *azure.KeyRange
	out     []byte
	next    []header

	entity entity // the one being read
}

// fill reads the keys from lower to upper until the page is full.
func (p *page) fill(e *engine.Engine, lower, upper []byte) error {
	it, err := e.Iter(lower, upper)
	if err != nil {
		return err
	}
	start, count := time.Now(), 0
	for ok, read := it.First(), 1; ok; ok, read = it.Next(), read+1 {
		var rest []byte
		if p.entity.partition, rest, err = engine.NextPart(p.entity.partition[:0], it.Key()[p.skip:]); err == nil {
			p.entity.row, _, err = engine.NextPart(p.entity.row[:0], rest)
		}
		if err != nil {
			break
		}
		if count == p.limit || len(p.out) >= pageSize || read%lookAtClock == 0 && time.Since(start) > p.time {
			p.next = []header{
				{continuation + "Nextpartitionkey", encodeToken(string(p.entity.partition))},
				{continuation + "Nextrowkey", encodeToken(string(p.entity.row))},
			}
			break
		}
		if p.entity.stored, err = it.Value(); err != nil {
			break
		}
		if p.matches() {
			count++
			p.out = p.form.appendEntity(append(p.out, '{'), p.entity.partition, p.entity.row, p.entity.stored)
			p.out = append(p.out, '}', ',')
		}
	}
	return cmp.Or(err, it.Close())
}

func (p *page) matches() bool {
	if p.allowed != nil && !p.allowed.Contains(string(p.entity.partition), string(p.entity.row)) {
		return false
	}
	return p.rest == nil || p.rest.of(&p.entity) == isTrue
}

// tokenVersion is the prefix of every continuation token.
const tokenVersion = "1!"

// encodeToken encodes a key as a continuation token.
func encodeToken(key string) string { return azure.EncodeToken(tokenVersion, key) }

// decodeToken decodes a token; ok is false if it is invalid.
func decodeToken(token string) (key string, ok bool) {
	key, ok = azure.DecodeToken(tokenVersion, token)
	return key, ok && utf8.ValidString(key)
}
