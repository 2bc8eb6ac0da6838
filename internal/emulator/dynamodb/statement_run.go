package dynamodb

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/dynamodb/partiql"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// executeStatement is ExecuteStatement (API Reference, "ExecuteStatement").
func executeStatement(c *call) error {
	s := &statement{}
	var capacity, token *string
	var limit *int64
	r := value.NewReader(c.body)
	err := r.Object(func(name string) error {
		switch name {
		case "ReturnConsumedCapacity":
			return readText(r, &capacity)
		case "NextToken":
			return readText(r, &token)
		case "Limit":
			return readNumber(r, &limit)
		}
		return s.member(r, name)
	})
	if err != nil {
		return err
	}
	var found checks
	s.check(&found, "")
	if limit != nil {
		found.atLeast(*limit, "limit", 1)
	}
	found.capacity(capacity)
	if p := found.problem(); p != nil {
		return p
	}
	if err := s.parse(); err != nil {
		return err
	}
	space := c.account.space.Data()
	if s.reads() {
		return c.selectPage(s, space, limit, token, text(capacity, capacityNone))
	}
	var used usages
	item, err := s.do(c.account, space, &used)
	if err != nil {
		return err
	}
	out := []byte(`{"Items":[`)
	if item != nil {
		out = item.AppendJSON(out)
	}
	out = append(out, ']')
	if mode := text(capacity, capacityNone); mode != capacityNone && len(used.all) > 0 {
		out = appendConsumed(out, used.all[0], mode)
	}
	out = append(out, '}')
	c.out = out
	return nil
}

// selectPage reads a page of a SELECT, over all its ranges.
func (c *call) selectPage(s *statement, space engine.Space, limit *int64, token *string, capacity string) error {
	p, found, err := s.selection(c.account)
	if err != nil {
		return err
	}
	next, err := p.resume(space, token)
	if err != nil {
		return err
	}
	if limit != nil {
		p.limit = *limit
	}
	last := max(0, len(found.Ranges)-1)
	if next > last {
		return invalid("Invalid NextToken")
	}
	for ; next <= last && p.last == nil; next++ {
		if len(found.Ranges) == 0 {
			p.everything(space)
		} else {
			p.within(space, found.Ranges[next])
		}
		if err := p.read(c.account, space); err != nil {
			return err
		}
		p.after = nil
		if p.last != nil {
			break
		}
	}
	out := append(append([]byte(`{"Items":[`), p.items...), ']')
	if p.last != nil {
		key, err := p.lastKey()
		if err != nil {
			return err
		}
		out = key.AppendJSON(append(out, `,"LastEvaluatedKey":`...))
		raw := key.AppendJSON(append(strconv.AppendInt(nil, int64(next), 10), '|'))
		out = value.AppendString(append(out, `,"NextToken":`...), base64.StdEncoding.EncodeToString(raw))
	}
	if capacity != capacityNone {
		out = appendConsumed(out, p.used(), capacity)
	}
	out = append(out, '}')
	c.out = out
	return nil
}

// resume reads a token: the range in which to go on, and after which item.
func (p *page) resume(space engine.Space, token *string) (next int, _ error) {
	if token == nil {
		return 0, nil
	}
	raw, err := base64.StdEncoding.DecodeString(*token)
	number, key, cut := bytes.Cut(raw, []byte("|"))
	if err != nil || !cut {
		return 0, invalid("Invalid NextToken")
	}
	if next, err = strconv.Atoi(string(number)); err != nil || next < 0 {
		return 0, invalid("Invalid NextToken")
	}
	start, err := value.ParseItem(string(key))
	if err != nil || start.Problem() != nil {
		return 0, invalid("Invalid NextToken")
	}
	if _, ok := keyIn(p.table.schema, start); !ok {
		return 0, invalid("Invalid NextToken")
	}
	if _, ok := keyIn(p.schema(), start); !ok {
		return 0, invalid("Invalid NextToken")
	}
	p.after = p.position(space, start)
	return next, nil
}

// statements is a request of several statements.
type statements struct {
	all             []*statement
	given           bool
	capacity, token *string
}

func readStatements(body []byte, member string) (*statements, error) {
	q := &statements{}
	r := value.NewReader(body)
	return q, r.Object(func(name string) error {
		switch name {
		case member:
			q.given = true
			return r.List(func() error {
				s := &statement{}
				q.all = append(q.all, s)
				return r.Element("BatchStatementRequest", func(name string) error { return s.member(r, name) })
			})
		case "ReturnConsumedCapacity":
			return readText(r, &q.capacity)
		case "ClientRequestToken":
			return readText(r, &q.token)
		}
		return r.Skip()
	})
}

func (q *statements) check(at string, most int) error {
	var found checks
	if q.token != nil {
		found.length(len(*q.token), *q.token, "clientRequestToken", 1, maxToken)
	}
	if !q.given {
		found.missing(at)
	} else {
		found.length(len(q.all), "[]", at, 1, most)
	}
	for i, s := range q.all {
		s.check(&found, at+"."+itoa(i+1)+".member.")
	}
	found.capacity(q.capacity)
	if p := found.problem(); p != nil {
		return p
	}
	return nil
}

// batchExecuteStatement is BatchExecuteStatement (API Reference). Each statement succeeds or fails on its own.
func batchExecuteStatement(c *call) error {
	q, err := readStatements(c.body, "Statements")
	if err != nil {
		return err
	}
	if err := q.check("statements", maxBatchWrite); err != nil {
		return err
	}
	space := c.account.space.Data()
	var used usages
	out := []byte(`{"Responses":[`)
	for _, s := range q.all {
		out = value.Comma(out)
		item, err := s.alone(c.account, space, &used)
		p := problemOf(err)
		switch {
		case err != nil && p == nil:
			return err
		case err != nil:
			out = p.appendReason(append(out, `{"Error":`...))
			if s.Statement != nil {
				out = value.AppendString(append(out, `,"TableName":`...), s.Table)
			}
		default:
			out = value.AppendString(append(out, `{"TableName":`...), s.Table)
			if item != nil {
				out = append(append(out, `,"Item":`...), item...)
			}
		}
		out = append(out, '}')
	}
	return c.finish(append(out, ']'), &used, q.capacity)
}

// alone does a statement of a batch, and returns its item as JSON; nil: it has none.
func (s *statement) alone(a *Account, space engine.Space, used *usages) ([]byte, error) {
	if err := s.parse(); err != nil {
		return nil, err
	}
	if !s.reads() {
		item, err := s.do(a, space, used)
		if err != nil || item == nil {
			return nil, err
		}
		return item.AppendJSON(nil), nil
	}
	read, err := s.one(a, invalid("Select statements within BatchExecuteStatement must specify the primary key in the "+
		"where clause."))
	if err != nil {
		return nil, err
	}
	stored, found, err := a.engine.Get(read.table.at(space, read.key), nil)
	if err != nil {
		return nil, err
	}
	used.of(read.table).units += readUnits(storedSize(stored), s.consistent)
	if !found {
		return nil, nil
	}
	out, err := read.projected(nil, stored)
	if string(out) == "{}" {
		return nil, err
	}
	return out, err
}

// executeTransaction is ExecuteTransaction (API Reference): all statements read, or all write.
func executeTransaction(c *call) error {
	q, err := readStatements(c.body, "TransactStatements")
	if err != nil {
		return err
	}
	if err := q.check("transactStatements", maxActions); err != nil {
		return err
	}
	reading := 0
	for i, s := range q.all {
		if err := s.parse(); err != nil {
			return transactStatement(i, err)
		}
		if s.Returning != "" {
			return transactStatement(i, invalid("RETURNING clause is not supported in ExecuteTransaction."))
		}
		if s.reads() {
			reading++
		}
	}
	switch reading {
	case 0:
		return c.writeStatements(q)
	case len(q.all):
		return c.readStatements(q)
	}
	return invalid("ExecuteTransaction API does not support both read and write operations in the same transaction")
}

// transactStatement says in which statement a problem is.
func transactStatement(i int, err error) error {
	if p := problemOf(err); p != nil && p.kind == kindValidation {
		return invalid("Validation failed in TransactStatements[%d]: %s", i, p.message)
	}
	return err
}

func (c *call) writeStatements(q *statements) error {
	t := &transaction{account: c.account, space: c.account.space.Data(), token: text(q.token, "")}
	if t.token != "" {
		h := sha256.New()
		for _, s := range q.all {
			_, _ = h.Write(append([]byte(*s.text), 0)) // never fails
			for _, v := range s.parameters {
				_, _ = h.Write(v.AppendJSON(nil))
			}
		}
		h.Sum(t.digest[:0])
	}
	for i, s := range q.all {
		one, err := s.write(c.account)
		if err != nil {
			return transactStatement(i, err)
		}
		t.actions = append(t.actions, one)
	}
	used, err := t.run()
	if err != nil {
		return err
	}
	return c.finish([]byte(`{"Responses":[]`), used, q.capacity)
}

func (c *call) readStatements(q *statements) error {
	var reads []*transactRead
	for i, s := range q.all {
		where := invalid("Read statements within transactions must specify the primary key in the where clause.")
		if s.Verb == partiql.Select && s.Index != "" {
			where = invalid("Reads on indices are not supported within transactions.")
		}
		read, err := s.one(c.account, where)
		if err != nil {
			return transactStatement(i, err)
		}
		reads = append(reads, read)
	}
	out, used, err := c.account.readAll(reads)
	if err != nil {
		return err
	}
	return c.finish(out, used, q.capacity)
}
