package partiql

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Verb is the kind of a statement.
type Verb uint8

// The verbs. Exists is SELECT within EXISTS( … ), which ExecuteTransaction takes as a condition check.
const (
	Select Verb = iota + 1
	Insert
	Update
	Delete
	Exists
)

// Statement is a parsed statement.
type Statement struct {
	Verb         Verb
	Table, Index string
	// Columns are what a SELECT selects; nil for *.
	Columns []Column
	// Where is the whole WHERE clause; nil if there is none.
	Where *expression.Condition
	// OrderBy is the attribute of ORDER BY, or "".
	OrderBy    string
	Descending bool
	// Item is what an INSERT inserts.
	Item value.Item
	// Update is what an UPDATE does.
	Update *expression.Update
	// Returning is "", or the ReturnValues that the RETURNING clause means: ALL_OLD, ALL_NEW, UPDATED_OLD
	// (MODIFIED OLD *), UPDATED_NEW (MODIFIED NEW *).
	Returning string

	rest []token // what follows WHERE
}

// Clause returns what follows WHERE, with single spaces between its tokens.
func (s *Statement) Clause() string {
	var words []string
	for _, t := range s.rest {
		words = append(words, t.raw)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// Column is what a SELECT selects, and what it is called in the items that are returned.
type Column struct {
	Path expression.Path
	Name string
}

// Project returns the columns of an item.
func (s *Statement) Project(item value.Item) value.Item {
	if s.Columns == nil {
		return item
	}
	out := value.Item{}
	for _, c := range s.Columns {
		if v, ok := c.Path.Find(item); ok {
			out = append(out, value.Attribute{Name: c.Name, Value: v})
		}
	}
	return value.Sort(out)
}

// Parse parses a statement with its parameters, which stand for ? in it, in their order.
func Parse(statement string, parameters []value.Value) (*Statement, error) {
	s, err := Read(statement, parameters)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Read is Parse for a program that watches statements: with an error, it returns what it could read before, which may
// be nil.
func Read(statement string, parameters []value.Value) (*Statement, error) {
	for i := range parameters {
		if err := parameters[i].OlderProblem(); err != nil {
			return nil, err
		}
	}
	tokens, ok := lex(statement)
	if !ok {
		return nil, value.Problem(notWellFormed)
	}
	p := &parser{tokens: tokens, parameters: parameters}
	s := p.statement()
	p.take(";")
	if p.token().kind != end {
		p.fail(leftover)
	}
	if p.err == "" && p.used < len(parameters) {
		p.fail(parameterCount)
	}
	if p.err != "" {
		return s, p.err
	}
	return s, nil
}

func (p *parser) statement() *Statement {
	switch t := p.token(); {
	case p.take("select"):
		return p.selection()
	case p.take("insert"):
		return p.insertion()
	case p.take("update"):
		s := &Statement{Verb: Update}
		s.Table, _ = p.table(noSimplePath)
		s.Update = p.manipulation()
		p.where(s)
		s.Returning = p.returning()
		return s
	case p.take("delete"):
		return p.deletion()
	case p.take("from"):
		s := &Statement{Verb: Update}
		s.Table, _ = p.table(noSimplePath)
		p.where(s)
		s.Update = p.manipulation()
		s.Returning = p.returning()
		return s
	case t.is("exists") && p.tokens[p.pos+1].is("("):
		p.next()
		p.next()
		p.want("select", unexpectedTerm)
		s := p.selection()
		p.want(")", unexpectedTerm)
		s.Verb = Exists
		return s
	}
	return p.bare()
}

// bare parses an expression in the place of a statement, which DynamoDB refuses after it has read it.
func (p *parser) bare() *Statement {
	if p.token().kind == end {
		p.fail(unexpectedTerm)
	}
	p.operand()
	if p.take("is") {
		p.is(expression.ValueTerm(value.Null()))
		if p.err == "" && p.token().kind == end {
			p.fail("Unsupported operation: IsType")
		}
	}
	p.fail(leftover)
	return nil
}

func (p *parser) selection() *Statement {
	s := &Statement{Verb: Select}
	if !p.take("*") {
		s.Columns = p.columns()
	}
	p.want("from", unexpectedTerm)
	s.Table, s.Index = p.table(unexpectedTerm)
	p.where(s)
	if !p.take("order") {
		return s
	}
	p.want("by", unexpectedTerm)
	if !p.token().name() {
		p.fail(unexpectedTerm)
		return s
	}
	s.OrderBy = p.next().text
	if s.Descending = p.take("desc"); !s.Descending {
		p.take("asc")
	}
	return s
}

func (p *parser) columns() []Column {
	var columns []Column
	for p.err == "" {
		t := p.token()
		switch {
		case t.kind == word && p.tokens[p.pos+1].is("("):
			p.fail(value.Problem("Unexpected path component" + t.at()))
		case t.keyword():
			p.fail(unexpectedWord)
		case !t.name():
			p.fail(unexpectedTerm)
		}
		if p.err != "" {
			return nil
		}
		c := Column{Path: p.path()}
		if c.Name = c.Path[len(c.Path)-1].Name; c.Name == "" {
			c.Name = "_" + value.Int(int64(len(columns)+1)).Text
		}
		if p.take("as") {
			c.Name = p.next().text
		}
		columns = append(columns, c)
		if !p.take(",") {
			break
		}
	}
	return columns
}

func (p *parser) where(s *Statement) {
	if p.err != "" || !p.take("where") {
		return
	}
	s.rest = p.tokens[p.pos:]
	s.Where = p.condition()
}

func (p *parser) insertion() *Statement {
	s := &Statement{Verb: Insert}
	p.want("into", unexpectedTerm)
	if !p.token().name() {
		p.fail(noSimplePath)
		return s
	}
	if s.Table = p.next().text; s.Table == "" {
		p.fail(emptyComponent)
	}
	p.want("value", leftover)
	if p.take("?") {
		s.Item = p.parameter().Map
		return s
	}
	if !p.take("{") {
		p.fail(unexpectedTerm)
		return s
	}
	s.Item = p.item("", 0)
	return s
}

func (p *parser) deletion() *Statement {
	s := &Statement{Verb: Delete}
	p.want("from", noSimplePath)
	s.Table, _ = p.table(noSimplePath)
	p.where(s)
	s.Returning = p.returning()
	if p.err == "" && s.Returning != "" && s.Returning != "ALL_OLD" {
		p.fail(value.Problem("Invalid returning clause: RETURNING " + clauses[s.Returning] +
			" *. Only RETURNING ALL OLD * is allowed in DELETE statements."))
	}
	return s
}

// clauses are the RETURNING clauses for values of ReturnValues.
var clauses = map[string]string{
	"ALL_OLD": "ALL OLD", "ALL_NEW": "ALL NEW", "UPDATED_OLD": "MODIFIED OLD", "UPDATED_NEW": "MODIFIED NEW",
}

func (p *parser) returning() string {
	if p.err != "" || !p.take("returning") {
		return ""
	}
	which, when := strings.ToUpper(p.next().text), strings.ToUpper(p.next().text)
	for values, clause := range clauses {
		if clause == which+" "+when && p.take("*") {
			return values
		}
	}
	p.fail(unexpectedTerm)
	return ""
}

// Lookup returns what the statement's WHERE clause says about the keys of a table or an index.
func (s *Statement) Lookup(schema expression.Schema) (expression.Lookup, error) {
	return s.Where.Lookup(schema)
}

// Key returns the key of the one item that an UPDATE, DELETE or EXISTS means, and whether the WHERE clause has other
// conditions: then the service evaluates Where for the item. The error is DynamoDB's if the clause does not
// give every key attribute by equality.
func (s *Statement) Key(schema expression.Schema) (key value.Item, rest bool, err error) {
	key, rest, ok := s.Where.Key(schema)
	if !ok {
		return nil, false, value.Problem(noMandatoryKey)
	}
	return key, rest, nil
}
