package account

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
	"github.com/storespec/storespec/internal/store"
)

// azuriteVersion is the last Azurite that runs on Node 20; 3.36 needs 21 or later. fixtures/azurite pins the same
// version.
const azuriteVersion = "3.35.0"

// azuriteMain is Azurite's entry point in an installation.
const azuriteMain = "node_modules/azurite/dist/src/azurite.js"

// installAzurite returns Azurite's entry point, first installing it with npm if it is missing. The directory's name
// contains a digest of the lock file, so a different lock file gets a separate installation. An installation appears
// atomically, by a rename: two processes may install at the same time, and an interrupted installation leaves nothing
// that could be mistaken for a complete one.
func installAzurite(ctx context.Context, cacheDir string, log io.Writer) (string, error) {
	if cacheDir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("%w: no directory to install Azurite in: %w", store.ErrUnavailable, err)
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
		return "", fmt.Errorf("%w: npm is not in PATH, and Azurite %s is not installed in %s; install Node 20 or "+
			"later with npm (https://nodejs.org, or apt-get install nodejs npm), or use STORE=container",
			store.ErrUnavailable, azuriteVersion, dir)
	}
	if err := os.MkdirAll(cacheDir, 0o755); err != nil {
		return "", fmt.Errorf("%w: make the directory for Azurite: %w", store.ErrUnavailable, err)
	}
	work, err := os.MkdirTemp(cacheDir, "installing-*")
	if err != nil {
		return "", fmt.Errorf("%w: make the directory for Azurite: %w", store.ErrUnavailable, err)
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
		return "", fmt.Errorf("%w: install Azurite: %w", store.ErrUnavailable, err)
	}
	return entry, nil
}

// npmCI installs what the lock file lists into dir. Package scripts are not run.
func npmCI(ctx context.Context, npm, dir string) error {
	pinned, err := fs.Sub(fixtures.Azurite, "azurite")
	if err != nil {
		return fmt.Errorf("read the lock file of Azurite: %w", err)
	}
	if err := os.CopyFS(dir, pinned); err != nil {
		return fmt.Errorf("%w: install Azurite: %w", store.ErrUnavailable, err)
	}
	args := []string{npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"}
	p, err := process.Start(args, process.Options{Dir: dir})
	if err != nil {
		return fmt.Errorf("%w: install Azurite: %w", store.ErrUnavailable, err)
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("install Azurite: %w", ctx.Err()), p.Stop(ctx))
	}
	if exit := p.Exit(); exit != "exit status 0" {
		return fmt.Errorf("%w: %q with fixtures/azurite/package-lock.json: %s\n%s",
			store.ErrUnavailable, strings.Join(args, " "), exit, p.Output())
	}
	return nil
}
