package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// All renderers read the model, and none knows another: a file of one uses nothing that a file of another declares.
func TestRenderersKnowOnlyTheModel(t *testing.T) {
	renderers := map[string]string{"text": "text", "json": "JSON", "junit": "JUnit", "github": "GitHub", "html": "page"}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared, used, set := map[string]string{}, map[string][]*ast.Ident{}, token.NewFileSet()
	for _, name := range names {
		prefix, _, _ := strings.Cut(strings.TrimSuffix(name, ".go"), "_")
		renderer := renderers[prefix]
		if renderer == "" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for declaration := range file.Scope.Objects {
			declared[declaration] = renderer
		}
		used[renderer] = append(used[renderer], file.Unresolved...)
	}
	for _, shared := range []string{"WriteJSON", "milliseconds"} { // of documents that are not of a run
		delete(declared, shared)
	}
	if seen := slices.Sorted(maps.Keys(used)); len(seen) != len(renderers) {
		t.Fatalf("only these renderers were seen: %v", seen)
	}
	for renderer, idents := range used {
		for _, ident := range idents {
			if of := declared[ident.Name]; of != "" && of != renderer {
				t.Errorf("%s uses %s of %s", set.Position(ident.Pos()), ident.Name, of)
			}
		}
	}
}
