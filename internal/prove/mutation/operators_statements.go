package mutation

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// removals leaves out a statement. What it used still counts as used.
func (f *finder) removals(n ast.Node) {
	switch n := n.(type) {
	case *ast.ExprStmt:
		if _, ok := n.X.(*ast.CallExpr); ok {
			f.remove(n)
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE && f.text(n.Lhs[0]) != "_" {
			f.remove(n)
		}
	case *ast.IncDecStmt, *ast.GoStmt:
		f.remove(n.(ast.Stmt))
	case *ast.DeferStmt:
		if len(n.Call.Args) > 0 { // without arguments it closes, stops or unlocks
			f.remove(n)
		}
	case *ast.IfStmt:
		if n.Init != nil && n.Else == nil && f.isFailure(n.Cond) {
			if what := f.brief(n.Init); strings.Contains(what, "(") {
				f.add("removed", "call left out: "+what, replace(n, f.uses(n)))
			}
		}
	case *ast.ReturnStmt:
		if len(n.Results) != 1 || !f.isError(n.Results[0]) {
			return
		}
		if call, ok := n.Results[0].(*ast.CallExpr); ok && f.takesContext(call) {
			f.add("removed", "call left out: "+f.brief(call), replace(n, f.uses(n)+"; return nil"))
		}
	}
}

func (f *finder) remove(n ast.Stmt) {
	switch above := f.parent().(type) {
	case *ast.ForStmt:
		if above.Body != ast.Node(n) {
			return // a loop without end
		}
	case *ast.CommClause:
		if above.Comm == n {
			return
		}
	case *ast.TypeSwitchStmt:
		return
	}
	f.add("removed", "left out: "+f.brief(n), replace(n, f.uses(n)))
}

// uses returns a statement that uses the local variables of a node, so that the compiler does not miss their use.
func (f *finder) uses(n ast.Node) string {
	var names []string
	ast.Inspect(n, func(inner ast.Node) bool {
		named, ok := inner.(*ast.Ident)
		if !ok {
			return true
		}
		used, ok := f.pack.info.Uses[named].(*types.Var)
		if ok && !used.IsField() && used.Parent() != f.pack.types.Scope() && used.Pkg() == f.pack.types &&
			(used.Pos() < n.Pos() || n.End() <= used.Pos()) && !slices.Contains(names, used.Name()) {
			names = append(names, used.Name())
		}
		return true
	})
	if len(names) == 0 {
		return ""
	}
	return strings.Repeat("_, ", len(names)-1) + "_ = " + strings.Join(names, ", ")
}

// takesContext reports whether a call passes a context on, as everything does that may call the store.
func (f *finder) takesContext(call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
		typ := f.typeOf(e)
		return typ != nil && isContext(typ)
	})
}

func isContext(t types.Type) bool { return isNamed(types.Unalias(t), "context", "Context") }

func isNamed(t types.Type, pkg, name string) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkg && named.Obj().Name() == name
}

// errors returns success instead of an error. Where the error of a call is passed on, conditions ignores it.
func (f *finder) errors(n ast.Node) {
	returned, ok := n.(*ast.ReturnStmt)
	if !ok || len(returned.Results) == 0 {
		return
	}
	last := returned.Results[len(returned.Results)-1]
	if !f.isError(last) && !f.wordsError(last) || f.passesOn() {
		return
	}
	if _, named := last.(*ast.Ident); named && f.text(last) != "nil" {
		f.add("success", "success for an error: "+f.brief(returned), replace(last, "nil"))
	}
}

// passesOn reports whether the current node is all that is done about the error of a call.
func (f *finder) passesOn() bool {
	if len(f.path) < 2 {
		return false
	}
	failed, ok := f.path[len(f.path)-2].(*ast.IfStmt)
	return ok && len(failed.Body.List) == 1 && failed.Body == f.parent() && f.isFailure(failed.Cond)
}

// wordsError reports whether an expression is a call that only makes an error.
func (f *finder) wordsError(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && f.only(call)
}

// loops cuts a loop to its first round, and what it collects to its last.
func (f *finder) loops(n ast.Node) {
	var body *ast.BlockStmt
	var head token.Pos
	switch n := n.(type) {
	case *ast.ForStmt:
		body, head = n.Body, n.Pos()
	case *ast.RangeStmt:
		body, head = n.Body, n.Pos()
	case *ast.AssignStmt:
		f.collects(n)
		return
	default:
		return
	}
	what := brief(f.unit.file.text(head, body.Lbrace))
	leave := "break\n"
	if lines := f.unit.file.at; lines.Line(body.Lbrace) == lines.Line(body.Rbrace) {
		leave = "; break "
	}
	f.add("first", "only the first round: "+what, edit{body.Rbrace, body.Rbrace, leave})
}

// collects keeps only the last round of what a loop appends.
func (f *finder) collects(n *ast.AssignStmt) {
	inLoop := slices.ContainsFunc(f.path, func(above ast.Node) bool {
		_, counted := above.(*ast.ForStmt)
		_, ranged := above.(*ast.RangeStmt)
		return counted || ranged
	})
	if !inLoop || len(n.Lhs) != 1 || len(n.Rhs) != 1 {
		return
	}
	call, ok := n.Rhs[0].(*ast.CallExpr)
	if ok && f.text(call.Fun) == "append" && len(call.Args) > 1 && f.text(call.Args[0]) == f.text(n.Lhs[0]) {
		f.add("last", "only the last round: "+f.brief(n), replace(call.Args[0], f.text(n.Lhs[0])+"[:0:0]"))
	}
}

// step is one or two statements: a call that may reach the store, and what becomes of its error.
type step struct {
	from, to token.Pos
	call     ast.Expr // if it is all that the statement does besides
	returned bool
}

// order swaps two steps that follow each other.
func (f *finder) order(n ast.Node) {
	var list []ast.Stmt
	switch n := n.(type) {
	case *ast.BlockStmt:
		list = n.List
	case *ast.CaseClause:
		list = n.Body
	}
	var last *step
	for i := 0; i < len(list); i++ {
		current := f.step(list[i])
		if current == nil {
			last = nil
			continue
		}
		if i+1 < len(list) {
			if after, ok := list[i+1].(*ast.IfStmt); ok && after.Init == nil && f.isFailure(after.Cond) {
				i++
				current.to = after.End()
			}
		}
		if last != nil {
			f.swap(last, current)
		}
		last = current
	}
}

// swap swaps two steps: only their calls if the second one returns.
func (f *finder) swap(a, b *step) {
	first, second := edit{from: a.from, to: a.to}, edit{from: b.from, to: b.to}
	if b.returned {
		if a.call == nil {
			return
		}
		first, second = replace(a.call, ""), replace(b.call, "")
	}
	first.text, second.text = f.unit.file.text(second.from, second.to), f.unit.file.text(first.from, first.to)
	f.add("order", "swapped: "+brief(second.text)+" and "+brief(first.text), first, second)
}

// step returns a statement as a step; nil if it is not one.
func (f *finder) step(n ast.Stmt) *step {
	made := &step{from: n.Pos(), to: n.End()}
	switch n := n.(type) {
	case *ast.ReturnStmt:
		if len(n.Results) != 1 || !f.isError(n.Results[0]) {
			return nil
		}
		made.call, made.returned = n.Results[0], true
	case *ast.IfStmt:
		if n.Init == nil || n.Else != nil || !f.isFailure(n.Cond) {
			return nil
		}
		if set, ok := n.Init.(*ast.AssignStmt); ok && len(set.Lhs) == 1 && len(set.Rhs) == 1 {
			made.call = set.Rhs[0]
		}
		if !f.calls(n.Init) {
			return nil
		}
		return made
	case *ast.AssignStmt, *ast.ExprStmt:
	default:
		return nil
	}
	if !f.calls(n) {
		return nil
	}
	return made
}

// calls reports whether a statement contains a call that may reach the store.
func (f *finder) calls(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(inner ast.Node) bool {
		if _, function := inner.(*ast.FuncLit); function {
			return false
		}
		if one, ok := inner.(*ast.CallExpr); ok && f.takesContext(one) {
			found = true
		}
		return !found
	})
	return found
}
