package mutation

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// numbers adds one to a number, and doubles a time.
func (f *finder) numbers(n ast.Node) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.INT && !f.besideError() {
			f.add("number", "one more than "+n.Value, replace(n, "("+n.Value+"+1)"))
		}
	case *ast.Ident, *ast.SelectorExpr:
		used := f.usedConstant(n)
		if used == nil || used.Pkg() == nil || used.Pkg().Path() == "time" {
			return
		}
		if isNamed(used.Type(), "time", "Duration") {
			f.add("number", "twice "+f.brief(n), replace(n, "(2*"+f.text(n)+")"))
		} else if basic, ok := used.Type().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
			f.add("number", "one more than "+f.brief(n), replace(n, "("+f.text(n)+"+1)"))
		}
	}
}

// besideError reports whether the current node is returned with an error, so that callers ignore it.
func (f *finder) besideError() bool {
	returned, ok := f.parent().(*ast.ReturnStmt)
	return ok && f.text(returned.Results[len(returned.Results)-1]) != "nil" &&
		f.isError(returned.Results[len(returned.Results)-1])
}

// usedConstant returns the constant that an expression names, if it is not a part of a longer name; nil: none.
func (f *finder) usedConstant(n ast.Node) *types.Const {
	named, _ := n.(*ast.Ident)
	if selector, ok := n.(*ast.SelectorExpr); ok {
		named = selector.Sel
	} else if above, ok := f.parent().(*ast.SelectorExpr); ok && above.Sel == n {
		return nil
	}
	if named == nil || named.Name == "nil" || named.Name == "true" || named.Name == "false" {
		return nil
	}
	used, _ := f.pack.info.Uses[named].(*types.Const)
	return used
}

// constants swaps a constant with the next one of its kind.
func (f *finder) constants(n ast.Node) {
	e, ok := n.(ast.Expr)
	if !ok {
		return
	}
	used := f.usedConstant(e)
	if used == nil || used.Pkg() == nil || used.Pkg().Scope().Lookup(used.Name()) != used {
		return
	}
	next := f.neighbor(used)
	if next == nil {
		return
	}
	text := next.Name()
	if selector, ok := n.(*ast.SelectorExpr); ok {
		text = f.text(selector.X) + "." + text
	}
	f.add("constant", f.brief(n)+" is "+text, replace(n, text))
}

// neighbor returns the constant that is declared after another, of the same type and with another value. Without a
// type of its own, it has to be in the same declaration, and be a text. nil if no constant is.
func (f *finder) neighbor(of *types.Const) *types.Const {
	var group []*types.Const
	if of.Pkg() == f.pack.types {
		group = f.declaredWith(of)
	} else if _, named := of.Type().(*types.Named); named && of.Pkg().Path() != "time" {
		for _, name := range of.Pkg().Scope().Names() {
			if other, ok := of.Pkg().Scope().Lookup(name).(*types.Const); ok && other.Exported() {
				group = append(group, other)
			}
		}
	}
	if _, basic := of.Type().(*types.Basic); basic && of.Val().Kind() != constant.String {
		return nil
	}
	at := slices.Index(group, of)
	for i := 1; at >= 0 && i < len(group); i++ {
		if next := group[(at+i)%len(group)]; types.Identical(next.Type(), of.Type()) &&
			next.Val().ExactString() != of.Val().ExactString() {
			return next
		}
	}
	return nil
}

// declaredWith returns the constants of a declaration of the package.
func (f *finder) declaredWith(of *types.Const) (group []*types.Const) {
	for _, file := range f.pack.sources {
		for _, decl := range file.tree.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok || general.Tok != token.CONST || of.Pos() < general.Pos() || general.End() <= of.Pos() {
				continue
			}
			for _, spec := range general.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if one, ok := f.pack.info.Defs[name].(*types.Const); ok {
						group = append(group, one)
					}
				}
			}
		}
	}
	return group
}

// fields removes what a literal sets, and swaps it with what it sets next.
func (f *finder) fields(n ast.Node) {
	literal, ok := n.(*ast.CompositeLit)
	if !ok {
		return
	}
	for i, element := range literal.Elts {
		set, ok := element.(*ast.KeyValueExpr)
		if !ok || f.text(set.Key) == "Message" || f.text(set.Key) == "Cause" {
			continue
		}
		end := literal.Rbrace
		if i+1 < len(literal.Elts) {
			end = literal.Elts[i+1].Pos()
		}
		f.add("unset", "left out: "+f.brief(set), edit{set.Pos(), end, ""})
		if i+1 == len(literal.Elts) {
			continue
		}
		next, ok := literal.Elts[i+1].(*ast.KeyValueExpr)
		if ok && f.alike(set.Value, next.Value) && f.text(set.Value) != f.text(next.Value) {
			f.add("swapped", "values swapped: "+f.brief(set)+" and "+f.brief(next),
				replace(set.Value, f.text(next.Value)), replace(next.Value, f.text(set.Value)))
		}
	}
}

func (f *finder) alike(a, b ast.Expr) bool {
	first, second := f.typeOf(a), f.typeOf(b)
	return first != nil && second != nil && types.Identical(first, second)
}

// columns swaps a field with the next one of its type.
func (f *finder) columns(n ast.Node) {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok {
		return
	}
	selection := f.pack.info.Selections[selector]
	if selection == nil || selection.Kind() != types.FieldVal {
		return
	}
	field, _ := selection.Obj().(*types.Var)
	if field.Pkg() != f.pack.types {
		return
	}
	if next := nextField(holder(selection), field); next != nil {
		f.add("column", f.brief(selector)+" is "+next.Name(), replace(selector.Sel, next.Name()))
	}
}

// holder returns the struct that holds the field of a selection, which may be embedded.
func holder(selection *types.Selection) *types.Struct {
	t := selection.Recv()
	index := selection.Index()
	for i := 0; ; i++ {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		of, ok := t.Underlying().(*types.Struct)
		if !ok || i == len(index)-1 {
			return of
		}
		t = of.Field(index[i]).Type()
	}
}

// nextField returns the field after another, or else the first, of the same type; nil if no other has it.
func nextField(of *types.Struct, field *types.Var) *types.Var {
	if of == nil {
		return nil
	}
	at := -1
	for i := range of.NumFields() {
		if of.Field(i) == field {
			at = i
		}
	}
	for i := 1; at >= 0 && i < of.NumFields(); i++ {
		next := of.Field((at + i) % of.NumFields())
		if !next.Embedded() && types.Identical(next.Type(), field.Type()) {
			return next
		}
	}
	return nil
}
