package partiql

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// What DynamoDB says of a statement that it cannot read, before the detail if there is one.
const (
	notWellFormed = "Statement wasn't well formed, can't be processed: "

	leftover         = notWellFormed + "Unexpected token after expression"
	unexpectedTerm   = notWellFormed + "Unexpected term"
	unexpectedWord   = notWellFormed + "Unexpected keyword"
	unexpectedSign   = notWellFormed + "Unexpected operator"
	missingRight     = notWellFormed + "Missing right-hand side expression of infix operator"
	noSimplePath     = notWellFormed + "Expected identifier for simple path"
	badDot           = notWellFormed + "Invalid path dot component"
	noTypeName       = notWellFormed + "Expected type name"
	noManipulation   = notWellFormed + "Expected data manipulation"
	aliasing         = "Aliasing is not supported"
	emptyComponent   = "Path component cannot be an empty string"
	manyComponents   = "A path may contain at most 2 components in the FROM clause"
	parameterCount   = "Number of parameters in request and statement don't match."
	emptyBag         = "Empty bags are not supported"
	noMandatoryKey   = "Where clause does not contain a mandatory equality on all key attributes"
	maxDepth         = 200 // of parentheses and negations; a statement has at most 8192 characters
	maxLiteralLevels = value.MaxLevels
)

// keywords are the words that are names only if they are quoted: those of clauses and operators.
var keywords = words("select from where order by group having insert into values update set remove delete returning " +
	"and or not in is null missing true false between like as at join inner left right full outer cross on union " +
	"except intersect all any some exists case when then else end cast distinct asc desc limit offset " +
	"pivot unpivot let")

func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}

// parser reads the tokens of a statement. The first problem ends it.
type parser struct {
	tokens     []token
	pos        int
	depth      int
	parameters []value.Value
	used       int
	err        value.Problem
}

func (p *parser) token() token { return p.tokens[p.pos] }

func (p *parser) next() token {
	t := p.tokens[p.pos]
	if t.kind != end {
		p.pos++
	}
	return t
}

// fail keeps the first problem and ends the parser.
func (p *parser) fail(problem value.Problem) {
	if p.err == "" {
		p.err = problem
	}
	p.pos = len(p.tokens) - 1
}

// take skips a symbol or keyword if it is next.
func (p *parser) take(s string) bool {
	if !p.token().is(s) {
		return false
	}
	p.next()
	return true
}

// want skips a symbol or keyword, or fails.
func (p *parser) want(s string, problem value.Problem) {
	if !p.take(s) {
		p.fail(problem)
	}
}

// keyword says whether the token is a word and not a name.
func (t token) keyword() bool { return t.kind == word && keywords[strings.ToLower(t.text)] }

// name says whether the token is a name.
func (t token) name() bool { return t.kind == quoted || t.kind == word && !t.keyword() }

// enter counts what is within something else, so that a statement cannot exhaust the stack.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail(unexpectedTerm)
		return false
	}
	return true
}

// sequence parses elements with commas between them, up to a closing symbol, and skips that.
func (p *parser) sequence(closing string, element func()) {
	for first := true; p.err == "" && !p.take(closing); first = false {
		if !first && !p.take(",") {
			p.fail(unexpectedTerm)
			return
		}
		element()
	}
}

// nested calls parse within parentheses or a negation, and returns what it parsed.
func (p *parser) nested(parse func() expression.Term) expression.Term {
	if !p.enter() {
		return expression.Term{}
	}
	defer func() { p.depth-- }()
	return parse()
}

// callNext says whether a word is next, and a parenthesis after it.
func (p *parser) callNext() bool { return p.token().kind == word && p.tokens[p.pos+1].is("(") }

// path parses a document path, such as a.b[0]."c".
func (p *parser) path() expression.Path {
	path := expression.Path{expression.Name(p.next().text)}
	for p.err == "" {
		switch {
		case p.take("."):
			t := p.next()
			if !t.name() {
				p.fail(badDot)
				return path
			}
			path = append(path, expression.Name(t.text))
		case p.token().is("["):
			p.next()
			step, ok := p.index()
			if !ok || !p.take("]") {
				p.fail(unexpectedTerm)
				return path
			}
			path = append(path, step)
		default:
			return path
		}
	}
	return path
}

// index parses what is in the brackets of a path: an index, or the name of an attribute as a string.
func (p *parser) index() (expression.Step, bool) {
	t := p.next()
	if t.kind == text {
		return expression.Name(t.text), true
	}
	n := 0
	if t.kind != number || len(t.text) > 9 {
		return expression.Step{}, false
	}
	for _, c := range []byte(t.text) {
		if !digit(c) {
			return expression.Step{}, false
		}
		n = n*10 + int(c-'0')
	}
	return expression.Index(n), true
}

// table parses the name of a table, and that of an index if it may have one.
func (p *parser) table(absent value.Problem) (table, index string) {
	if !p.token().name() {
		p.fail(absent)
		return "", ""
	}
	components := []string{p.next().text}
	for p.take(".") {
		if !p.token().name() {
			p.fail(badDot)
			return "", ""
		}
		components = append(components, p.next().text)
	}
	for _, c := range components {
		if c == "" {
			p.fail(emptyComponent)
			return "", ""
		}
	}
	switch {
	case len(components) > 2:
		p.fail(manyComponents)
	case p.err == "" && (p.token().is("as") || p.token().name() && !p.clause()):
		p.fail(aliasing)
	case len(components) == 2:
		return components[0], components[1]
	}
	return components[0], ""
}

// clause says whether the next word, although no keyword, begins a clause.
func (p *parser) clause() bool { return p.token().is("value") || p.token().is("use") }

// parameter returns the value of the next ?.
func (p *parser) parameter() value.Value {
	if p.used++; p.used > len(p.parameters) {
		p.fail(parameterCount)
		return value.Null()
	}
	return p.parameters[p.used-1]
}
