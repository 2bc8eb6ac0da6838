package partiql

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// functions are the functions of conditions, which PartiQL takes in whatever case.
var functions = map[string]bool{
	"attribute_exists": true, "attribute_not_exists": true, "attribute_type": true,
	"begins_with": true, "contains": true, "size": true,
}

// typeNames are the types that IS tests, with those of DynamoDB that they mean.
var typeNames = map[string]value.Kind{
	"string": value.S, "number": value.N, "binary": value.B, "bool": value.BOOL, "boolean": value.BOOL,
	"null": value.NULL,
	"list": value.L, "map": value.M, "struct": value.M, "ss": value.SS, "ns": value.NS, "bs": value.BS,
	"string_set": value.SS, "number_set": value.NS, "binary_set": value.BS, "varchar": value.S, "char": value.S,
	"int": value.N, "integer": value.N, "int2": value.N, "int4": value.N, "int8": value.N, "smallint": value.N,
	"bigint": value.N, "decimal": value.N, "numeric": value.N, "real": value.N, "float": value.N, "double": value.N,
	"character": value.S, "blob": value.B, "s": value.S, "n": value.N, "b": value.B, "l": value.L, "m": value.M,
}

// condition parses a WHERE clause, after its keyword.
func (p *parser) condition() *expression.Condition {
	t := p.or()
	if p.err != "" {
		return nil
	}
	if v, ok := t.Value(); ok && v.Kind != value.BOOL {
		p.fail(unexpectedTerm)
		return nil
	}
	c, err := expression.NewCondition(logical(t))
	if err != nil {
		p.fail(value.Problem(err.Error()))
	}
	return c
}

func (p *parser) or() expression.Term  { return p.chain("or", "OR", p.and) }
func (p *parser) and() expression.Term { return p.chain("and", "AND", p.not) }

// chain parses terms with an operator between them.
func (p *parser) chain(keyword, operator string, term func() expression.Term) expression.Term {
	t := term()
	for p.err == "" && p.take(keyword) {
		if p.token().kind == end || p.token().is(";") {
			p.fail(missingRight)
			break
		}
		t = expression.OperatorTerm(operator, logical(t), logical(term()))
	}
	return t
}

// logical returns a term as a condition: one that is not a condition is compared with true.
func logical(t expression.Term) expression.Term {
	if t.Condition() {
		return t
	}
	return expression.OperatorTerm("=", t, expression.ValueTerm(value.Bool(true)))
}

func (p *parser) not() expression.Term {
	if !p.take("not") {
		return p.comparison()
	}
	t := p.nested(p.not)
	if p.err != "" {
		return t
	}
	return expression.OperatorTerm("NOT", logical(t))
}

func (p *parser) comparison() expression.Term {
	left := p.operand()
	if p.err != "" {
		return left
	}
	t := p.token()
	for _, operator := range []string{"=", "<>", "<=", ">=", "<", ">"} {
		if p.take(operator) {
			return expression.OperatorTerm(operator, left, p.right())
		}
	}
	switch {
	case p.take("!="):
		return expression.OperatorTerm("<>", left, p.right())
	case p.take("is"):
		return p.is(left)
	case p.take("between"):
		return p.between(left)
	case p.take("in"):
		return p.in(left)
	case t.is("not"):
		p.next()
		if p.take("between") {
			return p.negated(p.between(left))
		}
		if p.take("in") {
			return p.negated(p.in(left))
		}
		p.fail(leftover)
	}
	return left
}

func (p *parser) negated(t expression.Term) expression.Term {
	if p.err != "" {
		return t
	}
	return expression.OperatorTerm("NOT", t)
}

// right parses the right operand of a comparison.
func (p *parser) right() expression.Term {
	if p.token().kind == end || p.token().is(";") {
		p.fail(missingRight)
		return expression.Term{}
	}
	return p.operand()
}

func (p *parser) between(left expression.Term) expression.Term {
	low := p.right()
	p.want("and", leftover)
	if p.err != "" {
		return left
	}
	return expression.OperatorTerm("BETWEEN", left, low, p.right())
}

// in parses the operands of IN, in brackets or parentheses, or a list as a parameter.
func (p *parser) in(left expression.Term) expression.Term {
	operands := []expression.Term{left}
	closer := ")"
	switch {
	case p.take("["):
		closer = "]"
	case p.take("<<"):
		closer = ">>"
	case p.take("?"):
		for _, v := range p.parameter().List {
			operands = append(operands, expression.ValueTerm(v))
		}
		return expression.OperatorTerm("IN", operands...)
	case !p.take("("):
		p.fail(unexpectedTerm)
		return left
	}
	p.sequence(closer, func() { operands = append(operands, p.operand()) })
	if len(operands) == 1 {
		p.fail(unexpectedTerm)
	}
	if p.err != "" {
		return left
	}
	return expression.OperatorTerm("IN", operands...)
}

// is parses what follows IS: [NOT] MISSING, [NOT] NULL or the name of a type.
func (p *parser) is(left expression.Term) expression.Term {
	not := p.take("not")
	t := p.next()
	kind, ok := typeNames[strings.ToLower(t.text)]
	var out expression.Term
	switch {
	case t.is("missing"):
		out = expression.CallTerm("attribute_not_exists", left)
	case t.kind == word && ok:
		if t.is("double") {
			p.take("precision")
		} else if t.is("character") {
			p.take("varying")
		}
		out = expression.CallTerm("attribute_type", left, expression.ValueTerm(value.String(kind.String())))
	default:
		p.fail(noTypeName)
		return left
	}
	if not {
		return expression.OperatorTerm("NOT", out)
	}
	return out
}

// operand parses a literal, a parameter, a path, a function or something in parentheses.
func (p *parser) operand() expression.Term {
	if p.literalNext() {
		return expression.ValueTerm(p.literal("root", 1))
	}
	switch t := p.token(); {
	case t.is("("):
		p.next()
		inner := p.nested(p.or)
		p.want(")", unexpectedTerm)
		return inner
	case p.callNext() && (!t.keyword() || t.is("exists")):
		return p.call()
	case t.name():
		return expression.PathTerm(p.path())
	case t.is("is"), t.is("like"), t.is("in"), t.is("between"), t.is("and"), t.is("or"),
		t.kind == symbol && strings.ContainsAny(t.text, "=<>*/%|"):
		p.fail(unexpectedSign)
	case t.keyword():
		p.fail(unexpectedWord)
	default:
		p.fail(unexpectedTerm)
	}
	return expression.Term{}
}

// call parses a function of a condition.
func (p *parser) call() expression.Term {
	t := p.next()
	name := strings.ToLower(t.text)
	if !functions[name] {
		p.fail(value.Problem("Unrecognized function: " + name + t.at()))
		return expression.Term{}
	}
	return expression.CallTerm(name, p.arguments(p.operand)...)
}

// arguments parses the arguments of a function, with the parentheses.
func (p *parser) arguments(argument func() expression.Term) (args []expression.Term) {
	p.next()
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	p.sequence(")", func() { args = append(args, argument()) })
	return args
}
