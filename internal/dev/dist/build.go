package main

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/host/atomicfile"
)

// release is what is to be built.
type release struct {
	source    string   // the module's root, within a clean git work tree
	out       string   // the directory to write
	platforms []string // such as linux/amd64
}

// errModified refuses a tree from which no one else could build the same.
var errModified = errors.New("the work tree differs from its commit: commit or remove what git status shows")

// build builds each platform's archive and SHA256SUMS, and reports to progress the sum and name of each archive.
func (r release) build(ctx context.Context, progress io.Writer) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return fmt.Errorf("make the directory of the release: %w", err)
	}
	var sums strings.Builder
	for _, platform := range r.platforms {
		name, err := r.one(ctx, platform)
		if err != nil {
			return fmt.Errorf("build for %s: %w", platform, err)
		}
		content, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(io.MultiWriter(&sums, progress), "%x  %s\n", sha256.Sum256(content), name)
		if err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// one builds the archive of a platform and gives its name, such as storespec_v1.2.3_linux_amd64.tar.gz.
func (r release) one(ctx context.Context, platform string) (string, error) {
	system, machine, ok := strings.Cut(platform, "/")
	if !ok {
		return "", errors.New("a platform is SYSTEM/MACHINE, such as linux/amd64")
	}
	programs, err := os.MkdirTemp("", "storespec-dist-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(programs) }()
	if err := r.compile(ctx, system, machine, programs); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(programs, "*"))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("no program was built: %w", err)
	}
	made, err := originOf(files[0])
	if err != nil {
		return "", err
	}
	for _, text := range []string{"CHANGELOG.md", "LICENSE", "README.md"} {
		files = append(files, filepath.Join(r.source, text))
	}
	folder := fmt.Sprintf("storespec_%s_%s_%s", made.version, system, machine)
	pack, name := tarGzip, folder+".tar.gz"
	if system == "windows" {
		pack, name = zipped, folder+".zip"
	}
	entries, err := read(files, folder)
	if err != nil {
		return "", err
	}
	file, err := atomicfile.Create(filepath.Join(r.out, name))
	if err != nil {
		return "", err
	}
	defer file.Abandon()
	return name, file.Put(func(w io.Writer) error { return pack(w, entries, made.at) })
}

// compile builds the programs of cmd/ into a directory. What the environment might change in their bytes is set or
// emptied.
func (r release) compile(ctx context.Context, system, machine, into string) error {
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w",
		"-o", into+string(filepath.Separator), "./cmd/...")
	build.Dir = r.source
	build.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0")
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, said)
	}
	return nil
}

// origin is what a program says of the commit it was built from.
type origin struct {
	version string
	at      time.Time // the commit's time
}

func originOf(program string) (origin, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return origin{}, fmt.Errorf("read the build info: %w", err)
	}
	made := origin{version: info.Main.Version}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.time":
			made.at, err = time.Parse(time.RFC3339, setting.Value)
		case "vcs.modified":
			if setting.Value == "true" {
				return origin{}, errModified
			}
		}
	}
	if err == nil && made.at.IsZero() {
		err = errors.New("the build info names no commit: build from a clone; Go sees no commit in a linked work " +
			"tree or without .git")
	}
	return made, err
}
