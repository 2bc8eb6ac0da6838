package dynamodb

import (
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/partiql"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// PartiQL statements (Developer Guide, "PartiQL - a SQL-compatible query language for Amazon DynamoDB").

const maxStatement = 8192

// statement is one statement of a request.
type statement struct {
	text       *string
	parameters []value.Value
	consistent bool
	onFailure  *string

	*partiql.Statement
	request *itemRequest // of a write, for what it returns
}

func (s *statement) member(r *value.Reader, name string) (err error) {
	switch name {
	case "Statement":
		err = readText(r, &s.text)
	case "Parameters":
		s.parameters, err = r.Values()
	case "ConsistentRead":
		s.consistent, err = r.Bool()
	case "ReturnValuesOnConditionCheckFailure":
		err = readText(r, &s.onFailure)
	default:
		err = r.Skip()
	}
	return err
}

func (s *statement) check(found *checks, at string) {
	if s.text == nil {
		found.missing(at + "statement")
	} else {
		found.length(len(*s.text), *s.text, at+"statement", 1, maxStatement)
	}
	if s.parameters != nil {
		found.length(len(s.parameters), "[]", at+"parameters", 1, 0)
	}
	found.optional(s.onFailure, at+"returnValuesOnConditionCheckFailure", "ALL_OLD", "NONE")
}

func (s *statement) parse() (err error) {
	s.Statement, err = partiql.Parse(*s.text, s.parameters)
	return err
}

func (s *statement) reads() bool { return s.Verb == partiql.Select }

// write makes an action of a statement that writes one item, or of EXISTS.
func (s *statement) write(a *Account) (*action, error) {
	t, err := a.table(s.Table)
	if err != nil {
		return nil, err
	}
	one := &action{table: t}
	q := &itemRequest{onFailure: s.onFailure, parsed: expression.Parsed{Condition: s.Where, Update: s.Update}}
	s.request = q
	if s.Returning != "" {
		q.returnValues = &s.Returning
	}
	one.apply = q.apply
	if s.Verb == partiql.Insert {
		q.op, q.item = expression.PutItem, s.Item
		if s.Item.Size() > maxItem {
			return nil, itemTooLarge()
		}
		one.key, err = t.keyOfItem(s.Item)
		one.apply = func(w *write) error {
			if w.stored != nil {
				return refuse(kindDuplicate, "Duplicate primary key exists in table")
			}
			return q.apply(w)
		}
		return one, err
	}
	var rest bool
	if q.key, rest, err = s.Key(t.schema); err != nil {
		return nil, err
	}
	if one.key, err = t.lookup(q.key); err != nil {
		return nil, err
	}
	switch s.Verb {
	case partiql.Update:
		q.op = expression.UpdateItem
		return one, t.checkUpdate(s.Update)
	case partiql.Exists:
		one.check = true
	case partiql.Delete:
		q.op = expression.DeleteItem
		if !rest {
			q.parsed.Condition = nil
		}
	}
	return one, nil
}

// do writes one item on its own, and returns what the statement returns of it.
func (s *statement) do(a *Account, space engine.Space, used *usages) (value.Item, error) {
	one, err := s.write(a)
	if err != nil {
		return nil, err
	}
	if one.check {
		return nil, invalid("EXISTS() is only supported in ExecuteTransaction")
	}
	w := &write{table: one.table, key: one.key, at: one.table.at(space, one.key)}
	defer a.space.Lock(w.at)()
	if err := a.reread(w); err != nil {
		return nil, err
	}
	if err := one.apply(w); err != nil {
		return nil, err
	}
	if err := a.commit(space, w, used.of(one.table)); err != nil {
		return nil, err
	}
	return s.request.returned(w)
}

// selection begins the reading of a SELECT: what it reads of what.
func (s *statement) selection(a *Account) (*page, expression.Lookup, error) {
	t, err := a.table(s.Table)
	if err != nil {
		return nil, expression.Lookup{}, err
	}
	p := &page{table: t, filter: s.Where, consistent: s.consistent}
	if s.Columns != nil {
		p.project = s.Project
	}
	if s.Index != "" {
		if p.index = t.index(s.Index); p.index == nil {
			return nil, expression.Lookup{}, invalid("The table does not have the specified index")
		}
		if p.index.global && s.consistent {
			return nil, expression.Lookup{},
				invalid("Strongly consistent read is not supported on Global Secondary Indexes")
		}
		if err := s.checkIndex(p); err != nil {
			return nil, expression.Lookup{}, err
		}
	}
	found, err := s.Lookup(p.schema())
	if err != nil {
		return nil, found, err
	}
	return p, found, s.checkOrder(p, found)
}

// checkOrder checks ORDER BY, which needs one partition and a key of the schema.
func (s *statement) checkOrder(p *page, found expression.Lookup) error {
	schema := p.schema()
	switch {
	case s.OrderBy == "":
		return nil
	case s.OrderBy != schema.Partition && s.OrderBy != schema.Sort:
		return invalid("Variable reference %s in ORDER BY clause must be part of the primary key", s.OrderBy)
	case len(found.Ranges) == 0:
		return invalid("Must have WHERE clause in the statement when using ORDER BY clause.")
	}
	p.reverse = s.Descending
	return nil
}

// checkIndex checks what is selected and filtered against what the index has.
func (s *statement) checkIndex(p *page) error {
	lacking := func(heads []string) (names []string) {
		for _, name := range heads {
			if !p.index.has(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return names
	}
	if names := lacking(s.Where.Heads()); len(names) > 0 {
		return invalidParameter("Secondary index %s does not project one or more filter attributes: [%s]",
			p.index.IndexName,
			strings.Join(names, ", "))
	}
	var selected []string
	for _, c := range s.Columns {
		selected = append(selected, c.Path[0].Name)
	}
	names := lacking(selected)
	if len(names) > 0 && p.index.global {
		return invalidParameter("Global secondary index %s does not project [%s]", p.index.IndexName,
			strings.Join(names, ", "))
	}
	p.fetch = len(names) > 0
	return nil
}

// one reads the one item that a SELECT in a batch or in a transaction means.
func (s *statement) one(a *Account, where error) (*transactRead, error) {
	t, err := a.table(s.Table)
	if err != nil {
		return nil, err
	}
	if s.Index != "" {
		return nil, where
	}
	found, err := s.Lookup(t.schema)
	if err != nil {
		return nil, err
	}
	if !found.Exact || len(found.Ranges) != 1 {
		return nil, where
	}
	key := primaryKey{partition: value.KeyString(found.Ranges[0].Partition)}
	if t.schema.Sort != "" {
		key.sort = value.KeyString(found.Ranges[0].Low)
	}
	return &transactRead{table: t, key: key, projected: s.selected}, nil
}

// selected appends what the statement selects of a stored item; nothing if the condition does not hold.
func (s *statement) selected(dst, stored []byte) ([]byte, error) {
	item, err := value.Stored(stored)
	if err != nil {
		return dst, err
	}
	if s.Where != nil && !s.Where.Match(item) {
		return append(dst, "{}"...), nil
	}
	return s.Project(item).AppendJSON(dst), nil
}
