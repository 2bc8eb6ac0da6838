package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	quoted     = regexp.MustCompile("`([^`\n]+)`")
	pathLike   = regexp.MustCompile(`^[\w.-]+(/[\w.*-]+)+$`)
	fileLike   = regexp.MustCompile(`^\w+\.(go|md|yaml|json)$`)
	identifier = regexp.MustCompile(`^[a-z]\w*(\.\w+){1,2}$`)
)

// TestArchitectureNamesWhatExists checks each path, file and package.Name in architecture.md against the source.
func TestArchitectureNamesWhatExists(t *testing.T) {
	page, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	root := ".."
	declared, files := source(t, root)
	checked := 0
	for _, span := range quoted.FindAllStringSubmatch(string(page), -1) {
		name := span[1]
		switch {
		case strings.Contains(name, "NAME"): // of what is still to be added
			continue
		case pathLike.MatchString(name):
			if found, err := filepath.Glob(filepath.Join(root, name)); err != nil || len(found) == 0 {
				t.Errorf("the path %s does not exist", name)
			}
		case fileLike.MatchString(name):
			if !slices.Contains(files, name) {
				t.Errorf("there is no file %s", name)
			}
		case identifier.MatchString(name):
			if !declared[name] {
				t.Errorf("%s is not declared", name)
			}
		default:
			continue // a command, a folder, an example
		}
		checked++
	}
	if checked < 100 {
		t.Errorf("only %d names were checked", checked)
	}
}

// source returns what the packages of the module declare, as package.Name and package.Type.Method, and the names of all
// files.
func source(t *testing.T, root string) (declared map[string]bool, files []string) {
	t.Helper()
	declared = map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains([]string{".git", "node_modules", "testdata", "bin", "dist"}, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		files = append(files, entry.Name())
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range parsed.Decls {
			for _, name := range names(declaration) {
				declared[parsed.Name.Name+"."+name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return declared, files
}

// names returns what a declaration declares; a method is Type.Method.
func names(declaration ast.Decl) (all []string) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		receiver := d.Recv.List[0].Type
		if star, is := receiver.(*ast.StarExpr); is {
			receiver = star.X
		}
		if of, is := receiver.(*ast.Ident); is {
			return []string{of.Name + "." + d.Name.Name}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				all = append(all, s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					all = append(all, name.Name)
				}
			}
		}
	}
	return all
}
