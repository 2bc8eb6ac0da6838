package mutant

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/prove/mutation"
	"github.com/storespec/storespec/internal/verify"
)

// Module is the module that mutants are built from; its source tree must be available.
const Module = "github.com/storespec/storespec"

// The command that mutants are made of, the one with the tools that some designs have besides a server, and the folder
// whose packages are mutated.
const (
	command     = "./cmd/storespec-reference"
	toolCommand = "./cmd/storespec"
	folder      = "reference"
)

// ErrNoTree says that a directory is not in the source tree of Module, or that Go is not installed.
var ErrNoTree = errors.New("mutants are built from storespec's source tree, with Go")

// stopWithin is how long the go command may take to stop its compilers and to remove its files.
const stopWithin = 5 * time.Second

// Root returns the root of the source tree that contains dir. The error wraps ErrNoTree.
func Root(dir string) (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoTree, err)
	}
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", dir, err)
	}
	for root := start; ; root = filepath.Dir(root) {
		mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil && strings.HasPrefix(string(mod), "module "+Module+"\n") {
			return root, nil
		}
		if filepath.Dir(root) == root {
			return "", fmt.Errorf("%w: neither %s nor a directory above it holds the go.mod of %s", ErrNoTree, start,
				Module)
		}
	}
}

// toolStep is how the text of a step begins that runs a tool (package steps/commands).
const toolStep = "storespec runs "

// programs are the binaries of one version of the source: the server, and storespec with the tools; "": not needed.
type programs struct{ server, tool string }

// sums are the digests of programs; they differ if one of them does.
type sums [2][sha256.Size]byte

func (p programs) sums() (all sums, err error) {
	if all[0], err = sum(p.server); err == nil && p.tool != "" {
		all[1], err = sum(p.tool)
	}
	return all, err
}

// builder builds the reference server, unchanged and with patches, in its own directory.
type builder struct {
	root      string
	directory string
	tool      bool                                    // storespec is mutated too: scenarios run it
	original  func(ctx context.Context) (sums, error) // of the unmutated programs
}

// newBuilder returns a builder for the scenarios of a catalogue.
func newBuilder(root, directory string, catalogue *verify.Catalogue) *builder {
	b := &builder{root: root, directory: directory, tool: catalogue.HasStep(toolStep)}
	var once sync.Mutex
	var known sums
	b.original = func(ctx context.Context) (_ sums, err error) {
		once.Lock()
		defer once.Unlock()
		if known == (sums{}) {
			var made programs
			if made, err = b.make(ctx, filepath.Join(directory, "original")); err == nil {
				known, err = made.sums()
			}
		}
		return known, err
	}
	return b
}

// make builds the programs; the names of their files begin with path.
func (b *builder) make(ctx context.Context, path string, flags ...string) (programs, error) {
	made := programs{server: path}
	if err := b.goBuild(ctx, command, made.server, flags...); err != nil || !b.tool {
		return made, err
	}
	made.tool = path + "-tool"
	return made, b.goBuild(ctx, toolCommand, made.tool, flags...)
}

// changed returns the files that a patch changes, as they then are, by their names relative to the root.
func (b *builder) changed(patch Patch) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, change := range patch.changes {
		source, err := os.ReadFile(filepath.Join(b.root, filepath.FromSlash(change.NewName)))
		if err != nil {
			return nil, err
		}
		if files[change.NewName], err = apply(source, change); err != nil {
			return nil, fmt.Errorf("it does not apply: %w", err)
		}
	}
	return files, nil
}

// alone builds the server with one patch. The source tree is not modified: the compiler gets an overlay of the changed
// files. remove deletes the files that were written; call it even after an error.
func (b *builder) alone(ctx context.Context, patch Patch) (made programs, remove func() error, err error) {
	directory, err := os.MkdirTemp(b.directory, patch.Name+"-")
	remove = func() error { return os.RemoveAll(directory) }
	if err != nil {
		return made, remove, err
	}
	changed, err := b.changed(patch)
	if err != nil {
		return made, remove, err
	}
	listed, replaced, err := mutation.Overlay(b.root, directory, changed)
	if err != nil {
		return made, remove, err
	}
	var names []string // of the files written and the files they replace
	for name, replacement := range replaced {
		if near, err := filepath.Rel(b.root, replacement); err == nil { // as go reports it, if that is shorter
			names = append(names, near, name)
		}
		names = append(names, replacement, name)
	}
	if made, err = b.make(ctx, filepath.Join(directory, "reference"), "-overlay", listed); err != nil {
		return made, remove, fmt.Errorf("it does not build: %s", strings.NewReplacer(names...).Replace(err.Error()))
	}
	return made, remove, b.differs(ctx, made)
}

// errSame says that a patch changes nothing.
var errSame = errors.New("it changes nothing: the compiler makes the same program of it")

// differs returns errSame if programs are the unmutated ones.
func (b *builder) differs(ctx context.Context, made programs) error {
	original, err := b.original(ctx)
	if err != nil {
		return err
	}
	same, err := made.sums()
	if err == nil && same == original {
		err = errSame
	}
	return err
}

// goBuild builds a command. Without symbols and debug information the linker takes half the time; without a
// build id and VCS information, equal code gives an equal file.
func (b *builder) goBuild(ctx context.Context, command, binary string, flags ...string) error {
	args := append([]string{"build", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", binary}, flags...)
	build := exec.CommandContext(ctx, "go", append(args, command)...)
	build.Dir = b.root
	// The go command's work directory is inside the builder's: if interrupted as it starts, go leaves it behind.
	// Compiler and linker live for a second: with less frequent garbage collection they take a sixth less time and 5%
	// more memory.
	build.Env = append(build.Environ(), "GOTMPDIR="+b.directory, "GOGC=400")
	build.Cancel = func() error { return build.Process.Signal(os.Interrupt) }
	build.WaitDelay = stopWithin
	var said bytes.Buffer
	build.Stdout, build.Stderr = &said, &said
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, strings.TrimSpace(said.String()))
	}
	return nil
}

func sum(name string) ([sha256.Size]byte, error) {
	content, err := os.ReadFile(name)
	return sha256.Sum256(content), err
}
