package odata

import "fmt"

// maxFilterDepth bounds how deeply parentheses and negations may nest. The Table service allows 15 comparisons in a
// filter, so no filter it accepts comes close.
const maxFilterDepth = 100

// FilterError says where a filter is malformed. It never quotes a constant of the filter.
type FilterError struct {
	Pos  int    // byte offset into the filter
	Want string // what was expected there
}

func (e *FilterError) Error() string {
	return fmt.Sprintf("filter: at byte %d: expected %s", e.Pos, e.Want)
}

// ParseFilter parses a $filter, decoded, in the language of "Querying tables and entities" of the Table service's REST
// documentation: comparisons of one property with one constant, joined by and, or, not and parentheses. A blank filter
// is the absent one. Every error is a *FilterError.
func ParseFilter(filter string) (Filter, error) {
	p := filterParser{lex: filterLexer{src: filter}}
	if err := p.advance(); err != nil {
		return Filter{}, err
	}
	if p.tok.kind == tokenEnd {
		return Filter{}, nil
	}
	t, err := p.parse(0)
	if err != nil {
		return Filter{}, err
	}
	if p.tok.kind != tokenEnd {
		return Filter{}, p.unexpected("an operator or the end")
	}
	root, err := t.boolean()
	return Filter{Root: root}, err
}

// Binding powers, from loose to tight. A negation applies to a whole comparison: `not a eq 1` negates the comparison,
// since the Table service allows no other use of a constant.
const (
	powerOr = iota + 1
	powerAnd
	powerNot
	powerCompare
)

func (k tokenKind) power() int {
	switch k {
	case tokenOr:
		return powerOr
	case tokenAnd:
		return powerAnd
	case tokenCompare:
		return powerCompare
	}
	return 0
}

// term is an operand: an expression, or a constant that is waiting for its property.
type term struct {
	expr Expr
	lit  Literal
	pos  int
}

func (t term) boolean() (Expr, error) {
	if b, ok := t.lit.Value.(bool); ok {
		return Constant(b), nil
	}
	if t.expr == nil {
		return nil, &FilterError{Pos: t.pos, Want: "a comparison"}
	}
	return t.expr, nil
}

type filterParser struct {
	lex   filterLexer
	tok   token     // the next one
	prev  tokenKind // of the one before it
	depth int
}

func (p *filterParser) advance() error {
	p.prev = p.tok.kind
	var err error
	p.tok, err = p.lex.next()
	return err
}

func (p *filterParser) unexpected(want string) error {
	return &FilterError{Pos: p.tok.pos, Want: want}
}

// parse reads a term and every following operator that binds more tightly than power.
func (p *filterParser) parse(power int) (term, error) {
	left, err := p.prefix()
	for err == nil && p.tok.kind.power() > power {
		op := p.tok
		if err = p.advance(); err != nil {
			break
		}
		var right term
		if right, err = p.parse(op.kind.power()); err == nil {
			left, err = join(left, op, right)
		}
	}
	return left, err
}

// prefix reads a name, a constant, a negation or a parenthesis.
func (p *filterParser) prefix() (term, error) {
	t := term{pos: p.tok.pos}
	switch p.tok.kind {
	case tokenName:
		t.expr = Property(p.tok.text)
		return t, p.advance()
	case tokenLiteral:
		t.lit = p.tok.lit
		return t, p.advance()
	case tokenNot:
		return p.nested(func() (term, error) {
			operand, err := p.parse(powerNot)
			if err != nil {
				return t, err
			}
			e, err := operand.boolean()
			t.expr = Not{e}
			if c, ok := e.(Constant); ok {
				t.expr = !c
			}
			return t, err
		})
	case tokenOpen:
		if p.prev == tokenNot {
			p.depth-- // `not (` is one level
			defer func() { p.depth++ }()
		}
		return p.nested(func() (term, error) {
			inner, err := p.parse(0)
			if err != nil {
				return inner, err
			}
			if p.tok.kind != tokenClose {
				return inner, p.unexpected(`an operator or ")"`)
			}
			return inner, p.advance()
		})
	}
	return t, p.unexpected("a name, a constant, not or a parenthesis")
}

// nested consumes the token that opens a level and parses what is inside.
func (p *filterParser) nested(inside func() (term, error)) (term, error) {
	if p.depth >= maxFilterDepth {
		return term{}, &FilterError{Pos: p.tok.pos, Want: fmt.Sprintf("at most %d levels", maxFilterDepth)}
	}
	p.depth++
	defer func() { p.depth-- }()
	if err := p.advance(); err != nil {
		return term{}, err
	}
	return inside()
}

func join(left term, op token, right term) (term, error) {
	if op.kind == tokenCompare {
		return compare(left, Operator(op.text), right)
	}
	l, err := left.boolean()
	if err != nil {
		return term{}, err
	}
	r, err := right.boolean()
	if err != nil {
		return term{}, err
	}
	neutral := Constant(op.kind == tokenAnd)
	for _, pair := range [][2]Expr{{l, r}, {r, l}} {
		if c, ok := pair[0].(Constant); ok {
			if c == neutral {
				return term{expr: pair[1], pos: left.pos}, nil
			}
			return term{expr: c, pos: left.pos}, nil
		}
	}
	if neutral {
		return term{expr: append(conjuncts(l), conjuncts(r)...), pos: left.pos}, nil
	}
	return term{expr: append(disjuncts(l), disjuncts(r)...), pos: left.pos}, nil
}

func compare(left term, op Operator, right term) (term, error) {
	pos := left.pos
	if left.expr == nil {
		left, right, op = right, left, op.turned()
	}
	name, ok := left.expr.(Property)
	if !ok {
		return term{}, &FilterError{Pos: left.pos, Want: "a property"}
	}
	if right.expr != nil {
		return term{}, &FilterError{Pos: right.pos, Want: "a constant"}
	}
	return term{expr: Comparison{Property: string(name), Operator: op, Value: right.lit}, pos: pos}, nil
}

func conjuncts(e Expr) And {
	if and, ok := e.(And); ok {
		return and
	}
	return And{e}
}

func disjuncts(e Expr) Or {
	if or, ok := e.(Or); ok {
		return or
	}
	return Or{e}
}
