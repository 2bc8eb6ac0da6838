package expression

// condition parses a whole condition: a disjunction of conjunctions, of which each term may be negated.
func (p *parser) condition() *node {
	n := p.or()
	if p.err == "" && (p.token().kind != end || !n.condition()) {
		p.fail()
	}
	return n
}

func (p *parser) or() *node { return p.chain(opOr, "OR", p.and) }

func (p *parser) and() *node { return p.chain(opAnd, "AND", p.not) }

// chain parses terms with an operator between them, which all must be conditions.
func (p *parser) chain(operator op, keyword string, term func() *node) *node {
	n := term()
	for p.err == "" && p.keyword(keyword) {
		if !n.condition() {
			p.fail()
			return n
		}
		p.operator()
		right := term()
		if p.err == "" && !right.condition() {
			p.fail()
		}
		n = &node{op: operator, args: []*node{n, right}}
	}
	return n
}

func (p *parser) not() *node {
	if !p.keyword("NOT") {
		return p.comparison()
	}
	p.operator()
	arg := p.not()
	if p.err == "" && !arg.condition() {
		p.fail()
	}
	return &node{op: opNot, args: []*node{arg}}
}

// comparison parses an operand, and what it is compared with, if it is. An operand may be a condition in parentheses:
// then nothing can follow.
func (p *parser) comparison() *node {
	left := p.operand()
	if p.err != "" || left.condition() && left.op != opFunction {
		return left
	}
	if operator := p.comparator(); operator != 0 {
		p.operator()
		return &node{op: operator, args: []*node{left, p.simple()}}
	}
	switch {
	case p.keyword("BETWEEN"):
		p.operator()
		low := p.simple()
		if !p.keyword("AND") {
			p.fail()
			return left
		}
		p.next()
		return &node{op: opBetween, args: []*node{left, low, p.simple()}}
	case p.keyword("IN"):
		p.operator()
		p.take("(")
		return &node{op: opIn, args: p.list([]*node{left}, p.simple)}
	}
	return left
}

func (p *parser) comparator() op {
	if p.token().kind != symbol {
		return 0
	}
	for operator := opEqual; operator <= opGreaterEqual; operator++ {
		if p.lexeme() == opNames[operator] {
			return operator
		}
	}
	return 0
}

// simple parses an operand that is not a condition, except a function.
func (p *parser) simple() *node {
	n := p.operand()
	if p.err == "" && n.condition() && n.op != opFunction {
		p.fail()
	}
	return n
}

// operand parses a path, a placeholder of a value, a function, or anything in parentheses.
func (p *parser) operand() *node {
	switch t := p.token(); {
	case t.kind == param:
		n := &node{op: opValue, name: p.lexeme()}
		p.next()
		return n
	case t.kind == name, t.kind == word && !p.operatorWord():
		if p.callNext() {
			return p.function(p.simple)
		}
		return &node{op: opPath, path: p.path()}
	case p.is("("):
		return p.group(p.or)
	}
	p.fail()
	return &node{op: opPath}
}

// operatorWord says whether the next token is a word that cannot begin an operand of a condition.
func (p *parser) operatorWord() bool {
	return p.keyword("AND") || p.keyword("OR") || p.keyword("NOT") || p.keyword("BETWEEN") || p.keyword("IN")
}

// group parses something in parentheses. A path in parentheses can go on after them.
func (p *parser) group(inner func() *node) *node {
	p.take("(")
	n := inner()
	p.take(")")
	if p.err != "" {
		return n
	}
	p.parens = p.parens || n.grouped
	n.grouped = true
	if n.op == opPath && (p.is(".") || p.is("[")) {
		return &node{op: opPath, path: p.steps(n.path)}
	}
	return n
}

// callNext says whether a function is next.
func (p *parser) callNext() bool {
	return p.token().kind == word && p.text[p.tokens[p.pos+1].from:p.tokens[p.pos+1].to] == "("
}

func (p *parser) function(operand func() *node) *node {
	n := &node{op: opFunction, name: p.lexeme()}
	p.next()
	p.next()
	n.args = p.list(nil, operand)
	return n
}

// list parses operands up to the closing parenthesis. There is at least one.
func (p *parser) list(nodes []*node, operand func() *node) []*node {
	for p.err == "" {
		nodes = append(nodes, operand())
		if !p.is(",") {
			break
		}
		p.next()
	}
	p.take(")")
	return nodes
}
