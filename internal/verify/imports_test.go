package verify

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/storespec/storespec/"

// layer is a folder and what its packages may import of the module: other folders, each with what
// lies below it. Tests are left out: a test may look at anything.
type layer struct {
	folder string
	may    []string
}

// layers is the design's import directions: cmd → verify → steps → {wire, store, target}, and the
// reference servers know nothing of the harness. A folder stands before the one it lies in.
func layers() []layer {
	return []layer{
		{"cmd/storespec-reference", []string{"reference"}},
		{"cmd/storespec-emulate", []string{"internal/emulator"}},
		{"cmd/storespec", []string{"docs", "features", "fixtures", "reference", "steps", "internal/baseline", "internal/bulk", "internal/compare", "internal/emulator", "internal/events", "internal/mutant", "internal/report", "internal/shell", "internal/verify", "internal/store", "internal/system", "internal/target", "internal/vacuity", "internal/watch", "internal/yamldoc"}},
		{"internal/report", []string{"steps", "internal/events", "internal/mutant", "internal/shell", "internal/verify", "internal/wire"}},
		{"internal/compare", []string{"steps", "internal/baseline", "internal/events", "internal/verify", "internal/wire"}},
		{"internal/events", []string{"internal/verify", "internal/wire"}},
		{"internal/system", []string{"steps", "internal/contract", "internal/yamldoc"}},
		{"internal/mutant", []string{"internal/store", "internal/target", "internal/verify"}},
		{"internal/vacuity", []string{"steps", "internal/store", "internal/target", "internal/verify"}},
		{"internal/watch", []string{"steps", "internal/process", "internal/store", "internal/wire"}},
		{"internal/verify", []string{"steps", "internal/baseline", "internal/contract", "internal/store", "internal/target", "internal/wire"}},
		{"steps", []string{"internal/contract", "internal/order", "internal/store", "internal/target", "internal/wire"}},
		{"internal/bench", []string{"internal/store"}},
		{"internal/store", []string{"fixtures", "internal/azuresign", "internal/emulator", "internal/inprocess", "internal/process", "internal/wire"}},
		{"internal/target", []string{"internal/process", "internal/shell"}},
		{"internal/emulator", []string{"internal/azuresign", "internal/odata"}},
		{"internal/wire", []string{"internal/inprocess", "internal/odata"}},
		{"internal/azuresign", nil},
		{"internal/baseline", []string{"internal/yamldoc"}},
		{"internal/browsertest", nil},
		{"internal/bulk", nil},
		{"internal/contract", nil},
		{"internal/dist", nil},
		{"internal/inprocess", nil},
		{"internal/odata", nil},
		{"internal/order", nil},
		{"internal/process", nil},
		{"internal/shell", nil},
		{"internal/yamldoc", nil},
		{"reference", nil},
		{"docs", nil},
		{"features", nil},
		{"fixtures", nil},
	}
}

// owners says which folders alone may import a module that is heavy or stands for a role.
func owners() map[string][]string {
	return map[string][]string{
		"github.com/bluekeyes/":      {"internal/mutant"},
		"github.com/cucumber/":       {"steps", "internal/events", "internal/verify"},
		"github.com/getkin/":         {"internal/contract"},
		"github.com/testcontainers/": {"internal/store"},
		"github.com/spf13/":          {"cmd/storespec"},
		"github.com/Azure/":          {"internal/bench", "internal/store", "steps", "reference"},
		"github.com/cockroachdb/":    {"internal/emulator/engine"},
	}
}

// within reports whether the package lies in the folder.
func within(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

// violations lists each import of graph (package → imports, packages of the module relative to it)
// that breaks the directions, in order.
func violations(graph map[string][]string) []string {
	var found []string
	for _, pkg := range slices.Sorted(maps.Keys(graph)) {
		at := slices.IndexFunc(layers(), func(l layer) bool { return within(pkg, l.folder) })
		if at < 0 {
			found = append(found, pkg+" is in no layer: say in this test what it may import")
			continue
		}
		allowed := layers()[at]
		for _, imported := range graph[pkg] {
			if inner, ours := strings.CutPrefix(imported, module); ours {
				if !within(inner, allowed.folder) && !slices.ContainsFunc(allowed.may, func(f string) bool { return within(inner, f) }) {
					found = append(found, fmt.Sprintf("%s imports %s", pkg, inner))
				}
				continue
			}
			for prefix, folders := range owners() {
				if strings.HasPrefix(imported, prefix) && !slices.ContainsFunc(folders, func(f string) bool { return within(pkg, f) }) {
					found = append(found, fmt.Sprintf("%s imports %s", pkg, imported))
				}
			}
		}
	}
	return found
}

// readGraph reads the imports of every package of the module, for all systems, without its tests.
func readGraph(t *testing.T, root string) map[string][]string {
	t.Helper()
	graph := map[string][]string{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && file != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		pkg := path.Clean(filepath.ToSlash(folder))
		if graph[pkg] == nil {
			graph[pkg] = []string{} // also of a package that imports nothing
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if !slices.Contains(graph[pkg], imported) {
				graph[pkg] = append(graph[pkg], imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return graph
}

func TestImportsFollowTheDesign(t *testing.T) {
	graph := readGraph(t, filepath.Join("..", ".."))
	if len(graph) < len(layers())-1 {
		t.Fatalf("only %d packages were found", len(graph))
	}
	for _, violation := range violations(graph) {
		t.Error(violation)
	}
}

// The check itself must be able to fail.
func TestImportDirectionsAreChecked(t *testing.T) {
	for _, test := range []struct {
		name, pkg, imports, want string
	}{
		{"downwards", "internal/verify", module + "steps", ""},
		{"within a layer", "reference/familyscheduler", module + "reference/web", ""},
		{"the SDK in a reference", "reference/familyscheduler", "github.com/Azure/azure-sdk-for-go/sdk/data/aztables", ""},
		{"upwards", "steps", module + "internal/verify", "steps imports internal/verify"},
		{"wire knows a store", "internal/wire", module + "internal/store", "internal/wire imports internal/store"},
		{"target knows the wire", "internal/target", module + "internal/wire", "internal/target imports internal/wire"},
		{"a reference knows the harness", "reference/web", module + "internal/wire", "reference/web imports internal/wire"},
		{"a reference knows godog", "reference/web", "github.com/cucumber/godog", "reference/web imports github.com/cucumber/godog"},
		{"the small command grows", "cmd/storespec-reference", module + "internal/process", "cmd/storespec-reference imports internal/process"},
		{"wire starts containers", "internal/wire", "github.com/testcontainers/testcontainers-go", "internal/wire imports github.com/testcontainers/testcontainers-go"},
		{"a name that only begins alike", "steps", module + "internal/storeroom", "steps imports internal/storeroom"},
		{"a package nobody placed", "internal/util", "fmt", "internal/util is in no layer: say in this test what it may import"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(violations(map[string][]string{test.pkg: {test.imports}}), "\n")
			if got != test.want {
				t.Errorf("violations: %q, want %q", got, test.want)
			}
		})
	}
}
