package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// project is a module with one program, committed under the tag v1.2.3.
func project(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "first")
	for name, content := range map[string]string{
		"go.mod":            "module example.org/hello\n\ngo 1.26\n",
		"cmd/hello/main.go": "package main\n\nfunc main() { println(\"hello\") }\n",
		"CHANGELOG.md":      "none\n", "LICENSE": "none\n", "README.md": "none\n",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
			os.WriteFile(file, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "init", "--quiet")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "--message", "first")
	git(t, dir, "tag", "v1.2.3")
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	command := exec.Command("git",
		append([]string{"-C", dir, "-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c",
			"commit.gpgsign=false"}, args...)...)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, said)
	}
}

func TestTwoBuildsAreTheSameBytes(t *testing.T) {
	first := project(t)
	second := filepath.Join(t.TempDir(), "elsewhere", "second")
	git(t, first, "clone", "--quiet", first, second)
	t.Setenv("GOFLAGS", "-buildvcs=false") // some machines set it
	built := []string{"linux/amd64", "windows/amd64"}
	var sums []string
	for i, source := range []string{first, second} {
		t.Setenv("TZ", []string{"UTC", "Asia/Tokyo"}[i])
		r := release{source: source, out: filepath.Join(t.TempDir(), "dist"), platforms: built}
		if err := r.build(t.Context(), io.Discard); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, string(content))
		if i == 0 {
			holds(t, r.out)
		}
	}
	if sums[0] != sums[1] || strings.Count(sums[0], "\n") != len(built) {
		t.Errorf("the sums of two builds are\n%s and\n%s", sums[0], sums[1])
	}
}

// holds checks what lies in the archives of both forms.
func holds(t *testing.T, out string) {
	t.Helper()
	file, err := os.Open(filepath.Join(out, "storespec_v1.2.3_linux_amd64.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %o %s", header.Name, header.Mode, header.Uname))
	}
	const folder = "storespec_v1.2.3_linux_amd64/"
	want := []string{folder + "hello 755 ", folder + "CHANGELOG.md 644 ", folder + "LICENSE 644 ", folder +
		"README.md 644 "}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the tar file holds %q, not %q", got, want)
	}
	archive, err := zip.OpenReader(filepath.Join(out, "storespec_v1.2.3_windows_amd64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	if first := archive.File[0].Name; first != "storespec_v1.2.3_windows_amd64/hello.exe" || len(archive.File) != 4 {
		t.Errorf("the zip file holds %d files, the first is %s", len(archive.File), first)
	}
}

func TestATreeThatNobodyCouldBuildAgainIsRefused(t *testing.T) {
	source := project(t)
	if err := os.WriteFile(filepath.Join(source, "README.md"), []byte("changed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "dist")
	err := release{source: source, out: out, platforms: []string{"linux/amd64"}}.build(t.Context(), io.Discard)
	if !errors.Is(err, errModified) {
		t.Errorf("error %v, not that the tree is modified", err)
	}
	if left, _ := filepath.Glob(filepath.Join(out, "*")); len(left) > 0 {
		t.Errorf("it left %q", left)
	}
}
