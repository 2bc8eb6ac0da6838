package c4lendar

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/storespec/storespec/reference/web"
)

// toolPage is how many keys a tool works on for one request; it then answers a cursor when more remain (CB-LIM-2). What
// it does for one of them takes six calls at most, each attempted four times, and Cloudflare ends an invocation that
// makes more than 1,000.
const toolPage = 40

// progress counts what a tool did.
type progress struct{ migrated, skipped, failed, deleted atomic.Int64 }

// step is a route that works on one page of keys. work returns the cursor of the next page; "" after the last one.
func (s upkeep) step(work func(ctx context.Context, cursor string, p *progress) (next string, _ error)) handler {
	return func(ctx context.Context, c *call) (web.Reply, error) {
		cursor, err := c.cursor()
		if err != nil {
			return nil, err
		}
		p := &progress{}
		next, err := work(ctx, cursor, p)
		if err != nil {
			return nil, err
		}
		counts := map[string]any{"migrated": p.migrated.Load(), "skipped": p.skipped.Load(), "failed": p.failed.Load(),
			"deleted": p.deleted.Load()}
		if next != "" {
			counts["cursor"] = next
		}
		return ok(counts), nil
	}
}

// cursor reads the body of a tool, which may be empty.
func (c *call) cursor() (string, error) {
	body, err := web.ReadBody(c.Request, maxBody)
	if len(body) == 0 {
		return "", err
	}
	read, err := web.ParseObject(body)
	if err != nil {
		return "", web.BadRequest("the body is not one JSON object")
	}
	f := fields{body: read}
	return f.optional("cursor"), f.wrong
}

// page returns a page of keys from a client's cursor on. Errors: 400 for a cursor that KV refuses, because it has not
// issued it, or has for another prefix.
func (s upkeep) page(ctx context.Context, prefix, cursor string) (keys []string, next string, err error) {
	keys, next, err = s.store.page(ctx, prefix, cursor, toolPage)
	if errors.Is(err, errMalformed) { // the rest of the call is the server's own
		err = badCursor()
	}
	return keys, next, err
}

func badCursor() error { return web.BadRequest("the cursor was not issued by this tool") }

// keysAndValues returns a page of keys with their values: 2 calls.
func (s upkeep) keysAndValues(ctx context.Context, prefix, cursor string) (keys []string, values [][]byte, next string,
	err error) {
	if keys, next, err = s.page(ctx, prefix, cursor); err != nil {
		return nil, nil, "", err
	}
	values, err = s.store.together(ctx, keys)
	return keys, values, next, err
}

// allConnections returns the connections of a chat in as few calls as possible.
func (s upkeep) allConnections(ctx context.Context, chat string) ([]*connection, error) {
	keys, err := s.store.list(ctx, connectionsOf(chat))
	if err != nil {
		return nil, err
	}
	values, err := s.store.together(ctx, keys)
	return decoded[connection](values), err
}
