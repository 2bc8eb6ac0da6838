package mutation

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
)

// Mutant is a variant that an operator made.
type Mutant struct {
	// Name is its file below the folder of the program, its function, its operator, and its place among those that the
	// operator finds there, from 1: familyscheduler/gate.go/Server.gate/negated-2. It names no line: lines move.
	Name     string `json:"mutant"`
	File     string `json:"file"` // relative to the root
	Function string `json:"function"`
	Operator string `json:"operator"`
	What     string `json:"change"` // such as "condition negated: row == nil"

	variant *Variant
	unit    *unit
	edits   []edit
	when    token.Pos // of the condition that must have a value for the change to make a difference; 0: none
	whether bool      // that value
}

// Shared reports whether the mutant's package serves several servers: it is not in a server's own folder.
func (m *Mutant) Shared(folder string) bool { return path.Dir(m.File) != folder }

// Number returns the value of Variable that makes a server this mutant.
func (m *Mutant) Number() int { return m.variant.Number }

// Caches reports whether the mutant remembers what it has read.
func (m *Mutant) Caches() bool { return m.Operator == operatorCached }

// edit is other text for a part of a file.
type edit struct {
	from, to token.Pos
	text     string
}

// candidate is what an operator would change in a unit.
type candidate struct {
	operator, what string
	edits          []edit
	when           token.Pos // as in Mutant
	whether        bool
}

// finder collects what the operators would change in a unit.
type finder struct {
	pack  *pack
	unit  *unit
	found []candidate
	// path holds the nodes around the current one, the outermost first
	path []ast.Node
}

func (f *finder) add(operator, what string, edits ...edit) {
	f.found = append(f.found, candidate{operator: operator, what: what, edits: edits})
}

// addWhen adds a change that makes a difference only when a condition has a value.
func (f *finder) addWhen(condition ast.Expr, whether bool, operator, what string, change edit) {
	f.found = append(f.found, candidate{operator, what, []edit{change}, condition.Pos(), whether})
}

func (f *finder) text(n ast.Node) string { return f.unit.file.text(n.Pos(), n.End()) }

func replace(n ast.Node, text string) edit { return edit{n.Pos(), n.End(), text} }

func (f *finder) typeOf(e ast.Expr) types.Type { return f.pack.info.TypeOf(e) }

// parent returns the node that contains the current one; nil for the first.
func (f *finder) parent() ast.Node {
	if len(f.path) == 0 {
		return nil
	}
	return f.path[len(f.path)-1]
}

// brief is a node's source on one line.
func (f *finder) brief(n ast.Node) string { return brief(f.text(n)) }

func brief(text string) string {
	const most = 90
	line := strings.Join(strings.Fields(text), " ")
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return line
}

// Generate adds a mutant for everything that the operators find in a package of the program, by its folder, and in
// those that it imports of the program. Mutants that are not valid Go are left out, and so is a package or a part of it
// that only logs or measures. The error is Check's.
func (p *Program) Generate(folder string) ([]*Mutant, error) {
	var all []*Mutant
	for _, of := range p.reachedFrom(folder) {
		for _, u := range of.units {
			all = append(all, p.mutate(of, u, path.Dir(folder))...)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the program has no package in %s", folder)
	}
	dropped, err := p.Check()
	return slices.DeleteFunc(all, func(m *Mutant) bool { return dropped[m.Number()] != nil }), err
}

// reachedFrom returns a package of the program and those that it imports.
func (p *Program) reachedFrom(folder string) []*pack {
	wanted := map[string]bool{}
	var want func(of *types.Package)
	want = func(of *types.Package) {
		if !wanted[of.Path()] {
			wanted[of.Path()] = true
			for _, imported := range of.Imports() {
				want(imported)
			}
		}
	}
	for _, of := range p.packages {
		if of.folder == folder {
			want(of.types)
		}
	}
	return slices.DeleteFunc(slices.Clone(p.packages), func(of *pack) bool {
		return !wanted[of.path] || slices.ContainsFunc(of.types.Imports(), func(imported *types.Package) bool {
			return observes(imported.Path()) && imported.Path() != "log/slog"
		})
	})
}

// mutate adds the mutants of a unit.
func (p *Program) mutate(of *pack, u *unit, base string) []*Mutant {
	if u.function != nil && slices.Contains([]string{"String", "Error", "LogValue"}, u.function.Name.Name) {
		return nil
	}
	f := &finder{pack: of, unit: u}
	f.look()
	slices.SortStableFunc(f.found, func(a, b candidate) int { return cmp.Compare(a.edits[0].from, b.edits[0].from) })
	counts, known := map[string]int{}, map[string]bool{tokens(u.text()): true}
	var made []*Mutant
	for _, c := range f.found {
		counts[c.operator]++
		text := u.edited(c.edits)
		if same := tokens(text); known[same] || !parses(u, text) {
			continue
		} else {
			known[same] = true
		}
		made = append(made, &Mutant{
			Name: fmt.Sprintf("%s/%s/%s-%d", strings.TrimPrefix(u.file.name, base+"/"), u.name, c.operator,
				counts[c.operator]),
			File: u.file.name, Function: u.name, Operator: c.operator, What: c.what, unit: u, edits: c.edits,
			when: c.when, whether: c.whether,
			variant: p.add(&Variant{changes: []change{{u, text}}}),
		})
	}
	return made
}

// edited returns the unit's text with edits.
func (u *unit) edited(edits []edit) string {
	edits = slices.SortedFunc(slices.Values(edits), func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var text strings.Builder
	done := u.from
	for _, e := range edits {
		text.WriteString(u.file.text(done, e.from))
		text.WriteString(e.text)
		done = e.to
	}
	text.WriteString(u.file.text(done, u.to))
	return text.String()
}

func parses(u *unit, text string) bool {
	source := "package p\nvar v = " + text
	if u.function != nil {
		source = "package p\nfunc f() " + text
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	return err == nil
}

// look lets every operator see every node of the unit, without what only logs, measures or words an error.
func (f *finder) look() {
	f.cached()
	ast.PreorderStack(f.unit.node, nil, func(n ast.Node, around []ast.Node) bool {
		f.path = around
		if f.isCapacity(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			if f.only(n) {
				return false
			}
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && f.only(call) {
				return false
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Message" || key.Name == "Cause") {
				return false
			}
		}
		for _, operator := range []func(ast.Node){f.conditions, f.terms, f.boundaries, f.numbers, f.constants,
			f.removals, f.fields, f.columns, f.errors, f.matches, f.loops, f.order, f.clocks, f.requests} {
			operator(n)
		}
		return true
	})
}

// isCapacity reports whether a node only says how much room something gets.
func (f *finder) isCapacity(n ast.Node) bool {
	call, ok := f.parent().(*ast.CallExpr)
	return ok && f.text(call.Fun) == "make" && len(call.Args) == 3 && call.Args[2] == n
}

// observes reports whether a package only logs or measures.
func observes(name string) bool {
	return name == "log" || name == "log/slog" || strings.HasPrefix(name, "go.opentelemetry.io/")
}

// only reports whether a call only logs, measures, or words an error.
func (f *finder) only(call *ast.CallExpr) bool {
	called := f.called(call)
	if called == nil || called.Pkg() == nil {
		return false
	}
	name := called.Pkg().Path() + "." + called.Name()
	return observes(called.Pkg().Path()) || name == "fmt.Errorf" || name == "errors.New"
}

// called returns the function that a call names; nil for a conversion, or a value that is a function.
func (f *finder) called(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch generic := fun.(type) {
	case *ast.IndexExpr:
		fun = generic.X
	case *ast.IndexListExpr:
		fun = generic.X
	}
	var named *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		named = fun
	case *ast.SelectorExpr:
		named = fun.Sel
	default:
		return nil
	}
	called, _ := f.pack.info.Uses[named].(*types.Func)
	return called
}
