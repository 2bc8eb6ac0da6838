package account

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/storespec/storespec/internal/store"
)

// fakeInstall stands for npm ci; it fails unless it is called as documented, with both files there.
const fakeInstall = `
test "$1 $2 $3" = "ci --omit=dev --ignore-scripts" && test -s package.json && test -s package-lock.json || exit 9
mkdir -p node_modules/azurite/dist/src && echo "//" >node_modules/azurite/dist/src/azurite.js`

func writeScript(t *testing.T, dir, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// withNPM puts an npm made of a script first in PATH and returns an empty cache directory.
func withNPM(t *testing.T, script string) string {
	t.Helper()
	bin := t.TempDir()
	writeScript(t, bin, "npm", script)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	return filepath.Join(t.TempDir(), "not", "yet", "there")
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestInstallOnce(t *testing.T) {
	cache := withNPM(t, fakeInstall)
	var log bytes.Buffer
	first, err := install(t.Context(), cache, &log)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(first); err != nil {
		t.Error(err)
	}
	if !strings.HasPrefix(log.String(), "installing Azurite "+azuriteVersion) ||
		strings.Count(log.String(), "\n") != 1 {
		t.Errorf("log %q, want one line", &log)
	}
	t.Setenv("PATH", "") // now neither npm nor anything else is needed
	second, err := install(t.Context(), cache, &log)
	if err != nil || second != first {
		t.Errorf("second: %s, %v; first: %s", second, err, first)
	}
	if strings.Count(log.String(), "\n") != 1 {
		t.Errorf("log after the second: %q", &log)
	}
}

func TestInstallAtTheSameTime(t *testing.T) {
	// Each npm waits for the other to be in it, so both install.
	meet := t.TempDir()
	t.Setenv("MEET", meet)
	cache := withNPM(t, `
mkdir "$MEET/$$"; n=0
while test "$(ls "$MEET" | wc -l)" -lt 2; do n=$((n+1)); test $n -lt 1000 || exit 8; sleep 0.01; done`+fakeInstall)
	var wg sync.WaitGroup
	var paths [2]string
	var errs [2]error
	for i := range paths {
		wg.Go(func() { paths[i], errs[i] = install(t.Context(), cache, &bytes.Buffer{}) })
	}
	wg.Wait()
	if err := errors.Join(errs[:]...); err != nil || paths[0] != paths[1] {
		t.Errorf("%q, %v", paths, err)
	}
	if got := entries(t, cache); len(got) != 1 || !strings.HasPrefix(got[0], "azurite-"+azuriteVersion) {
		t.Errorf("left in the cache: %q", got)
	}
}

func TestInstallFails(t *testing.T) {
	cache := withNPM(t, `echo "npm error 404"; exit 1`)
	_, err := install(t.Context(), cache, &bytes.Buffer{})
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "npm error 404") ||
		!strings.Contains(err.Error(), "npm ci --omit=dev") {
		t.Errorf("error %v", err)
	}
	if got := entries(t, cache); len(got) > 0 {
		t.Errorf("left in the cache: %q", got)
	}
}

func TestInstallCanceled(t *testing.T) {
	cache := withNPM(t, `exec sleep 300`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := install(ctx, cache, &bytes.Buffer{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got := entries(t, cache); len(got) > 0 {
		t.Errorf("left in the cache: %q", got)
	}
}

func install(ctx context.Context, cacheDir string, log io.Writer) (string, error) {
	pinned, err := azuritePackage()
	if err != nil {
		return "", err
	}
	return pinned.Install(ctx, cacheDir, log)
}
