package internal

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

// A wing is a folder directly below internal, or one of those next to it, and what its packages may import of the
// module: of other wings what may lists, where /... stands for everything below, and of its own wing what comes before
// in order, in which . is the wing's own package. Tests are left out: a test may look at anything.
type wing struct {
	folder string
	may    []string
	order  []string
}

// wings lists them from those that import nothing up to the commands.
var wings = []wing{
	{"docs", nil, []string{"."}},
	{"features", nil, []string{"."}},
	{"fixtures", nil, []string{".", "actions", "starter/..."}},
	{"reference", nil, []string{"environment", "telemetry", "web", "account", "actions/bulk", "actions", "c4lendar",
		"calendsync", "familyscheduler", "lovehunt", "."}},

	{"internal", nil, []string{"."}},
	{"internal/source", nil, []string{".", "yamldoc"}},
	{"internal/host", []string{"internal/source"},
		[]string{".", "process", "port", "atomicfile", "changes", "shell", "terminal", "command"}},
	{"internal/emulator", []string{"internal/host/atomicfile"},
		[]string{"awssign", "azureauth", "odata", "dynamodb/value", "dynamodb/expression",
			"dynamodb/partiql", "engine", "patience", "azure", "azure/blobs", "azure/tables", "dynamodb", "kv", "."}},
	{"internal/emulator/conformance", []string{"internal/emulator/azureauth"},
		[]string{".", "azure", "dynamodb", "node", "programs", "python", "worker"}},
	{"internal/wire", []string{"internal/emulator/azureauth", "internal/emulator/dynamodb/expression",
		"internal/emulator/dynamodb/partiql", "internal/emulator/dynamodb/value", "internal/emulator/odata"},
		[]string{"inprocess", ".", "azure", "dynamodb", "kv", "wiretest"}},
	{"internal/store", []string{"fixtures", "internal/emulator", "internal/emulator/awssign",
		"internal/emulator/azureauth", "internal/emulator/dynamodb", "internal/emulator/dynamodb/value",
		"internal/emulator/engine",
		"internal/emulator/kv", "internal/host/process", "internal/wire/..."},
		[]string{".", "conform", "account", "namespace", "tables", "stores", "storetest"}},
	{"internal/run", []string{"internal/emulator/azureauth", "internal/host/...", "internal/source/...",
		"internal/store", "internal/wire"},
		[]string{".", "contract", "matching", "proof", "system", "mapping", "waiting", "target", "lane", "companion"}},
	{"internal/scenario", []string{"internal/run/...", "internal/source/...", "internal/store",
		"internal/store/stores", "internal/wire"},
		[]string{"budget", "cause", ".", "order", "schedule", "cases"}},
	{"steps", []string{"internal/run/...", "internal/scenario", "internal/scenario/budget",
		"internal/scenario/cases", "internal/source/...", "internal/store", "internal/wire"},
		[]string{"web", "budgets", "c4lendar", "cache", "actions", "calendsync", "commands", "faults", "identity",
			"objects", "pages", "familyscheduler", "races", "rows", "services", "surroundings",
			"telemetry", "."}},
	{"internal/search", []string{"internal/host/atomicfile", "internal/run/...", "internal/scenario",
		"internal/source/...", "internal/store", "internal/wire", "internal/wire/kv"},
		[]string{".", "explore", "probe"}},
	{"internal/verify", []string{"features", "fixtures", "reference", "steps", "internal/host/...", "internal/run/...",
		"internal/scenario/...", "internal/search/explore", "internal/source/...", "internal/store",
		"internal/store/stores", "internal/wire", "internal/wire/kv"},
		[]string{"baseline", "project", "starter", "rerun", ".", "lint", "designs", "languageserver"}},
	{"internal/prove", []string{"internal/host/...", "internal/run/...", "internal/source/...", "internal/store",
		"internal/verify", "internal/wire"},
		[]string{".", "mutation", "mutant", "selftest/server", "selftest", "vacuity", "wiremutant"}},
	{"internal/results", []string{"internal/host/...", "internal/prove/...", "internal/run/...",
		"internal/scenario/...", "internal/search/explore", "internal/source/...", "internal/store/stores",
		"internal/verify", "internal/verify/baseline", "internal/wire", "internal/wire/azure"},
		[]string{".", "byhand", "events", "compare", "price", "report", "progress"}},
	{"internal/trace", []string{"internal/host/...", "internal/run/...", "internal/scenario/budget",
		"internal/store/...", "internal/wire"}, []string{"."}},
	{"internal/dev", []string{"reference", "internal/emulator", "internal/host/...", "internal/store",
		"internal/store/stores"}, []string{".", "load", "bench", "browsertest", "dist", "soak"}},

	{"reference/actions/tools", append(designTools(), "fixtures/actions", "reference/actions/..."), []string{"."}},
	{"reference/lovehunt/tools", append(designTools(), "reference/lovehunt"), []string{"."}},
	{"reference/calendsync/tools", append(designTools(), "reference/calendsync"), []string{"."}},

	{"cmd/storespec-reference", []string{"reference/..."}, []string{"."}},
	{"cmd/storespec-emulate", []string{"internal/emulator"}, []string{"."}},
	{"cmd/storespec", []string{"docs", "features", "fixtures/...", "reference/...", "reference/actions/tools",
		"reference/calendsync/tools", "reference/lovehunt/tools", "steps", "internal/emulator",
		"internal/host/...", "internal/prove/...", "internal/results/...", "internal/run/...", "internal/scenario",
		"internal/search/...", "internal/source/...", "internal/store/...", "internal/trace",
		"internal/verify/...", "internal/wire/..."}, []string{"."}},
}

// narrow lists packages that may import less of other wings than the rest of their own.
var narrow = map[string][]string{
	"internal/wire":              nil,
	"internal/store":             {"internal/host/process", "internal/wire"},
	"internal/run/contract":      nil,
	"internal/run/matching":      nil,
	"internal/run/proof":         nil,
	"internal/run/waiting":       nil,
	"internal/run/system":        {"internal/source/..."},
	"internal/run/mapping":       {"internal/source/...", "internal/store"},
	"internal/run/target":        {"internal/host/..."},
	"internal/scenario/budget":   {"internal/source", "internal/store/stores", "internal/wire"},
	"internal/scenario/cause":    nil,
	"internal/scenario/order":    nil,
	"internal/scenario/schedule": {"internal/wire"},
	"internal/verify/baseline":   {"internal/source/..."},
	"internal/verify/project":    {"internal/host/...", "internal/source/..."},
	"internal/prove/mutation":    nil,
}

// designTools lists what the commands of a single design may import besides the design itself.
func designTools() []string {
	return []string{"internal/host/command", "internal/host/terminal", "internal/store/account"}
}

// owners says which folders alone may import a module that is heavy or stands for a role.
func owners() map[string][]string {
	return map[string][]string{
		"github.com/bluekeyes/": {"internal/prove/mutant"},
		"github.com/cucumber/": {"steps", "internal/scenario/cases", "internal/results/events", "internal/scenario",
			"internal/verify"},
		"github.com/redis/":  {"internal/run/companion", "reference/actions"},
		"github.com/getkin/": {"internal/run/contract"},
		// The services' own clients: no room of a scenario has one.
		"github.com/Azure/": {"internal/store/account", "internal/dev", "internal/emulator/conformance/azure",
			"internal/prove/selftest/server", "reference"},
		"github.com/aws/": {"internal/dev", "internal/emulator/conformance/dynamodb",
			"reference/calendsync"},
		"github.com/cockroachdb/": {"internal/emulator/engine"},
		"github.com/mattn/":       {"internal/host/terminal"},
		"github.com/sourcegraph/": {"internal/verify/languageserver"},
		"github.com/spf13/": {"cmd/storespec", "internal/host/command", "internal/verify/project",
			"reference/actions/tools",
			"reference/calendsync/tools", "reference/lovehunt/tools"},
		"github.com/testcontainers/": {"internal/store/account"},
		"testing": {"internal/dev/browsertest", "internal/emulator/conformance", "internal/store/conform",
			"internal/store/storetest", "internal/wire/wiretest"},
	}
}

// within reports whether the package lies in the folder.
func within(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

// wingOf is the wing that a package is in, the innermost; false: in none.
func wingOf(pkg string) (wing, bool) {
	var found wing
	for _, w := range wings {
		if within(pkg, w.folder) && len(w.folder) > len(found.folder) {
			found = w
		}
	}
	return found, found.folder != ""
}

// allows reports whether a pattern is the package, or ends in /... and lies above it.
func allows(pattern, pkg string) bool {
	folder, below := strings.CutSuffix(pattern, "/...")
	return pkg == pattern || below && within(pkg, folder)
}

// place is where the order of a package's wing has it; -1: nowhere.
func (w wing) place(pkg string) int {
	return slices.IndexFunc(w.order, func(pattern string) bool { return allows(path.Join(w.folder, pattern), pkg) })
}

// helpers are what tests alone may import.
var helpers = []string{"internal/store/conform", "internal/store/storetest", "internal/wire/wiretest",
	"internal/dev/browsertest"}

// mayImport reports whether a package of the wing may import another one of the module.
func (w wing) mayImport(pkg, imported string) bool {
	if slices.Contains(helpers, imported) {
		return false
	}
	of, placed := wingOf(imported)
	if !placed {
		return false
	}
	if of.folder == w.folder {
		return w.place(imported) <= w.place(pkg)
	}
	may, less := narrow[pkg]
	if !less {
		may = w.may
	}
	return slices.ContainsFunc(may, func(pattern string) bool {
		folder, _ := strings.CutSuffix(pattern, "/...")
		return allows(pattern, imported) && within(folder, of.folder)
	})
}

// violations lists each import of graph (package → imports, packages of the module relative to it)
// that breaks the directions, in order.
func violations(graph map[string][]string) []string {
	var found []string
	for _, pkg := range slices.Sorted(maps.Keys(graph)) {
		in, placed := wingOf(pkg)
		if !placed || in.place(pkg) < 0 {
			found = append(found, pkg+" is in no wing: say in this test what it may import")
			continue
		}
		for _, imported := range graph[pkg] {
			if inner, ours := strings.CutPrefix(imported, module); ours {
				if !in.mayImport(pkg, inner) {
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
	graph := readGraph(t, "..")
	if len(graph) < len(wings) {
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
		{"within a wing", "reference/familyscheduler", module + "reference/web", ""},
		{"the SDK in a reference", "reference/familyscheduler", "github.com/Azure/azure-sdk-for-go/sdk/data/aztables",
			""},
		{"upwards", "steps", module + "internal/verify", "steps imports internal/verify"},
		{"steps know an SDK", "steps", "github.com/Azure/azure-sdk-for-go/sdk/data/aztables",
			"steps imports github.com/Azure/azure-sdk-for-go/sdk/data/aztables"},
		{"steps know a service", "steps", module + "internal/wire/azure", "steps imports internal/wire/azure"},
		{"wire knows a service", "internal/wire", module + "internal/wire/azure",
			"internal/wire imports internal/wire/azure"},
		{"a store knows its kinds", "internal/store", module + "internal/store/stores",
			"internal/store imports internal/store/stores"},
		{"wire knows a store", "internal/wire", module + "internal/store", "internal/wire imports internal/store"},
		{"target knows the wire", "internal/run/target", module + "internal/wire",
			"internal/run/target imports internal/wire"},
		{"wire knows the emulator", "internal/wire", module + "internal/emulator/odata",
			"internal/wire imports internal/emulator/odata"},
		{"a decoder knows the emulator", "internal/wire/azure", module + "internal/emulator/odata", ""},
		{"the stores' frame knows an emulator", "internal/store", module + "internal/emulator",
			"internal/store imports internal/emulator"},
		{"the emulator knows the wire", "internal/emulator/kv", module + "internal/wire",
			"internal/emulator/kv imports internal/wire"},
		{"a reference knows the harness", "reference/web", module + "internal/wire",
			"reference/web imports internal/wire"},
		{"a reference knows godog", "reference/web", "github.com/cucumber/godog",
			"reference/web imports github.com/cucumber/godog"},
		{"the small command grows", "cmd/storespec-reference", module + "internal/host/process",
			"cmd/storespec-reference imports internal/host/process"},
		{"wire starts containers", "internal/wire", "github.com/testcontainers/testcontainers-go",
			"internal/wire imports github.com/testcontainers/testcontainers-go"},
		{"a name that only begins alike", "steps", module + "internal/storeroom", "steps imports internal/storeroom"},
		{"the emulator's cases with the emulator", "cmd/storespec-emulate", module + "internal/emulator/conformance",
			"cmd/storespec-emulate imports internal/emulator/conformance"},
		{"the emulator knows its cases", "internal/emulator", module + "internal/emulator/conformance/azure",
			"internal/emulator imports internal/emulator/conformance/azure"},
		{"a case knows a store", "internal/emulator/conformance/azure", module + "internal/store",
			"internal/emulator/conformance/azure imports internal/store"},
		{"the frame knows its cases", "internal/emulator/conformance", module + "internal/emulator/conformance/azure",
			"internal/emulator/conformance imports internal/emulator/conformance/azure"},
		{"tests' packages in the program", "cmd/storespec", module + "internal/store/storetest",
			"cmd/storespec imports internal/store/storetest"},
		{"the program tests", "internal/emulator", "testing", "internal/emulator imports testing"},
		{"a package nobody placed", "internal/other", "fmt",
			"internal/other is in no wing: say in this test what it may import"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(violations(map[string][]string{test.pkg: {test.imports}}), "\n")
			if got != test.want {
				t.Errorf("violations: %q, want %q", got, test.want)
			}
		})
	}
}
