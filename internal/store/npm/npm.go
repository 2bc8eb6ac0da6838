package npm

import (
	"cmp"
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

	"github.com/storespec/storespec/internal/host/process"
	"github.com/storespec/storespec/internal/store"
)

// Package is what to install.
type Package struct {
	// Name is for people; the directory of an installation begins with it, in small letters.
	Name, Version string
	// Pinned holds package.json and package-lock.json, which are those of Source in the module.
	Pinned fs.FS
	Source string
	// Entry is a file below the installation that exists if it is complete, with slashes.
	Entry string
	// Instead says what else can be done without npm.
	Instead string
}

// Node returns the path of Node. The error wraps store.ErrUnavailable.
func (p Package) Node() (string, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return "", fmt.Errorf("%w: node is not in PATH; install Node 20 or later with npm "+
			"(https://nodejs.org, or apt-get install nodejs npm), or %s", store.ErrUnavailable, p.Instead)
	}
	return node, nil
}

// Install returns the entry, first installing the package if it is missing. The directory's name contains a digest of
// the lock file, so a different lock file gets a separate installation. An installation appears atomically, by a
// rename: two processes may install at the same time, and an interrupted installation leaves nothing that could be
// mistaken for a complete one.
//
// cacheDir is where installations are; empty: storespec in the user's cache directory. log receives a line if something
// is installed. The error wraps store.ErrUnavailable, or is that of ctx.
func (p Package) Install(ctx context.Context, cacheDir string, log io.Writer) (string, error) {
	if cacheDir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("%w: no directory to install %s in: %w", store.ErrUnavailable, p.Name, err)
		}
		cacheDir = filepath.Join(user, "storespec")
	}
	lock, err := fs.ReadFile(p.Pinned, "package-lock.json")
	if err != nil {
		return "", fmt.Errorf("read the lock file of %s: %w", p.Name, err)
	}
	dir := filepath.Join(cacheDir, fmt.Sprintf("%s-%s-%.6x", strings.ToLower(p.Name), p.Version, sha256.Sum256(lock)))
	entry := filepath.Join(dir, filepath.FromSlash(p.Entry))
	if _, err := os.Stat(entry); err == nil {
		return entry, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", fmt.Errorf("%w: npm is not in PATH, and %s %s is not installed in %s; install Node 20 or "+
			"later with npm (https://nodejs.org, or apt-get install nodejs npm), or %s",
			store.ErrUnavailable, p.Name, p.Version, dir, p.Instead)
	}
	if err := os.MkdirAll(cacheDir, 0o755); err != nil {
		return "", fmt.Errorf("%w: make the directory for %s: %w", store.ErrUnavailable, p.Name, err)
	}
	work, err := os.MkdirTemp(cacheDir, "installing-*")
	if err != nil {
		return "", fmt.Errorf("%w: make the directory for %s: %w", store.ErrUnavailable, p.Name, err)
	}
	defer func() { _ = os.RemoveAll(work) }() // after a rename there is nothing to remove
	_, _ = fmt.Fprintf(log, "installing %s %s with npm in %s (once)\n", p.Name, p.Version, dir)
	if err := p.ci(ctx, npm, work); err != nil {
		return "", err
	}
	if err := os.Rename(work, dir); err != nil {
		if _, there := os.Stat(entry); there == nil {
			return entry, nil // another process was faster
		}
		return "", fmt.Errorf("%w: install %s: %w", store.ErrUnavailable, p.Name, err)
	}
	return entry, nil
}

// ci installs what the lock file lists into dir. Package scripts are not run.
func (p Package) ci(ctx context.Context, npm, dir string) error {
	for _, name := range []string{"package.json", "package-lock.json"} {
		content, err := fs.ReadFile(p.Pinned, name)
		if err = cmp.Or(err, os.WriteFile(filepath.Join(dir, name), content, 0o644)); err != nil {
			return fmt.Errorf("%w: install %s: %w", store.ErrUnavailable, p.Name, err)
		}
	}
	args := []string{npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"}
	child, err := process.Start(args, process.Options{Dir: dir})
	if err != nil {
		return fmt.Errorf("%w: install %s: %w", store.ErrUnavailable, p.Name, err)
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("install %s: %w", p.Name, ctx.Err()), child.Stop(ctx))
	}
	if exit := child.Exit(); exit != "exit status 0" {
		return fmt.Errorf("%w: %q with %s/package-lock.json: %s\n%s",
			store.ErrUnavailable, strings.Join(args, " "), p.Source, exit, child.Output())
	}
	return nil
}
