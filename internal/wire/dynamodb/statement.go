package dynamodb

import (
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// statements reads a batch or a transaction of statements, which all read or all write.
func (rd *reading) statements(list []action) {
	writes := false
	for i := range list {
		op := wire.Call{Service: Service, Parts: keyParts}
		rd.statement(&op, &list[i])
		op.Operation = strings.ToUpper(op.Class)
		writes = writes || op.Effect == wire.Writes
		rd.call.Inner = append(rd.call.Inner, op)
	}
	switch transaction := rd.call.Operation == "ExecuteTransaction"; {
	case len(list) == 0:
	case transaction && writes:
		classed(&rd.call, TransactWrite)
	case transaction:
		classed(&rd.call, TransactGet)
	case writes:
		classed(&rd.call, BatchWrite)
	default:
		classed(&rd.call, BatchGet)
	}
	rd.outer()
	for _, op := range rd.call.Inner { // a batch is as broad as the broadest of its statements
		if op.Scans() {
			rd.call.Breadth = wire.Whole
		}
	}
}

// statement classes a statement of PartiQL by what it makes the store do (Developer Guide, "PartiQL select statements":
// without an equality or IN condition on the partition key, it is a full table scan).
func (rd *reading) statement(call *wire.Call, a *action) {
	p := &partiql{list: partiqlTokens(a.Statement), parameters: a.Parameters}
	switch {
	case p.word("select"):
		p.until("from")
		rd.from(call, p)
		rd.selected(call, p)
	case p.word("insert"):
		p.word("into")
		rd.from(call, p)
		classed(call, Put)
		p.until("value")
		call.Key = keyOf(p.object(), rd.schemaOf(call))
		call.Conditional, call.Guard = "INSERT", wire.Guarded // it fails if the item exists
	case p.word("update"):
		rd.from(call, p)
		classed(call, Update)
		p.until("where")
		rd.changed(call, p)
	case p.word("delete"):
		p.word("from")
		rd.from(call, p)
		classed(call, Delete)
		p.until("where")
		rd.changed(call, p)
	case p.word("exists"): // a condition of a transaction: EXISTS(SELECT …)
		p.until("from")
		rd.from(call, p)
		classed(call, check)
		p.until("where")
		rd.changed(call, p)
	default:
		classed(call, wire.Unknown)
	}
}

// from reads "Table"."Index".
func (rd *reading) from(call *wire.Call, p *partiql) {
	call.Resource = tableOf(p.name())
	if p.word(".") {
		call.Index = p.name()
	}
}

func (rd *reading) schemaOf(call *wire.Call) []string {
	schema := rd.of.key(call.Resource, call.Index)
	if len(schema) == 1 {
		call.Parts = keyParts[:1]
	}
	return schema
}

func (rd *reading) selected(call *wire.Call, p *partiql) {
	classed(call, Scan)
	if !p.until("where") {
		return
	}
	call.Filter = strings.Join(p.list[p.at:], " ")
	tests, each := p.where()
	schema := rd.schemaOf(call)
	partition := func(t test) bool {
		if len(schema) > 0 {
			return t.attribute == schema[0]
		}
		return rank(t.attribute) == 0
	}
	if !each || !slices.ContainsFunc(tests, func(t test) bool {
		return partition(t) && (t.operator == "=" || t.operator == "in")
	}) {
		return
	}
	classed(call, Query)
	if len(schema) == 0 {
		tests = slices.DeleteFunc(tests, func(t test) bool { return rank(t.attribute) == 1 })
	}
	used := selects(call, tests, schema)
	if call.Index == "" && len(schema) > 0 && len(used) == len(schema) && len(call.Key) == len(schema) {
		classed(call, Get)
	}
}

// changed reads the key that a statement changes, and the condition beside it.
func (rd *reading) changed(call *wire.Call, p *partiql) {
	tests, _ := p.where()
	schema := rd.schemaOf(call)
	isKey := func(t test) bool {
		if len(schema) > 0 {
			return slices.Contains(schema, t.attribute)
		}
		return rank(t.attribute) != 1
	}
	keys, conditions := []test{}, []string{}
	for _, t := range tests {
		if isKey(t) && t.operator == "=" {
			keys = append(keys, t)
			continue
		}
		conditions = append(conditions, strings.TrimSpace(t.attribute+" "+t.operator+" "+t.from+" "+t.to))
	}
	if len(keys) > 0 {
		selects(call, keys, schema)
	}
	call.Conditional = strings.Join(conditions, " AND ")
	call.Guard = guardOf(call.Class, call.Conditional)
}

// partiql reads a statement token by token.
type partiql struct {
	list       []string
	at         int
	parameters []attribute
	next       int // the parameter that the next ? stands for
}

func (p *partiql) peek() string {
	if p.at >= len(p.list) {
		return ""
	}
	return p.list[p.at]
}

// take returns the next token; a ? takes its parameter.
func (p *partiql) take() string {
	token := p.peek()
	p.at++
	if token == "?" {
		p.next++
	}
	return token
}

// word skips a word if it is the next.
func (p *partiql) word(word string) bool {
	if !strings.EqualFold(p.peek(), word) {
		return false
	}
	p.take()
	return true
}

// until skips everything up to a word, and the word. It reports whether the word was there.
func (p *partiql) until(word string) bool {
	for p.at < len(p.list) {
		if p.word(word) {
			return true
		}
		p.take()
	}
	return false
}

// name takes the name of a table, an index or an attribute, in double quotes or without.
func (p *partiql) name() string {
	token := p.take()
	if len(token) > 1 && token[0] == '"' {
		return strings.ReplaceAll(strings.Trim(token, `"`), `""`, `"`)
	}
	return token
}

// value takes a literal or the parameter that a ? stands for.
func (p *partiql) value() string {
	parameter := p.next
	token := p.take()
	switch {
	case token == "?" && parameter < len(p.parameters):
		text, _ := scalar(p.parameters[parameter]) // another type is part of no key
		return text
	case len(token) > 1 && token[0] == '\'':
		return strings.ReplaceAll(token[1:len(token)-1], "''", "'")
	}
	return token
}

// object takes {'name': value, …}, as far as its values may be part of a key.
func (p *partiql) object() item {
	attributes := item{}
	if !p.word("{") {
		return attributes
	}
	depth := 1
	for depth > 0 && p.at < len(p.list) {
		switch token := p.peek(); {
		case token == "{" || token == "[" || token == "<<":
			depth++
			p.take()
		case token == "}" || token == "]" || token == ">>":
			depth--
			p.take()
		case depth == 1 && p.at+2 < len(p.list) && p.list[p.at+1] == ":":
			name := strings.Trim(p.value(), `"`)
			p.take()
			if next := p.peek(); next != "{" && next != "[" && next != "<<" {
				raw, _ := marshal(map[string]string{"S": p.value()}) // texts can always be encoded
				attributes[name] = raw
			}
		default:
			p.take()
		}
	}
	return attributes
}

// where reads conditions that are joined by AND. each is false if there is an OR or a NOT: then none of them needs to
// hold.
func (p *partiql) where() (tests []test, each bool) {
	each = true
	for p.at < len(p.list) {
		switch {
		case p.word("and"), p.word("("), p.word(")"), p.word("returning"):
		case p.word("or"), p.word("not"):
			each = false
		case strings.EqualFold(p.peek(), "begins_with"):
			p.take()
			p.word("(")
			one := test{attribute: p.name(), operator: "begins_with"}
			p.word(",")
			one.from = p.value()
			tests = append(tests, one)
		default:
			tests = append(tests, p.test())
		}
	}
	return tests, each
}

func (p *partiql) test() test {
	one := test{attribute: p.name()}
	for p.word(".") { // a path: not a key
		one.attribute += "." + p.name()
	}
	switch operator := strings.ToLower(p.take()); operator {
	case "between":
		one.operator, one.from = operator, p.value()
		p.word("and")
		one.to = p.value()
	case "in":
		one.operator = operator
		for p.word("[") || p.word("(") {
		}
		one.from = p.value()
		for p.at < len(p.list) && !p.word("]") && !p.word(")") {
			p.take()
		}
	default:
		one.operator, one.from = operator, p.value()
	}
	return one
}

// partiqlTokens splits a statement into words, texts in quotes, and operators.
func partiqlTokens(statement string) (list []string) {
	for i := 0; i < len(statement); {
		start := i
		switch c := statement[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case c == '\'' || c == '"':
			for i++; i < len(statement); i++ {
				if statement[i] != c {
					continue
				}
				if i+1 < len(statement) && statement[i+1] == c {
					i++ // doubled: it stands for itself
					continue
				}
				break
			}
			if i++; i > len(statement) {
				return append(list, statement[start:])
			}
		case isWord(c) || c == '-':
			for i++; i < len(statement) && (isWord(statement[i]) || statement[i] == '-'); i++ {
			}
		case strings.IndexByte("<>=!", c) >= 0:
			for i++; i < len(statement) && strings.IndexByte("<>=!", statement[i]) >= 0; i++ {
			}
		default:
			i++
		}
		list = append(list, statement[start:i])
	}
	return list
}
