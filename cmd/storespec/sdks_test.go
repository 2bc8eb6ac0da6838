package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sdkOfNode says whether a server in Node finds the AWS SDK of the alternative server. In CI it must.
func sdkOfNode(t *testing.T, root string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(root, "fixtures", "alternatives", "node-calendsync", "node_modules"))
	if _, noNode := exec.LookPath("node"); err == nil && noNode == nil {
		return true
	}
	if os.Getenv("CI") == "true" {
		t.Error("a script needs Node, and npm ci in fixtures/alternatives/node-calendsync")
	}
	return false
}

// pythonWithSDK returns the Python that has the AWS SDK, boto3; "" if none has. In CI one must.
func pythonWithSDK(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if found, err := exec.Command(python, "-c", "import boto3, sys; print(sys.executable)").Output(); err == nil {
			return strings.TrimSpace(string(found))
		}
	}
	if os.Getenv("CI") == "true" {
		t.Error("a script needs boto3: apt-get install python3-boto3")
	}
	return ""
}

// goCaches returns the directories of the go command's modules and of what it has built.
func goCaches(t *testing.T) (modules, builds string) {
	t.Helper()
	both, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules, builds, _ = strings.Cut(strings.TrimSpace(string(both)), "\n")
	return modules, builds
}
