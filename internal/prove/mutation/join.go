package mutation

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// ErrSame says that changed sources are the same program.
var ErrSame = errors.New("it changes nothing but comments")

// AloneError says why changed sources have to be built on their own: they change more than what functions do.
type AloneError struct{ Reason string }

func (e *AloneError) Error() string { return "it has to be built on its own: " + e.Reason }

func alone(reason string, args ...any) error { return &AloneError{fmt.Sprintf(reason, args...)} }

// Join adds a variant that behaves like changed sources, by their names relative to the root, with slashes. The error
// is ErrSame or an *AloneError.
func (p *Program) Join(changed map[string][]byte) (*Variant, error) {
	v := &Variant{}
	for name, content := range changed {
		of, file := p.find(filepath.ToSlash(name))
		if file == nil {
			return nil, alone("%s is not a source file", name)
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, name, content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, alone("%v", err)
		}
		j := &joining{pack: of, file: file, now: &source{name, content, tree, files.File(tree.Pos())},
			constants: map[types.Object]string{}}
		if err := j.join(); err != nil {
			return nil, err
		}
		v.changes = append(v.changes, j.changes...)
		if len(j.more.decls)+len(j.more.imports) > 0 && len(j.changes) > 0 {
			j.more.file = file
			v.adds = append(v.adds, j.more)
		}
	}
	if len(v.changes) == 0 {
		return nil, ErrSame
	}
	return p.add(v), nil
}

// joining compares a file with its changed version.
type joining struct {
	pack      *pack
	file, now *source
	constants map[types.Object]string // those that have another value, with their new declaration
	changes   []change
	more      addition
}

func (j *joining) join() error {
	for _, spec := range j.now.tree.Imports {
		text := j.now.text(spec.Pos(), spec.End())
		if !slices.ContainsFunc(j.file.tree.Imports, func(known *ast.ImportSpec) bool {
			return j.file.text(known.Pos(), known.End()) == text
		}) {
			j.more.imports = append(j.more.imports, text)
		}
	}
	for _, decl := range j.now.tree.Decls {
		var err error
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			err = j.function(decl)
		case *ast.GenDecl:
			err = j.general(decl)
		}
		if err != nil {
			return err
		}
	}
	return j.shadow()
}

// function compares a function with the original.
func (j *joining) function(decl *ast.FuncDecl) error {
	name := nameOf(decl)
	i := slices.IndexFunc(j.pack.units, func(u *unit) bool { return u.function != nil && u.name == name })
	if i < 0 {
		j.more.decls = append(j.more.decls, j.now.text(decl.Pos(), decl.End()))
		return nil
	}
	was := j.pack.units[i]
	if was.file != j.file {
		return alone("%s moves to another file", name)
	}
	if tokens(j.now.text(decl.Pos(), decl.End())) == tokens(j.file.text(was.function.Pos(), was.to)) {
		return nil
	}
	if !j.sameSignature(was.function, decl) {
		return alone("%s takes or returns something else", name)
	}
	j.changes = append(j.changes, change{was, j.now.text(decl.Body.Pos(), decl.Body.End())})
	return nil
}

// sameSignature reports whether a body of now fits in was: its parameters may only lose their names.
func (j *joining) sameSignature(was, now *ast.FuncDecl) bool {
	if tokens(results(j.file, was)) != tokens(results(j.now, now)) {
		return false
	}
	before := append(j.file.fields(was.Recv), j.file.fields(was.Type.Params)...)
	after := append(j.now.fields(now.Recv), j.now.fields(now.Type.Params)...)
	return tokens(j.file.typeParams(was)) == tokens(j.now.typeParams(now)) &&
		slices.EqualFunc(before, after, func(a, b [2]string) bool {
			return a[1] == b[1] && (a[0] == b[0] || b[0] == "" || b[0] == "_")
		})
}

func (s *source) typeParams(decl *ast.FuncDecl) string {
	if decl.Type.TypeParams == nil {
		return ""
	}
	return s.text(decl.Type.TypeParams.Pos(), decl.Type.TypeParams.End())
}

// fields returns the name and the type of each field.
func (s *source) fields(list *ast.FieldList) (all [][2]string) {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		typ := s.text(field.Type.Pos(), field.Type.End())
		for _, name := range field.Names {
			all = append(all, [2]string{name.Name, typ})
		}
		if len(field.Names) == 0 {
			all = append(all, [2]string{"", typ})
		}
	}
	return all
}

// general compares a declaration of types, constants or variables with the original.
func (j *joining) general(decl *ast.GenDecl) error {
	if decl.Tok == token.IMPORT {
		return nil
	}
	for _, spec := range decl.Specs {
		text := j.now.text(spec.Pos(), spec.End())
		was, count := j.declared(spec)
		switch {
		case was == nil && count == 0:
			j.more.decls = append(j.more.decls, decl.Tok.String()+" "+text)
		case was == nil:
			return alone("it declares %s in another way", strings.Join(namesOf(spec), ", "))
		case tokens(j.file.text(was.Pos(), was.End())) == tokens(text):
		default:
			if err := j.value(decl.Tok, was, spec); err != nil {
				return err
			}
		}
	}
	return nil
}

// declared returns the original of a declaration, which declares as many names; count is how many are known.
func (j *joining) declared(spec ast.Spec) (found ast.Spec, count int) {
	names := namesOf(spec)
	for _, name := range names {
		if j.pack.types.Scope().Lookup(name) != nil {
			count++
		}
	}
	for _, decl := range j.file.tree.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, one := range general.Specs {
			if len(names) > 0 && slices.Equal(namesOf(one), names) {
				found = one
			}
		}
	}
	return found, count
}

func namesOf(spec ast.Spec) (names []string) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		names = append(names, spec.Name.Name)
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// value takes over another value of one constant or variable.
func (j *joining) value(kind token.Token, was, now ast.Spec) error {
	before, ok := was.(*ast.ValueSpec)
	after, _ := now.(*ast.ValueSpec)
	if !ok || len(after.Names) != 1 || len(after.Values) != 1 || len(before.Values) != 1 ||
		j.typeText(j.file, before) != j.typeText(j.now, after) {
		return alone("it declares %s in another way", strings.Join(namesOf(now), ", "))
	}
	text := j.now.text(after.Values[0].Pos(), after.Values[0].End())
	object := j.pack.info.Defs[before.Names[0]]
	if kind == token.CONST {
		if object.Exported() || slices.Contains(strings.Fields(tokens(text)), "iota") {
			return alone("the constant %s is not only of this package, or counts", object.Name())
		}
		j.constants[object] = "const " + j.now.text(after.Pos(), after.End())
		return nil
	}
	i := slices.IndexFunc(j.pack.units, func(u *unit) bool { return u.object == object })
	if i < 0 {
		return alone("the type of %s cannot be written in %s", object.Name(), j.file.name)
	}
	j.changes = append(j.changes, change{j.pack.units[i], text})
	return nil
}

func (j *joining) typeText(s *source, spec *ast.ValueSpec) string {
	if spec.Type == nil {
		return ""
	}
	return s.text(spec.Type.Pos(), spec.Type.End())
}

// shadow declares changed constants again in all that uses them.
func (j *joining) shadow() error {
	if len(j.constants) == 0 {
		return nil
	}
	if len(j.more.decls) > 0 {
		return alone("it changes a constant and declares something new")
	}
	uses := map[*unit][]string{}
	for identifier, object := range j.pack.info.Uses {
		text, changed := j.constants[object]
		if !changed {
			continue
		}
		i := slices.IndexFunc(j.pack.units, func(u *unit) bool {
			return u.from <= identifier.Pos() && identifier.Pos() < u.to
		})
		if i < 0 {
			return alone("%s is used outside of functions", object.Name())
		}
		if u := j.pack.units[i]; !slices.Contains(uses[u], text) {
			uses[u] = append(uses[u], text)
		}
	}
	for _, u := range j.pack.units {
		if len(uses[u]) == 0 {
			continue
		}
		slices.Sort(uses[u])
		i := slices.IndexFunc(j.changes, func(c change) bool { return c.unit == u })
		if i < 0 {
			i = len(j.changes)
			j.changes = append(j.changes, change{u, u.text()})
		}
		declared := strings.Join(uses[u], "; ") + "; "
		if u.function != nil {
			j.changes[i].text = "{ " + declared + j.changes[i].text[1:]
		} else {
			j.changes[i].text = "func() " + u.typ + " { " + declared + "return " + j.changes[i].text + " }()"
		}
	}
	return nil
}

// tokens returns Go source without comments and with one blank between its tokens.
func tokens(text string) string {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), []byte(text), nil, 0)
	var all []string
	for {
		_, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return strings.Join(all, " ")
		case kind == token.SEMICOLON:
			all = append(all, ";")
		case literal != "":
			all = append(all, literal)
		default:
			all = append(all, kind.String())
		}
	}
}
