package mutation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Program is a command's packages that may be mutated, with their types.
type Program struct {
	root     string // of the source tree
	files    *token.FileSet
	packages []*pack
	importer types.Importer
	variants []*Variant // by their numbers, from 1; nil: dropped
	sites    int        // of all packages
	// conditions are the sites where a condition is true, by its position; the next one is where it is false
	conditions map[token.Pos]int
}

// pack is one package.
type pack struct {
	path    string // its import path
	folder  string // relative to the root, with slashes
	sources []*source
	types   *types.Package
	info    *types.Info
	units   []*unit
	sites   []site
}

// source is one file of a package.
type source struct {
	name    string // relative to the root, with slashes
	content []byte
	tree    *ast.File
	at      *token.File
}

// text returns the source between two positions.
func (s *source) text(from, to token.Pos) string {
	return string(s.content[s.at.Offset(from):s.at.Offset(to)])
}

// listed is what the go command says about a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// Load reads the packages of a command that lie in a folder, such as those of ./cmd/storespec-reference in reference.
// root is the root of the source tree, env is added to the environment of the go command. The error says what does not
// compile, or what the go command says.
func Load(ctx context.Context, root, command, folder string, env ...string) (*Program, error) {
	packages, err := list(ctx, root, command, env)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, one := range packages {
		exports[one.ImportPath] = one.Export
	}
	p := &Program{root: root, files: token.NewFileSet(), conditions: map[token.Pos]int{}}
	p.importer = importer.ForCompiler(p.files, "gc", func(name string) (io.ReadCloser, error) {
		if exports[name] == "" {
			return nil, fmt.Errorf("there are no types of %s", name)
		}
		return os.Open(exports[name])
	})
	for _, one := range packages {
		near, err := filepath.Rel(root, one.Dir)
		if near = filepath.ToSlash(near); err != nil || near != folder && !strings.HasPrefix(near, folder+"/") {
			continue
		}
		read, err := p.read(one, near)
		if err != nil {
			return nil, err
		}
		p.packages = append(p.packages, read)
	}
	p.mark()
	return p, nil
}

// needed are the packages that the helper files import.
var needed = []string{"fmt", "os", "runtime/metrics", "strconv", "sync", "syscall", "time"}

// list asks for a command's packages. Those of the standard library and of modules come with their types, compiled.
func list(ctx context.Context, root, command string, env []string) ([]listed, error) {
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", command}
	asked := exec.CommandContext(ctx, "go", append(args, needed...)...)
	asked.Dir = root
	asked.Env = append(asked.Environ(), env...)
	asked.Cancel = func() error { return asked.Process.Signal(os.Interrupt) } // it removes its files
	asked.WaitDelay = 5 * time.Second
	var said bytes.Buffer
	asked.Stderr = &said
	answer, err := asked.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w\n%s", command, err, bytes.TrimSpace(said.Bytes()))
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(answer)); ; {
		var one listed
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("list the packages of %s: %w", command, err)
		}
		packages = append(packages, one)
	}
}

// read parses and checks one package.
func (p *Program) read(one listed, folder string) (*pack, error) {
	made := &pack{path: one.ImportPath, folder: folder, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	var trees []*ast.File
	for _, name := range one.GoFiles {
		content, err := os.ReadFile(filepath.Join(one.Dir, name))
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(p.files, path.Join(folder, name), content,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
		made.sources = append(made.sources, &source{path.Join(folder, name), content, tree, p.files.File(tree.Pos())})
	}
	var err error
	config := types.Config{Importer: p.importer}
	if made.types, err = config.Check(one.ImportPath, p.files, trees, made.info); err != nil {
		return nil, err
	}
	for _, file := range made.sources {
		made.units = append(made.units, made.unitsOf(file)...)
	}
	return made, nil
}

// find returns the package and the file with a name.
func (p *Program) find(name string) (*pack, *source) {
	for _, one := range p.packages {
		if i := slices.IndexFunc(one.sources, func(s *source) bool { return s.name == name }); i >= 0 {
			return one, one.sources[i]
		}
	}
	return nil, nil
}
