package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// programs are what this test binary is when it is started under their names.
func programs() map[string]func() {
	return map[string]func(){
		"storespec":           main,
		"reference-server":    func() { os.Exit(serveReference(os.Args[1:])) },
		"storespec-reference": func() { os.Exit(serveReference(os.Args[1:])) },
		"scripted-server":     func() { os.Exit(serveScripted(os.Args[1:])) },
		"docker-server":       func() { os.Exit(serveDocker(os.Args[1:])) },
		"lacking-server":      func() { os.Exit(serveLacking(os.Args[1:])) },
		"liberal-server":      func() { os.Exit(serveLiberal(os.Args[1:])) },
		"late-server":         func() { os.Exit(serveLate(os.Args[1:])) },
		"storage-program":     func() { os.Exit(useStorage(os.Args[1:])) },
		"dynamodb-program":    func() { os.Exit(useDynamoDB(os.Args[1:])) },
		"dynamodb-server":     func() { os.Exit(serveItems(os.Args[1:])) },
	}
}

func TestMain(m *testing.M) { testscript.Main(tidy{m}, programs()) }

// tidy runs the tests, and removes the plain programs after them.
type tidy struct{ *testing.M }

func (t tidy) Run() int {
	defer func() { _ = os.RemoveAll(plain.directory) }()
	return t.M.Run()
}

var plain struct {
	once      sync.Once
	directory string
	err       error
}

// plainPrograms builds the programs once, as their users have them, without the race detector, and returns their
// directory. With it each of some 500 starts takes a second, and whole rules take minutes: CI runs rules with it, too.
func plainPrograms(t *testing.T) string {
	t.Helper()
	plain.once.Do(func() {
		if plain.directory, plain.err = os.MkdirTemp("", "storespec-programs-"); plain.err != nil {
			return
		}
		built := filepath.Join(plain.directory, "storespec")
		if out, err := exec.Command("go", "test", "-c", "-o", built, ".").CombinedOutput(); err != nil {
			plain.err = fmt.Errorf("%w\n%s", err, out)
			return
		}
		for name := range programs() {
			err := os.Link(built, filepath.Join(plain.directory, name))
			if err != nil && !errors.Is(err, fs.ErrExist) {
				plain.err = err
			}
		}
	})
	if plain.err != nil {
		t.Fatal(plain.err)
	}
	return plain.directory
}

// runPlain runs a plain program, which finds the others, and returns its exit status with what it has written.
func runPlain(t *testing.T, program string, args ...string) (status int, said string) {
	t.Helper()
	directory := plainPrograms(t)
	cmd := exec.CommandContext(t.Context(), filepath.Join(directory, program), args...)
	cmd.Env = append(cmd.Environ(), "PATH="+directory+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}
