package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/command"
)

// The smaller program has the same flags as "storespec emulate", and its help names them.
func TestBothEmulatorsHaveTheSameFlags(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "storespec-emulate", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	flagsIn := func(pattern string) (found []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1) {
			found = append(found, m[1])
		}
		slices.Sort(found)
		return found
	}
	var ours []string
	a := &app{Env: command.Env{Stdout: io.Discard, Stderr: io.Discard, LookupEnv: os.LookupEnv}}
	a.emulateCommand().Flags().VisitAll(func(f *pflag.Flag) { ours = append(ours, f.Name) })
	slices.Sort(ours)
	if theirs := flagsIn(`flags\.(?:\w+Var\(&o\.\w+, |Func\()"([\w-]+)"`); !slices.Equal(ours, theirs) {
		t.Errorf("storespec emulate has the flags\n%v\nstorespec-emulate\n%v", ours, theirs)
	}
	if helped := flagsIn(`(?m)^  --([\w-]+) `); !slices.Equal(ours, helped) {
		t.Errorf("storespec-emulate has the flags\n%v\nand its help\n%v", ours, helped)
	}
}

// workerdProgram is the runtime that the store workerd has installed; empty: there is none.
func workerdProgram(t *testing.T, cache string) string {
	t.Helper()
	if !canOpen(t, "workerd") {
		return ""
	}
	found, err := filepath.Glob(filepath.Join(cache, "storespec", "miniflare-*", "node_modules", "@cloudflare",
		"workerd-*", "bin", "workerd"))
	if err != nil || len(found) == 0 {
		t.Fatalf("miniflare is installed without workerd: %v", err)
	}
	return found[0]
}
