package reference_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestOnlyTheStorageFilesKnowTheSDK: what is left of a server can be ported without knowing the SDKs for Go.
func TestOnlyTheStorageFilesKnowTheSDK(t *testing.T) {
	knowing := 0
	for file, source := range sources(t, "account", "actions", "c4lendar", "calendsync", "environment",
		"familyscheduler", "lovehunt", "telemetry", "web", ".") {
		storage := path.Dir(file) == "account" || strings.HasPrefix(path.Base(file), "storage")
		for _, imported := range source.Imports {
			switch at, _ := strconv.Unquote(imported.Path.Value); {
			case !strings.HasPrefix(at, "github.com/Azure/") && !strings.HasPrefix(at, "github.com/aws/"):
			case storage:
				knowing++
			default:
				t.Errorf("%s imports %s", file, at)
			}
		}
	}
	if knowing == 0 {
		t.Error("no file imports the SDK: this test looks at the wrong files")
	}
}

// compared finds the columns in a filter that is spelled out, such as memberKey eq.
var compared = regexp.MustCompile(`\b([A-Za-z]\w*) (?:eq|ne|gt|ge|lt|le)\b`)

// TestOnlyTheSchemaNamesColumns: schema.go has the columns of all rows. Elsewhere no text is a column that is spelled
// as no field of an answer is, and no filter names a column.
func TestOnlyTheSchemaNamesColumns(t *testing.T) {
	columns := map[string]bool{"PartitionKey": true, "RowKey": true, "Timestamp": true, "LastSyncedUtc": true,
		"PayloadHash": true, "PayloadJson": true, "PayloadEncoding": true, "PayloadZ": true, "WriteId": true}
	named := 0
	for file, source := range sources(t, "actions", "familyscheduler") {
		ast.Inspect(source, func(node ast.Node) bool {
			literal, ok := node.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			switch text, _ := strconv.Unquote(literal.Value); {
			case !columns[text] && !compared.MatchString(text):
			case path.Base(file) == "schema.go":
				named++
			default:
				t.Errorf("%s spells a column: %s", file, literal.Value)
			}
			return true
		})
	}
	if named == 0 {
		t.Error("no schema names a column: this test looks for the wrong names")
	}
}

// sources are the files of packages below reference/, without their tests.
func sources(t *testing.T, packages ...string) map[string]*ast.File {
	t.Helper()
	parsed := map[string]*ast.File{}
	for _, pkg := range packages {
		entries, err := os.ReadDir(pkg)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			file := path.Join(pkg, entry.Name())
			if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				continue
			}
			if parsed[file], err = parser.ParseFile(token.NewFileSet(), file, nil, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	return parsed
}
