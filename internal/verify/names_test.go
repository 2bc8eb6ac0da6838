package verify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/store/stores"
)

// consumers are those who judge and show calls of any service: by effect, breadth and key, never by a class.
func consumers() []string {
	return []string{"steps", "cmd/storespec", "internal/verify/baseline", "internal/scenario/budget",
		"internal/scenario/cases",
		"internal/run/companion", "internal/results/compare", "internal/results/events", "internal/run/lane",
		"internal/run/matching",
		"internal/prove/mutant", "internal/scenario/order", "internal/run/proof", "internal/results/report",
		"internal/scenario",
		"internal/scenario/schedule", "internal/store", "internal/run/system", "internal/prove/vacuity",
		"internal/verify",
		"internal/trace", "internal/wire"}
}

// classNames are the words for classes that mean nothing else: read, list and the like are words of their own.
func classNames() []string {
	names := []string{"upsert", "create table", "list tables", "create container"}
	for _, protocol := range stores.Protocols() {
		for _, class := range protocol.Classes() {
			if strings.Contains(class.Name, " ") {
				names = append(names, class.Name)
			}
		}
	}
	return names
}

// namedIn lists the string literals of a file that are the name of a class.
func namedIn(t *testing.T, name string, source any) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil && slices.Contains(classNames(), text) {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

func TestConsumersNameNoClass(t *testing.T) {
	files := 0
	for _, folder := range consumers() {
		root := filepath.Join("..", "..", filepath.FromSlash(folder))
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && folder == "internal/wire" && file != root {
				return fs.SkipDir // the protocols, which have the classes
			}
			if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			files++
			for _, class := range namedIn(t, file, nil) {
				t.Errorf("%s names the class %q: ask for the effect or the breadth of a call", file, class)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were read", files)
	}
	// The check itself must be able to fail.
	if got := namedIn(t, "x.go", "package x\nvar wide = call.Class == `table scan`"); len(got) != 1 {
		t.Errorf("found %q in a file that names a class", got)
	}
}
