package actions

import (
	"bytes"
	"context"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/storespec/storespec/reference/web"
)

const typeJSON = "application/json"

// get is GET /api/actions/{owner}/{name}: one record, from the cache if it is there.
func (s *Server) get(ctx context.Context, x *web.Exchange) (web.Reply, error) {
	var k key
	var err error
	if k.partition, err = keyOf(x.Request.PathValue("owner")); err != nil {
		return nil, web.BadRequest("owner " + err.Error())
	}
	if k.row, err = keyOf(x.Request.PathValue("name")); err != nil {
		return nil, web.BadRequest("name " + err.Error())
	}
	found, keep := s.cache.look(ctx, k)
	if found == nil {
		r, err := s.store.read(ctx, k)
		if err != nil {
			return nil, err
		}
		if r == nil {
			return nil, &web.Error{Status: http.StatusNotFound, Message: "there is no such action"}
		}
		if found, err = r.record(); err != nil {
			return nil, err
		}
		keep(found)
	}
	return web.File{ContentType: typeJSON, Data: found}, nil
}

// listing holds the parameters of a list request.
type listing struct {
	query
	from cursor
}

var limitPattern = regexp.MustCompile(`^[1-9][0-9]{0,3}$`)

// readListing reads the query of a list; an invalid one is a 400.
func (s *Server) readListing(request *http.Request) (listing, error) {
	l := listing{from: cursor{table: s.config.Table}}
	asked, err := web.QueryObject(request)
	if err != nil {
		return l, err
	}
	if asked.Has("owner") {
		owner, _ := asked.String("owner")
		if l.from.partition, err = keyOf(owner); err != nil {
			return l, web.BadRequest("owner " + err.Error())
		}
		l.filter = ofOwner(l.from.partition)
	}
	if asked.Has("limit") {
		limit, _ := asked.String("limit")
		if l.limit, _ = strconv.Atoi(limit); !limitPattern.MatchString(limit) || l.limit > maxPageSize {
			return l, web.BadRequest("limit must be a number from 1 to 1000")
		}
	}
	if asked.Has("cursor") {
		text, _ := asked.String("cursor")
		if err := l.from.read(text); err != nil {
			return l, web.BadRequest(err.Error())
		}
	}
	return l, nil
}

// list is GET /api/actions/list?owner&limit&cursor: the records of an owner, or all, in key order. With a limit it is
// one page, which costs one query; without, everything from the cursor on.
func (s *Server) list(ctx context.Context, x *web.Exchange) (web.Reply, error) {
	l, err := s.readListing(x.Request)
	if err != nil {
		return nil, err
	}
	var items [][]byte
	for more := true; more; more = l.limit == 0 && !l.from.none() {
		rows, next, err := s.store.page(ctx, l.query, l.from.position)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			item, err := r.record()
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		l.from.position = next
	}
	x.Header.Set("X-Actions-Count", strconv.Itoa(len(items)))
	array := slices.Concat([]byte{'['}, bytes.Join(items, []byte{','}), []byte{']'})
	if l.limit == 0 {
		return web.File{ContentType: typeJSON, Data: array}, nil
	}
	next := []byte("null")
	if !l.from.none() {
		next = strconv.AppendQuote(nil, l.from.String()) // letters, digits, - and _
	}
	return web.File{ContentType: typeJSON,
		Data: slices.Concat([]byte(`{"items":`), array, []byte(`,"nextCursor":`), next, []byte{'}'})}, nil
}
