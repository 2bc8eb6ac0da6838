package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/run/system"
)

// generalRooms are the packages that serve every design: what is one system's alone stands in its folder of steps and
// in its description.
func generalRooms() []string {
	return []string{"steps/web", "steps/rows", "steps/objects", "steps/services",
		"steps/budgets", "steps/faults", "steps/races",
		"steps/surroundings", "steps/telemetry", "steps/pages", "steps/cache", "steps/commands",
		"internal/run/matching", "internal/scenario/budget", "internal/run/proof", "internal/run/lane",
		"internal/scenario",
		"internal/scenario/schedule", "internal/scenario/cases", "internal/prove/wiremutant"}
}

// systemsOwn are words of the shipped designs: tables, members of documents, and the beginnings of ids. userKey is not
// among them: docs/rules/own-design.md gives it to every design, as a placeholder.
func systemsOwn() []string {
	return []string{"grp-", "apt-", "sessionId", "memberKey", "sign-in", "signIn", "expiresAt", "UserGroups",
		"GroupMembers",
		"AppointmentsIndex", "state.json", "PayloadJson", "GitHubActions", "correlationId", "fs_session",
		"x-session-id"}
}

// foreign finds in the code of a file what a general room must not name: the systems, wherever their names stand as a
// word of their own, and what is theirs. Comments are left out, and so are the examples of steps, which are real.
func foreign(files *token.FileSet, file *ast.File, systems []string) []string {
	var own []string
	for _, word := range systemsOwn() {
		own = append(own, regexp.QuoteMeta(word))
	}
	forbidden := regexp.MustCompile(`(?i)` + strings.Join(own, "|") + `|\b(` + strings.Join(systems, "|") + `)\b`)
	var found []string
	var look func(ast.Node) bool
	look = func(node ast.Node) bool {
		text := ""
		switch node := node.(type) {
		case *ast.BasicLit:
			text = node.Value
		case *ast.Ident:
			text = node.Name
		case *ast.CallExpr:
			if called, ok := node.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "On" && len(node.Args) == 3 {
				ast.Inspect(node.Args[0], look)
				ast.Inspect(node.Args[2], look)
				return false
			}
		}
		if word := forbidden.FindString(text); word != "" {
			found = append(found, fmt.Sprintf("%s names %s", files.Position(node.Pos()), word))
		}
		return true
	}
	ast.Inspect(file, look)
	return found
}

// designs are the shipped ones, by the folders of their features.
func designs(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "features", "*", system.File))
	if err != nil || len(files) < 2 {
		t.Fatalf("the shipped designs: %q, %v", files, err)
	}
	for _, file := range files {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	return names
}

func TestGeneralRoomsNameNoSystem(t *testing.T) {
	systems := designs(t)
	for _, room := range generalRooms() {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(room), "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: %d files, %v", room, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			known := token.NewFileSet()
			parsed, err := parser.ParseFile(known, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range foreign(known, parsed, systems) {
				t.Error(one)
			}
		}
	}
}

// The check itself must be able to fail.
func TestGeneralRoomsAreChecked(t *testing.T) {
	for _, test := range []struct{ name, code, want string }{
		{"a field", `var x = answer["sessionId"]`, "x.go:2:16 names sessionId"},
		{"a message", `var x = "the sign-in token"`, "x.go:2:9 names sign-in"},
		{"a system", `import _ "github.com/storespec/storespec/steps/actions"`, "x.go:2:10 names actions"},
		{"a system in an identifier", `func familyscheduler() {}`, "x.go:2:6 names familyscheduler"},
		{"part of a word", `var reactions = "transactions"`, ""},
		{"a comment", `var x = 1 // of UserGroups`, ""},
		{"an example", "var x = scenario.On(`it is`, `Then the table UserGroups is`, nil)", ""},
		{"a pattern", "var x = scenario.On(`UserGroups is`, ``, nil)", "x.go:2:21 names UserGroups"},
		{"a step's function", "var x = scenario.On(``, ``, func() { f(`grp-`) })", "x.go:2:40 names grp-"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, "x.go", "package x\n"+test.code, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(foreign(files, parsed, []string{"familyscheduler", "actions"}),
				"\n"); got != test.want {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}
