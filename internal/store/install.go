package store

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

	"github.com/storespec/storespec/fixtures"
	"github.com/storespec/storespec/internal/process"
)

// azuriteVersion is the last Azurite that runs on Node 20; 3.36 needs 21 or later.
// fixtures/azurite pins the same.
const azuriteVersion = "3.35.0"

// azuriteMain is Azurite's entry point in an installation.
const azuriteMain = "node_modules/azurite/dist/src/azurite.js"

// installAzurite returns Azurite's entry point, installing it with npm first when it is not there.
// The directory's name holds a digest of the lock file, so another lock is another installation.
// An installation appears at once, by a rename: two processes may install at the same time, and one
// that is interrupted leaves nothing that would be taken for complete.
func installAzurite(ctx context.Context, cacheDir string, log io.Writer) (string, error) {
	if cacheDir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("%w: no directory to install Azurite in: %w", ErrUnavailable, err)
		}
		cacheDir = filepath.Join(user, "storespec")
	}
	lock, err := fs.ReadFile(fixtures.Azurite, "azurite/package-lock.json")
	if err != nil {
		return "", fmt.Errorf("read the lock file of Azurite: %w", err)
	}
	dir := filepath.Join(cacheDir, fmt.Sprintf("azurite-%s-%.6x", azuriteVersion, sha256.Sum256(lock)))
	entry := filepath.Join(dir, filepath.FromSlash(azuriteMain))
	if _, err := os.Stat(entry); err == nil {
		return entry, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", fmt.Errorf(`%w: npm is not in PATH, and Azurite %s is not installed in %s; `+
			`install Node 20 or later with npm (https://nodejs.org, or apt-get install nodejs npm), or use STORE=container`,
			ErrUnavailable, azuriteVersion, dir)
	}
	if err := os.MkdirAll(cacheDir, 0o755); err != nil {
		return "", fmt.Errorf("%w: make the directory for Azurite: %w", ErrUnavailable, err)
	}
	work, err := os.MkdirTemp(cacheDir, "installing-*")
	if err != nil {
		return "", fmt.Errorf("%w: make the directory for Azurite: %w", ErrUnavailable, err)
	}
	defer func() { _ = os.RemoveAll(work) }() // after a rename there is nothing to remove
	_, _ = fmt.Fprintf(log, "installing Azurite %s with npm in %s (once)\n", azuriteVersion, dir)
	if err := npmCI(ctx, npm, work); err != nil {
		return "", err
	}
	if err := os.Rename(work, dir); err != nil {
		if _, there := os.Stat(entry); there == nil {
			return entry, nil // another process was faster
		}
		return "", fmt.Errorf("%w: install Azurite: %w", ErrUnavailable, err)
	}
	return entry, nil
}

// npmCI installs what the lock file says into dir. Scripts of packages are not run.
func npmCI(ctx context.Context, npm, dir string) error {
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := fs.ReadFile(fixtures.Azurite, "azurite/"+name)
		if err != nil {
			return fmt.Errorf("read %s of Azurite: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return fmt.Errorf("%w: install Azurite: %w", ErrUnavailable, err)
		}
	}
	args := []string{npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"}
	p, err := process.Start(args, process.Options{Dir: dir})
	if err != nil {
		return fmt.Errorf("%w: install Azurite: %w", ErrUnavailable, err)
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("install Azurite: %w", ctx.Err()), p.Stop(ctx))
	}
	if exit := p.Exit(); exit != "exit status 0" {
		return fmt.Errorf("%w: %q with fixtures/azurite/package-lock.json: %s\n%s",
			ErrUnavailable, strings.Join(args, " "), exit, p.Output())
	}
	return nil
}
