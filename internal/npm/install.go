package npm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/storespec/storespec/internal/process"
	"github.com/storespec/storespec/internal/store"
)

// Package is a program to install.
type Package struct {
	Title   string // for people, such as "Azurite"
	Name    string // of its folder in package fixtures, where package.json and package-lock.json are
	Version string
	Files   fs.FS  // has that folder
	Main    string // its entry point in an installation
	Instead string // what can be used where there is no npm, such as "STORE=container"
}

// Node returns the path of Node. The error wraps store.ErrUnavailable.
func (p Package) Node() (string, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return "", fmt.Errorf("%w: node is not in PATH; install Node 20 or later with npm "+
			"(https://nodejs.org, or apt-get install nodejs npm), or use %s", store.ErrUnavailable, p.Instead)
	}
	return node, nil
}

// Install returns the program's entry point, first installing it with npm if it is missing; an empty cacheDir is
// storespec in the user's cache directory. The installation's name contains a digest of the lock file, so a different
// lock file gets a separate installation. An installation appears atomically, by a rename: two processes may install at
// the same time, and an interrupted installation leaves nothing that could be mistaken for a complete one.
func (p Package) Install(ctx context.Context, cacheDir string, log io.Writer) (string, error) {
	if cacheDir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("%w: no directory to install %s in: %w", store.ErrUnavailable, p.Title, err)
		}
		cacheDir = filepath.Join(user, "storespec")
	}
	lock, err := fs.ReadFile(p.Files, p.Name+"/package-lock.json")
	if err != nil {
		return "", fmt.Errorf("read the lock file of %s: %w", p.Title, err)
	}
	dir := filepath.Join(cacheDir, fmt.Sprintf("%s-%s-%.6x", p.Name, p.Version, sha256.Sum256(lock)))
	entry := filepath.Join(dir, filepath.FromSlash(p.Main))
	if _, err := os.Stat(entry); err == nil {
		return entry, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", fmt.Errorf("%w: npm is not in PATH, and %s %s is not installed in %s; install Node 20 or "+
			"later with npm (https://nodejs.org, or apt-get install nodejs npm), or use %s",
			store.ErrUnavailable, p.Title, p.Version, dir, p.Instead)
	}
	if err := os.MkdirAll(cacheDir, 0o755); err != nil {
		return "", fmt.Errorf("%w: make the directory for %s: %w", store.ErrUnavailable, p.Title, err)
	}
	work, err := os.MkdirTemp(cacheDir, "installing-*")
	if err != nil {
		return "", fmt.Errorf("%w: make the directory for %s: %w", store.ErrUnavailable, p.Title, err)
	}
	defer func() { _ = os.RemoveAll(work) }() // after a rename there is nothing to remove
	_, _ = fmt.Fprintf(log, "installing %s %s with npm in %s (once)\n", p.Title, p.Version, dir)
	if err := p.install(ctx, npm, work); err != nil {
		return "", err
	}
	if err := os.Rename(work, dir); err != nil {
		if _, there := os.Stat(entry); there == nil {
			return entry, nil // another process was faster
		}
		return "", fmt.Errorf("%w: install %s: %w", store.ErrUnavailable, p.Title, err)
	}
	return entry, nil
}

// install installs what the lock file lists into dir. Package scripts are not run.
func (p Package) install(ctx context.Context, npm, dir string) error {
	pinned, err := fs.Sub(p.Files, p.Name)
	if err != nil {
		return fmt.Errorf("read the lock file of %s: %w", p.Title, err)
	}
	if err := os.CopyFS(dir, pinned); err != nil {
		return fmt.Errorf("%w: install %s: %w", store.ErrUnavailable, p.Title, err)
	}
	args := []string{npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"}
	child, err := process.Start(args, process.Options{Dir: dir})
	if err != nil {
		return fmt.Errorf("%w: install %s: %w", store.ErrUnavailable, p.Title, err)
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("install %s: %w", p.Title, ctx.Err()), child.Stop(ctx))
	}
	if exit := child.Exit(); exit != "exit status 0" {
		return fmt.Errorf("%w: %q with fixtures/%s/package-lock.json: %s\n%s",
			store.ErrUnavailable, strings.Join(args, " "), p.Name, exit, child.Output())
	}
	return nil
}
