package c4lendar

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// An invocation may make maxOperations calls of KV, and must answer in time. The tools therefore work page by page, and
// answer with a cursor when more remains (CB-LIM-2).
const (
	// toolPage is how many keys are worked on at once. What a tool does for one of them takes six calls at most, but
	// for a chat with very many accounts and an e-mail in very many chats.
	toolPage  = 100
	costOf    = 6
	pageTotal = toolPage*costOf + 10
	toolTime  = 5 * time.Second // after which no other page is begun
)

// progress counts what a tool did.
type progress struct {
	mu                                 sync.Mutex
	migrated, skipped, failed, deleted int
}

// count adds one to a count.
func (p *progress) count(which *int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*which++
}

// work does one page, and returns the cursor of the next; "": there is none.
type work func(ctx context.Context, cursor string, p *progress) (next string, _ error)

// step is a route that does as many pages as one invocation may.
func (s *Server) step(do work) handler {
	return func(ctx context.Context, c *call) (web.Reply, error) {
		cursor, err := c.cursor()
		if err != nil {
			return nil, err
		}
		began, p := time.Now(), &progress{}
		for {
			if cursor, err = do(ctx, cursor, p); err != nil {
				return nil, err
			}
			if cursor == "" || made(ctx) > maxOperations-pageTotal || time.Since(began) > toolTime {
				break
			}
		}
		var next any
		if cursor != "" {
			next = cursor
		}
		return ok(map[string]any{"migrated": p.migrated, "skipped": p.skipped, "failed": p.failed,
			"deleted": p.deleted, "cursor": next}), nil
	}
}

// made is how many calls were made so far.
func made(ctx context.Context) int {
	counted, _ := ctx.Value(operationsKey{}).(*atomic.Int64)
	if counted == nil {
		return 0
	}
	return int(counted.Load())
}

// cursor reads the body of a tool, which may be empty.
func (c *call) cursor() (string, error) {
	body, err := web.ReadBody(c.Request, maxBody)
	if err != nil || len(body) == 0 {
		return "", err
	}
	read, err := web.ParseObject(body)
	if err != nil {
		return "", web.BadRequest("the body is not one JSON object")
	}
	f := fields{body: read}
	return f.optional("cursor", maxText), f.wrong
}

// keysAndValues returns a page of keys with their values: 2 calls.
func (s *Server) keysAndValues(ctx context.Context, prefix, cursor string) (keys []string, values [][]byte, next string,
	err error) {
	if keys, next, err = s.store.page(ctx, prefix, cursor, toolPage); err != nil {
		return nil, nil, "", err
	}
	values, err = s.store.together(ctx, keys)
	return keys, values, next, err
}

// allConnections returns the connections of a chat in as few calls as possible.
func (s *Server) allConnections(ctx context.Context, chat string) ([]*connection, error) {
	keys, err := s.store.list(ctx, connectionsOf(chat))
	if err != nil {
		return nil, err
	}
	values, err := s.store.together(ctx, keys)
	return decoded[connection](values), err
}

// wrongCursor is for a cursor that no tool has answered.
func wrongCursor() *web.Error {
	return web.BadRequest("the cursor was not issued by this tool")
}
