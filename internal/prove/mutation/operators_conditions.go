package mutation

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// conditions negates conditions and makes them constant. Of a loop there is only the one that never runs: the others
// have no end.
func (f *finder) conditions(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.addWhen(n.Cond, true, "never", "loop never run: "+f.brief(n.Cond), f.constant(n.Cond, false))
		}
	case *ast.SwitchStmt:
		if n.Tag != nil {
			return
		}
		for _, clause := range n.Body.List {
			for _, one := range clause.(*ast.CaseClause).List {
				f.condition(one)
			}
		}
	case *ast.ReturnStmt:
		for _, result := range n.Results {
			f.answer(result)
		}
	case *ast.AssignStmt:
		for _, value := range n.Rhs {
			f.answer(value)
		}
	}
}

// constant gives a condition a value; what it calls is called all the same.
func (f *finder) constant(condition ast.Expr, value bool) edit {
	with := " && false"
	if value {
		with = " || true"
	}
	return replace(condition, "("+f.text(condition)+")"+with)
}

func (f *finder) negation(condition ast.Expr) edit {
	return replace(condition, "!("+f.text(condition)+")")
}

func (f *finder) condition(condition ast.Expr) {
	what := f.brief(condition)
	if f.isFailure(condition) {
		f.addWhen(condition, true, "ignored", "error ignored: "+what, f.constant(condition, false))
		return
	}
	f.add("negated", "condition negated: "+what, f.negation(condition))
	f.addWhen(condition, false, "always", "condition always true: "+what, f.constant(condition, true))
	f.addWhen(condition, true, "never", "condition never true: "+what, f.constant(condition, false))
}

// answer negates a comparison that is returned or kept.
func (f *finder) answer(value ast.Expr) {
	compared, ok := ast.Unparen(value).(*ast.BinaryExpr)
	if typ := f.typeOf(value); ok && typ != nil && isBool(typ) {
		f.add("negated", "result negated: "+f.brief(compared), f.negation(value))
	}
}

func isBool(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

// isFailure reports whether a condition is that an error is not nil.
func (f *finder) isFailure(condition ast.Expr) bool {
	compared, ok := condition.(*ast.BinaryExpr)
	return ok && compared.Op == token.NEQ && f.text(compared.Y) == "nil" && f.isError(compared.X)
}

func (f *finder) isError(e ast.Expr) bool {
	typ := f.typeOf(e)
	return typ != nil && types.Identical(typ, types.Universe.Lookup("error").Type())
}

// terms removes one term of a condition, and one of a filter that is a text with " and ".
func (f *finder) terms(n ast.Node) {
	whole, ok := n.(*ast.BinaryExpr)
	if !ok {
		return
	}
	if above, ok := f.parent().(*ast.BinaryExpr); ok && above.Op == whole.Op {
		return // a part of a longer one
	}
	terms := flat(whole, whole.Op)
	switch whole.Op {
	case token.LAND, token.LOR:
		for i, term := range terms {
			without := replace(whole, f.joined(terms, i, i+1, whole.Op))
			if what := "term removed: " + f.brief(term); calls(term) {
				f.add("term", what, without)
			} else { // without it && can only become true, and || false
				f.addWhen(whole, whole.Op == token.LOR, "term", what, without)
			}
		}
	case token.ADD:
		for i, term := range terms {
			literal, ok := term.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				continue
			}
			before, after, found := strings.Cut(literal.Value[1:len(literal.Value)-1], " and ")
			if !found {
				continue
			}
			quote := literal.Value[:1]
			f.add("term", "filter without what follows "+brief(literal.Value), replace(whole,
				strings.Join(append(f.texts(terms[:i]), quote+before+quote), " + ")))
			f.add("term", "filter without what precedes "+brief(literal.Value), replace(whole,
				strings.Join(append([]string{quote + after + quote}, f.texts(terms[i+1:])...), " + ")))
		}
	}
}

// calls reports whether an expression calls anything, which may do more than return a value.
func calls(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return !found
	})
	return found
}

// flat returns the operands of a chain of one operator.
func flat(e ast.Expr, op token.Token) []ast.Expr {
	if binary, ok := e.(*ast.BinaryExpr); ok && binary.Op == op {
		return append(flat(binary.X, op), flat(binary.Y, op)...)
	}
	return []ast.Expr{e}
}

func (f *finder) texts(list []ast.Expr) (texts []string) {
	for _, e := range list {
		texts = append(texts, f.text(e))
	}
	return texts
}

// joined returns a chain without the operands from one to another.
func (f *finder) joined(terms []ast.Expr, from, to int, op token.Token) string {
	left := append(f.texts(terms[:from]), f.texts(terms[to:])...)
	return "(" + strings.Join(left, " "+op.String()+" ") + ")"
}

// boundaries lets a comparison include its limit, or not.
func (f *finder) boundaries(n ast.Node) {
	compared, ok := n.(*ast.BinaryExpr)
	if !ok {
		return
	}
	other := map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}[compared.Op]
	if other == "" {
		return
	}
	at := edit{compared.OpPos, compared.OpPos + token.Pos(len(compared.Op.String())), other}
	f.add("boundary", "boundary shifted: "+f.brief(compared), at)
}
