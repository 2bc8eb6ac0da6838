package mutant

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Module is the module that mutants are built from; its source tree must be available.
const Module = "github.com/storespec/storespec"

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

// builder builds the reference server, unchanged and with patches, in its own directory.
type builder struct {
	root      string
	directory string
	original  [sha256.Size]byte // of the unmutated binary
}

// unmutated builds the unchanged server.
func (b *builder) unmutated(ctx context.Context) (binary string, err error) {
	binary = filepath.Join(b.directory, "reference")
	if err := b.goBuild(ctx, binary); err != nil {
		return "", err
	}
	b.original, err = sum(binary)
	return binary, err
}

// mutated builds the server with a patch. The source tree is not modified: the compiler gets an overlay of the changed
// files. remove deletes the files that were written; call it even after an error.
func (b *builder) mutated(ctx context.Context, patch Patch) (binary string, remove func() error, err error) {
	directory, err := os.MkdirTemp(b.directory, patch.Name+"-")
	remove = func() error { return os.RemoveAll(directory) }
	if err != nil {
		return "", remove, err
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	var names []string // of the files written and the files they replace
	for i, change := range patch.changes {
		original := filepath.Join(b.root, filepath.FromSlash(change.NewName))
		source, err := os.ReadFile(original)
		if err != nil {
			return "", remove, err
		}
		changed, err := apply(source, change)
		if err != nil {
			return "", remove, fmt.Errorf("it does not apply: %w", err)
		}
		replacement := filepath.Join(directory, fmt.Sprintf("%d-%s", i, filepath.Base(original)))
		if err := os.WriteFile(replacement, changed, 0o600); err != nil {
			return "", remove, err
		}
		overlay.Replace[original] = replacement
		if near, err := filepath.Rel(b.root, replacement); err == nil { // as go reports it, if that is shorter
			names = append(names, near, change.NewName)
		}
		names = append(names, replacement, change.NewName)
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		return "", remove, err
	}
	listed := filepath.Join(directory, "overlay.json")
	if err := os.WriteFile(listed, list, 0o600); err != nil {
		return "", remove, err
	}
	binary = filepath.Join(directory, "reference")
	if err := b.goBuild(ctx, binary, "-overlay", listed); err != nil {
		return "", remove, fmt.Errorf("it does not build: %s", strings.NewReplacer(names...).Replace(err.Error()))
	}
	same, err := sum(binary)
	if err == nil && same == b.original {
		err = errors.New("it changes nothing: the compiler makes the same program of it")
	}
	return binary, remove, err
}

// goBuild builds the reference command. Without symbols and debug information the linker takes half the time; without a
// build id and VCS information, equal code gives an equal file.
func (b *builder) goBuild(ctx context.Context, binary string, flags ...string) error {
	args := append([]string{"build", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", binary}, flags...)
	build := exec.CommandContext(ctx, "go", append(args, "./cmd/storespec-reference")...)
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
