package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Package is a program of npm that a store runs: which one, and how it is installed.
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

// Node returns the path of Node. The error wraps ErrUnavailable.
func (p Package) Node() (string, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return "", fmt.Errorf("%w: node is not in PATH; install Node 20 or later with npm "+
			"(https://nodejs.org, or apt-get install nodejs npm), or %s", ErrUnavailable, p.Instead)
	}
	return node, nil
}

// Install returns the entry, first installing the package if it is missing. The directory's name contains a digest of
// the lock file, so a different lock file gets a separate installation. An installation appears atomically, by a
// rename: two processes may install at the same time, and an interrupted installation leaves nothing that could be
// mistaken for a complete one.
//
// cacheDir is where installations are; empty: storespec in the user's cache directory. log receives a line if something
// is installed. The error wraps ErrUnavailable, or is that of ctx.
func (p Package) Install(ctx context.Context, cacheDir string, log io.Writer) (string, error) {
	cacheDir, err := CacheDir(cacheDir, p.Name)
	if err != nil {
		return "", err
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
			ErrUnavailable, p.Name, p.Version, dir, p.Instead)
	}
	if err := os.MkdirAll(cacheDir, 0o755); err != nil {
		return "", fmt.Errorf("%w: make the directory for %s: %w", ErrUnavailable, p.Name, err)
	}
	work, err := os.MkdirTemp(cacheDir, "installing-*")
	if err != nil {
		return "", fmt.Errorf("%w: make the directory for %s: %w", ErrUnavailable, p.Name, err)
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
		return "", fmt.Errorf("%w: install %s: %w", ErrUnavailable, p.Name, err)
	}
	return entry, nil
}

// ci installs what the lock file lists into dir. Package scripts are not run.
func (p Package) ci(ctx context.Context, npm, dir string) error {
	for _, name := range []string{"package.json", "package-lock.json"} {
		content, err := fs.ReadFile(p.Pinned, name)
		if err = cmp.Or(err, os.WriteFile(filepath.Join(dir, name), content, 0o644)); err != nil {
			return fmt.Errorf("%w: install %s: %w", ErrUnavailable, p.Name, err)
		}
	}
	args := []string{npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"}
	err := Run(ctx, dir, args...)
	switch {
	case ctx.Err() != nil && err != nil:
		return fmt.Errorf("install %s: %w", p.Name, err)
	case err != nil:
		return fmt.Errorf("%w: %q with %s/package-lock.json: %w", ErrUnavailable, strings.Join(args, " "), p.Source,
			err)
	}
	return nil
}
