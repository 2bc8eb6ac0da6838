package mutation

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

const operatorCached = "cached"

// matches writes whatever version is there.
func (f *finder) matches(n ast.Node) {
	const what, any = "any version will do: ", `"*"`
	tagged := func(e ast.Expr) bool {
		typ := f.typeOf(e)
		basic, ok := typ.(*types.Basic)
		return ok && basic.Info()&types.IsString != 0 && strings.HasSuffix(strings.ToLower(f.text(e)), "etag")
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		converted, ok := f.typeOf(n).(*types.Named)
		if ok && converted.Obj().Name() == "ETag" && len(n.Args) == 1 && f.pack.info.Types[n.Fun].IsType() {
			f.add("match", what+f.brief(n), replace(n.Args[0], any))
		}
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if n.Tok == token.ASSIGN && len(n.Rhs) == len(n.Lhs) && tagged(to) {
				f.add("match", what+f.brief(n), replace(n.Rhs[i], any))
			}
		}
	}
}

// clocks takes a time as the machine's zone has it.
func (f *finder) clocks(n ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return
	}
	if selector, ok := call.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == "UTC" {
		f.add("zone", "not in UTC: "+f.brief(call), replace(call, f.text(selector.X)))
	}
}

// cached lets a function that reads answer what it read within the last second. What it is asked must not contain more
// than texts and numbers, or else it is never asked the same.
func (f *finder) cached() {
	if f.unit.function == nil || f.unit.function.Type.Results == nil {
		return
	}
	signature := f.unit.object.Type().(*types.Signature)
	if signature.Results().Len() != 2 || signature.Params().Len() < 2 || !isContext(signature.Params().At(0).Type()) ||
		signature.Results().At(1).Type().String() != "error" {
		return
	}
	switch signature.Results().At(0).Type().Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface: // also a type parameter
	default:
		return
	}
	names := []string{fmt.Sprintf("%q", f.unit.name)}
	for i := range signature.Params().Len() {
		param := signature.Params().At(i)
		switch {
		case isContext(param.Type()) || f.isClient(param.Type()):
		case param.Name() == "" || param.Name() == "_" || !plain(param.Type()):
			return
		default:
			names = append(names, param.Name())
		}
	}
	f.add(operatorCached, "answers are remembered for a second", edit{f.unit.from, f.unit.to, fmt.Sprintf(
		"{ return storespecCached(func() %s %s, %s) }", results(f.unit.file, f.unit.function), f.unit.text(),
		strings.Join(names, ", "))})
}

// isClient reports whether a type is a pointer to a struct with something of another module's in it, such as the
// client of a store.
func (f *finder) isClient(t types.Type) bool {
	pointer, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	of, ok := pointer.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range of.NumFields() {
		inner, ok := of.Field(i).Type().(*types.Pointer)
		if !ok {
			continue
		}
		if named, ok := inner.Elem().(*types.Named); ok && named.Obj().Pkg() != nil &&
			strings.Contains(strings.Split(named.Obj().Pkg().Path(), "/")[0], ".") &&
			named.Obj().Pkg() != f.pack.types {
			return true
		}
	}
	return false
}

// plain reports whether a value of a type is the same whenever it looks the same.
func plain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Struct:
		for i := range t.NumFields() {
			if !plain(t.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// requests takes a text from the request instead of a row.
func (f *finder) requests(n ast.Node) {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok || f.writes(selector) {
		return
	}
	selection := f.pack.info.Selections[selector]
	if selection == nil || selection.Kind() != types.FieldVal || !types.Identical(selection.Type(),
		types.Typ[types.String]) {
		return
	}
	name := column(holder(selection), selection.Obj().Name())
	body := f.body()
	if name == "" || name == "-" || body == "" {
		return
	}
	text := f.text(selector)
	f.add("request", fmt.Sprintf("%s from the request, if it has %s", brief(text), name), replace(selector, fmt.Sprintf(
		"func() string { if sent, ok := %s.String(%q); ok { return sent }; return %s }()", body, name, text)))
}

// writes reports whether the current node is assigned to, or its address is taken.
func (f *finder) writes(n ast.Node) bool {
	switch above := f.parent().(type) {
	case *ast.AssignStmt:
		for _, to := range above.Lhs {
			if to == n {
				return true
			}
		}
	case *ast.UnaryExpr:
		return above.Op == token.AND
	case *ast.SelectorExpr:
		return true
	}
	return false
}

// column returns the name that a field has in a row; "" if its struct is not one.
func column(of *types.Struct, field string) string {
	for i := 0; of != nil && i < of.NumFields(); i++ {
		if of.Field(i).Name() == field {
			name, _, _ := strings.Cut(reflect.StructTag(of.Tag(i)).Get("json"), ",")
			return name
		}
	}
	return ""
}

// body returns an expression for the fields of the request: a parameter of the unit, or a field of one, with a method
// String(name) (string, bool); "" if no variable does.
func (f *finder) body() string {
	if f.unit.function == nil {
		return ""
	}
	params := f.unit.object.Type().(*types.Signature).Params()
	for i := range params.Len() {
		param := params.At(i)
		if param.Name() == "" || param.Name() == "_" {
			continue
		}
		if f.hasTexts(param.Type()) {
			return param.Name()
		}
		pointer, ok := param.Type().(*types.Pointer)
		if !ok {
			continue
		}
		of, ok := pointer.Elem().Underlying().(*types.Struct)
		for j := 0; ok && j < of.NumFields(); j++ {
			if field := of.Field(j); !field.Embedded() && f.hasTexts(field.Type()) {
				return param.Name() + "." + field.Name()
			}
		}
	}
	return ""
}

func (f *finder) hasTexts(t types.Type) bool {
	method, _, _ := types.LookupFieldOrMethod(t, false, f.pack.types, "String")
	function, ok := method.(*types.Func)
	return ok && function.Type().(*types.Signature).String() == "func(field string) (string, bool)" ||
		ok && strings.HasSuffix(function.Type().String(), " string) (string, bool)")
}
