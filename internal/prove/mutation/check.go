package mutation

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Check drops the variants that are not valid Go, by the compiler's own rules, and returns why, by their numbers. The
// error is one about the program that no variant explains.
func (p *Program) Check() (map[int]error, error) {
	dropped := map[int]error{}
	for _, one := range p.packages {
		for {
			invalid, err := p.invalid(one)
			if err != nil {
				return nil, err
			}
			if len(invalid) == 0 {
				break
			}
			p.drop(invalid)
			maps.Copy(dropped, invalid)
		}
	}
	return dropped, nil
}

// invalid returns the variants that make a package invalid. There may be more when these are gone.
func (p *Program) invalid(of *pack) (map[int]error, error) {
	files := token.NewFileSet()
	composed := p.composed(of)
	found := map[int]error{}
	var unexplained error
	blame := func(position token.Position, message string) {
		spans := composed[position.Filename].spans
		i := slices.IndexFunc(spans, func(s span) bool { return s.from <= position.Offset && position.Offset < s.to })
		switch {
		case i >= 0 && found[spans[i].variant] == nil:
			found[spans[i].variant] = errors.New(message)
		case i < 0 && unexplained == nil:
			unexplained = fmt.Errorf("%s: %s", position, message)
		}
	}
	var trees []*ast.File
	for _, name := range slices.Sorted(maps.Keys(composed)) {
		tree, err := parser.ParseFile(files, name, composed[name].content, parser.SkipObjectResolution)
		if list, ok := errors.AsType[scanner.ErrorList](err); ok {
			blame(list[0].Pos, list[0].Msg) // the others may only follow from the first
		} else if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	if len(found) > 0 {
		return found, nil
	}
	config := types.Config{Importer: p.importer, Error: func(err error) {
		// A message that begins with a tab continues the one before it.
		if about, ok := errors.AsType[types.Error](err); ok && !strings.HasPrefix(about.Msg, "\t") {
			blame(files.Position(about.Pos), about.Msg)
		}
	}}
	_, _ = config.Check(of.path, files, trees, nil) // its error is the first of those above
	if len(found) == 0 && unexplained != nil {
		return nil, fmt.Errorf("the program with its mutants: %w", unexplained)
	}
	return found, nil
}
