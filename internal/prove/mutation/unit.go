package mutation

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// unit is what occurs in the program several times: the body of a function, or the value that a package's variable
// begins with.
type unit struct {
	file     *source
	name     string // such as gate, or Server.gate of a method
	from, to token.Pos
	node     ast.Node
	function *ast.FuncDecl // nil for a variable
	object   types.Object
	typ      string // of a variable, as its file writes it
}

func (u *unit) text() string { return u.file.text(u.from, u.to) }

// unitsOf returns the units of a file, in its order.
func (p *pack) unitsOf(file *source) []*unit {
	var units []*unit
	for _, decl := range file.tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Body != nil && decl.Name.Name != "_" && decl.Name.Name != "init" {
				units = append(units, &unit{file: file, name: nameOf(decl), from: decl.Body.Pos(), to: decl.Body.End(),
					node: decl.Body, function: decl, object: p.info.Defs[decl.Name]})
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if one := p.variable(file, decl, spec); one != nil {
					units = append(units, one)
				}
			}
		}
	}
	return units
}

// variable returns the unit of a variable's value; nil if it has none, or one that a function cannot return.
func (p *pack) variable(file *source, decl *ast.GenDecl, spec ast.Spec) *unit {
	value, ok := spec.(*ast.ValueSpec)
	if !ok || decl.Tok != token.VAR || len(value.Names) != 1 || len(value.Values) != 1 || value.Names[0].Name == "_" {
		return nil
	}
	object := p.info.Defs[value.Names[0]]
	typ, ok := p.spelled(file, object.Type())
	if !ok {
		return nil
	}
	return &unit{file: file, name: value.Names[0].Name, from: value.Values[0].Pos(), to: value.Values[0].End(),
		node: value.Values[0], object: object, typ: typ}
}

// spelled writes a type as a file can; false if it does not import what that takes.
func (p *pack) spelled(file *source, t types.Type) (string, bool) {
	ok := true
	text := types.TypeString(t, func(of *types.Package) string {
		if of == p.types {
			return ""
		}
		for _, imported := range file.tree.Imports {
			if strings.Trim(imported.Path.Value, `"`) != of.Path() {
				continue
			}
			if imported.Name != nil {
				return imported.Name.Name
			}
			return of.Name()
		}
		ok = false
		return of.Name()
	})
	return text, ok
}

// nameOf names a function within its package: gate, or Server.gate.
func nameOf(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	typ := decl.Recv.List[0].Type
	for {
		switch of := typ.(type) {
		case *ast.StarExpr:
			typ = of.X
		case *ast.IndexExpr:
			typ = of.X
		case *ast.IndexListExpr:
			typ = of.X
		case *ast.ParenExpr:
			typ = of.X
		case *ast.Ident:
			return of.Name + "." + decl.Name.Name
		default:
			return fmt.Sprintf("%T.%s", typ, decl.Name.Name)
		}
	}
}

// results returns what a function returns, as its source says it.
func results(file *source, decl *ast.FuncDecl) string {
	if decl.Type.Results == nil {
		return ""
	}
	return file.text(decl.Type.Results.Pos(), decl.Type.Results.End())
}
