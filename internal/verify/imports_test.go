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
// lies below it and is not a layer of its own. Tests are left out: a test may look at anything.
type layer struct {
	folder string
	may    []string
}

// layers is the design's import directions: cmd → verify → steps → {wire, store, target}, and the
// reference servers know nothing of the harness. A folder stands before the one it lies in.
var layers = []layer{
	{"cmd/storespec-reference", []string{"reference"}},
	{"cmd/storespec-emulate", []string{"internal/emulator"}},
	{"cmd/storespec", []string{"docs", "features", "fixtures", "reference", "steps", "internal/atomicfile",
		"internal/azure", "internal/azure/account", "internal/baseline", "internal/bulk", "internal/byhand",
		"internal/cases", "internal/changes", "internal/compare", "internal/companion", "internal/diagnostic",
		"internal/dynamodb",
		"internal/dynamodb/tables", "internal/emulator", "internal/events", "internal/explore", "internal/kv",
		"internal/kv/namespace", "internal/lane", "internal/languageserver", "internal/lint", "internal/mutant",
		"internal/price", "internal/project", "internal/proof", "internal/report", "internal/rerun",
		"internal/scenario",
		"internal/selftest", "internal/shell", "internal/spelling", "internal/store", "internal/stores",
		"internal/system", "internal/target", "internal/vacuity", "internal/verify", "internal/watch",
		"internal/wiremutant", "internal/yamldoc", "internal/terminal", "internal/waiting", "internal/mapping",
		"internal/probe"}},

	{"internal/project", []string{"internal/shell", "internal/yamldoc"}},
	{"internal/rerun", []string{"internal/baseline", "internal/diagnostic", "internal/proof"}},
	{"internal/changes", nil},
	{"internal/languageserver", []string{"steps", "internal/diagnostic", "internal/lint", "internal/overlay",
		"internal/project", "internal/scenario", "internal/system", "internal/verify"}},
	{"internal/overlay", nil},
	{"internal/lint", []string{"steps", "internal/baseline", "internal/diagnostic", "internal/explore",
		"internal/mapping", "internal/scenario", "internal/spelling", "internal/system", "internal/verify"}},

	// What becomes of a run.
	{"internal/byhand", []string{"internal/scenario", "internal/shell", "internal/system", "internal/verify"}},
	{"internal/report", []string{"internal/budget", "internal/cases", "internal/cause", "internal/compare",
		"internal/events", "internal/explore", "internal/matching", "internal/mutant", "internal/price",
		"internal/scenario", "internal/shell", "internal/spelling", "internal/stores", "internal/vacuity",
		"internal/verify", "internal/wire", "internal/wiremutant"}},
	{"internal/price", []string{"internal/budget", "internal/wire", "internal/yamldoc"}},
	{"internal/compare", []string{"internal/baseline", "internal/budget", "internal/events", "internal/scenario",
		"internal/verify", "internal/wire"}},
	{"internal/mutant", []string{"internal/lane", "internal/mutation", "internal/proof", "internal/store",
		"internal/system", "internal/target", "internal/verify", "internal/yamldoc"}},
	{"internal/mutation", nil},
	{"internal/wiremutant", []string{"internal/contract", "internal/lane", "internal/mutant", "internal/proof",
		"internal/store", "internal/verify", "internal/wire"}},
	{"internal/vacuity", []string{"internal/lane", "internal/proof", "internal/store", "internal/system",
		"internal/target", "internal/verify"}},
	{"internal/probe", []string{"internal/contract", "internal/explore", "internal/mapping", "internal/matching",
		"internal/spelling", "internal/system", "internal/diagnostic"}},
	{"internal/explore", []string{"internal/atomicfile", "internal/companion", "internal/contract", "internal/kv",
		"internal/lane", "internal/matching", "internal/scenario", "internal/store", "internal/system",
		"internal/spelling", "internal/target", "internal/wire", "internal/yamldoc", "internal/mapping"}},
	{"internal/events", []string{"internal/azure", "internal/budget", "internal/cases", "internal/matching",
		"internal/scenario", "internal/verify", "internal/wire"}},
	{"internal/watch", []string{"internal/budget", "internal/lane", "internal/process", "internal/store",
		"internal/system", "internal/wire"}},
	{"internal/verify", []string{"steps", "internal/baseline", "internal/budget", "internal/cases",
		"internal/cause", "internal/companion", "internal/contract", "internal/diagnostic", "internal/lane",
		"internal/matching", "internal/overlay", "internal/proof", "internal/scenario", "internal/spelling",
		"internal/store", "internal/system", "internal/target", "internal/wire", "internal/waiting"}},

	// The rooms of a scenario, from the words that features are written in down to the lane.
	{"steps", []string{"internal/budget", "internal/cases", "internal/companion", "internal/lane",
		"internal/matching", "internal/scenario", "internal/spelling", "internal/store", "internal/system",
		"internal/wire"}},
	{"internal/cases", []string{"internal/lane", "internal/order", "internal/proof", "internal/scenario",
		"internal/schedule", "internal/store", "internal/budget", "internal/cause", "internal/matching",
		"internal/wire", "internal/waiting"}},
	{"internal/schedule", []string{"internal/order", "internal/wire"}},
	{"internal/scenario", []string{"internal/budget", "internal/cause", "internal/contract", "internal/lane",
		"internal/matching", "internal/proof", "internal/spelling", "internal/store", "internal/system",
		"internal/target", "internal/wire", "internal/waiting", "internal/mapping"}},
	{"internal/companion", []string{"internal/azuretoken", "internal/lane", "internal/port", "internal/wire"}},
	{"internal/lane", []string{"internal/matching", "internal/store", "internal/system", "internal/target",
		"internal/wire", "internal/proof", "internal/waiting", "internal/mapping"}},
	{"internal/budget", []string{"internal/spelling", "internal/stores", "internal/wire"}},
	{"internal/matching", nil},
	{"internal/proof", nil},

	// storespec is run by it as by anybody.
	{"internal/selftest", []string{"internal/process", "internal/shell"}},

	// Stores, and what is known of services.
	{"internal/bench", []string{"internal/store", "internal/stores"}},
	{"internal/soak", []string{"reference", "internal/emulator"}},
	{"internal/stores/storetest", []string{"internal/store", "internal/stores"}},
	{"internal/stores", []string{"internal/azure/account", "internal/dynamodb/tables", "internal/kv/namespace",
		"internal/store", "internal/wire"}},
	{"internal/dynamodb/tables", []string{"fixtures", "internal/awssign", "internal/dynamodb", "internal/emulator",
		"internal/inprocess", "internal/npm", "internal/process", "internal/store", "internal/wire"}},
	{"internal/dynamodb", []string{"internal/wire"}},
	{"internal/kv/namespace", []string{"internal/emulator", "internal/inprocess", "internal/kv", "internal/npm",
		"internal/process", "internal/store", "internal/wire"}},
	{"internal/npm", []string{"internal/process", "internal/store"}},
	{"internal/kv", []string{"internal/wire"}},
	{"internal/azure/account", []string{"fixtures", "internal/azure", "internal/azuresign", "internal/emulator",
		"internal/inprocess", "internal/npm", "internal/process", "internal/store", "internal/wire"}},
	{"internal/azure", []string{"internal/odata", "internal/wire"}},
	{"internal/store", []string{"internal/wire"}},
	{"internal/emulator/conformance/azure", []string{"internal/azuresign", "internal/emulator/conformance"}},
	{"internal/emulator/conformance", nil},
	{"internal/emulator", []string{"internal/atomicfile", "internal/azuresign", "internal/azuretoken",
		"internal/odata"}},
	{"internal/wire", []string{"internal/inprocess"}},

	{"internal/system", []string{"internal/contract", "internal/diagnostic", "internal/spelling", "internal/yamldoc"}},
	{"internal/target", []string{"internal/port", "internal/process", "internal/shell", "internal/waiting"}},
	{"internal/atomicfile", nil},
	{"internal/azuresign", nil},
	{"internal/azuretoken", nil},
	{"internal/awssign", nil},
	{"internal/baseline", []string{"internal/yamldoc"}},
	{"internal/browsertest", nil},
	{"internal/bulk", nil},
	{"internal/cause", nil},
	{"internal/contract", nil},
	{"internal/dist", []string{"internal/atomicfile"}},
	{"internal/inprocess", nil},
	{"internal/odata", nil},
	{"internal/order", nil},
	{"internal/port", nil},
	{"internal/process", nil},
	{"internal/shell", nil},
	{"internal/mapping", []string{"internal/contract", "internal/store", "internal/system", "internal/yamldoc"}},
	{"internal/terminal", nil},
	{"internal/waiting", nil},
	{"internal/diagnostic", nil},
	{"internal/spelling", nil},
	{"internal/yamldoc", []string{"internal/diagnostic", "internal/spelling"}},
	{"reference", nil},
	{"docs", nil},
	{"features", nil},
	{"fixtures", nil},
}

// owners says which folders alone may import a module that is heavy or stands for a role.
func owners() map[string][]string {
	return map[string][]string{
		"github.com/bluekeyes/": {"internal/mutant"},
		"github.com/cucumber/":  {"steps", "internal/cases", "internal/events", "internal/scenario", "internal/verify"},
		"github.com/redis/":     {"internal/companion", "reference/actions"},
		"github.com/getkin/":    {"internal/contract"},
		// The services' own clients: no room of a scenario has one.
		"github.com/Azure/": {"internal/azure/account", "internal/bench", "internal/emulator/conformance/azure",
			"internal/selftest/server", "internal/soak", "reference"},
		"github.com/aws/": {"internal/bench", "internal/emulator/conformance/dynamodb", "internal/soak",
			"reference/calendsync"},
		"github.com/cockroachdb/":    {"internal/emulator/engine"},
		"github.com/mattn/":          {"internal/terminal"},
		"github.com/sourcegraph/":    {"internal/languageserver"},
		"github.com/spf13/":          {"cmd/storespec"},
		"github.com/testcontainers/": {"internal/azure/account"},
		"testing": {"internal/browsertest", "internal/emulator/conformance", "internal/stores/storetest",
			"internal/wire/wiretest"},
	}
}

// within reports whether the package lies in the folder.
func within(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

// layerOf is the layer that a package is in; false: in none.
func layerOf(pkg string) (layer, bool) {
	at := slices.IndexFunc(layers, func(l layer) bool { return within(pkg, l.folder) })
	if at < 0 {
		return layer{}, false
	}
	return layers[at], true
}

// opens reports whether leave to import a folder is leave to import the package. A layer inside the folder has to be
// named itself.
func opens(folder, pkg string) bool {
	inner, placed := layerOf(pkg)
	return placed && within(pkg, folder) && within(folder, inner.folder)
}

// violations lists each import of graph (package → imports, packages of the module relative to it)
// that breaks the directions, in order.
func violations(graph map[string][]string) []string {
	var found []string
	for _, pkg := range slices.Sorted(maps.Keys(graph)) {
		allowed, placed := layerOf(pkg)
		if !placed {
			found = append(found, pkg+" is in no layer: say in this test what it may import")
			continue
		}
		for _, imported := range graph[pkg] {
			if inner, ours := strings.CutPrefix(imported, module); ours {
				if !opens(allowed.folder, inner) &&
					!slices.ContainsFunc(allowed.may, func(f string) bool { return opens(f, inner) }) {
					found = append(found, fmt.Sprintf("%s imports %s", pkg, inner))
				}
				continue
			}
			for prefix, folders := range owners() {
				if strings.HasPrefix(imported, prefix) &&
					!slices.ContainsFunc(folders, func(f string) bool { return within(pkg, f) }) {
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
		if entry.IsDir() && file != root &&
			(strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
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
	if len(graph) < len(layers)-1 {
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
		{"the SDK in a reference", "reference/familyscheduler", "github.com/Azure/azure-sdk-for-go/sdk/data/aztables",
			""},
		{"upwards", "steps", module + "internal/verify", "steps imports internal/verify"},
		{"steps know an SDK", "steps", "github.com/Azure/azure-sdk-for-go/sdk/data/aztables",
			"steps imports github.com/Azure/azure-sdk-for-go/sdk/data/aztables"},
		{"steps know a service", "steps", module + "internal/azure", "steps imports internal/azure"},
		{"wire knows a service", "internal/wire", module + "internal/azure", "internal/wire imports internal/azure"},
		{"a store knows its kinds", "internal/store", module + "internal/stores",
			"internal/store imports internal/stores"},
		{"wire knows a store", "internal/wire", module + "internal/store", "internal/wire imports internal/store"},
		{"target knows the wire", "internal/target", module + "internal/wire", "internal/target imports internal/wire"},
		{"a reference knows the harness", "reference/web", module + "internal/wire",
			"reference/web imports internal/wire"},
		{"a reference knows godog", "reference/web", "github.com/cucumber/godog",
			"reference/web imports github.com/cucumber/godog"},
		{"the small command grows", "cmd/storespec-reference", module + "internal/process",
			"cmd/storespec-reference imports internal/process"},
		{"wire starts containers", "internal/wire", "github.com/testcontainers/testcontainers-go",
			"internal/wire imports github.com/testcontainers/testcontainers-go"},
		{"a name that only begins alike", "steps", module + "internal/storeroom", "steps imports internal/storeroom"},
		{"the emulator's cases beside the emulator", "cmd/storespec-emulate", module + "internal/emulator/conformance",
			"cmd/storespec-emulate imports internal/emulator/conformance"},
		{"the emulator knows its cases", "internal/emulator", module + "internal/emulator/conformance/azure",
			"internal/emulator imports internal/emulator/conformance/azure"},
		{"a case knows a store", "internal/emulator/conformance/azure", module + "internal/store",
			"internal/emulator/conformance/azure imports internal/store"},
		{"the frame knows its cases", "internal/emulator/conformance", module + "internal/emulator/conformance/azure",
			"internal/emulator/conformance imports internal/emulator/conformance/azure"},
		{"tests' packages in the program", "cmd/storespec", module + "internal/stores/storetest",
			"cmd/storespec imports internal/stores/storetest"},
		{"the program tests", "internal/emulator", "testing", "internal/emulator imports testing"},
		{"a package nobody placed", "internal/util", "fmt",
			"internal/util is in no layer: say in this test what it may import"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(violations(map[string][]string{test.pkg: {test.imports}}), "\n")
			if got != test.want {
				t.Errorf("violations: %q, want %q", got, test.want)
			}
		})
	}
}
