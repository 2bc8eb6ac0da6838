package mutation

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// load reads a copy of the module below testdata, with another text for some of its files.
func load(t *testing.T, changed map[string]string) *Program {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", "shop"))); err != nil {
		t.Fatal(err)
	}
	for name, text := range changed {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(t.Context(), root, "./cmd/server", "reference")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const shopFile = "reference/shop/shop.go"

func shopText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "shop", shopFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func generate(t *testing.T, p *Program) []*Mutant {
	t.Helper()
	all, err := p.Generate("reference/shop")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every operator finds what it is for, and nothing in what only logs, words an error, or belongs to another server.
func TestOperators(t *testing.T) {
	var got strings.Builder
	operators := map[string]bool{}
	for _, m := range generate(t, load(t, nil)) {
		operators[m.Operator] = true
		fmt.Fprintf(&got, "%s: %s\n", m.Name, m.What)
		for line := range strings.Lines(m.Diff()) {
			if strings.HasPrefix(line, "-\t") || strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") {
				got.WriteString(line)
			}
		}
	}
	golden := filepath.Join("testdata", "operators.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("-update rewrites %s; now it is\n%s", golden, &got)
	}
	for _, nothing := range []string{"17", "19", "s.log"} {
		if strings.Contains(got.String(), "one more than "+nothing) ||
			strings.Contains(got.String(), "left out: "+nothing) {
			t.Errorf("%s is changed, which cannot be noticed", nothing)
		}
	}
	for _, operator := range []string{"always", "boundary", "cached", "column", "constant", "first", "ignored", "last",
		"match", "negated", "never", "number", "order", "removed", "request", "success", "swapped", "term", "unset",
		"zone"} {
		if !operators[operator] {
			t.Errorf("the operator %s finds nothing", operator)
		}
	}
}

// A mutant keeps its name when something is written elsewhere in its file.
func TestNamesAreStable(t *testing.T) {
	names := func(changed map[string]string) (names []string) {
		for _, m := range generate(t, load(t, changed)) {
			names = append(names, m.Name)
		}
		return names
	}
	before := names(nil)
	after := names(map[string]string{shopFile: strings.Replace(shopText(t), "// Price of",
		"func another(n int) bool { return n > 3 }\n\n\n// Price of", 1)})
	for _, name := range before {
		if !slices.Contains(after, name) {
			t.Errorf("%s is gone", name)
		}
	}
	if len(after) <= len(before) {
		t.Errorf("%d mutants, and %d with a function more", len(before), len(after))
	}
}

// built builds the program with its variants.
func built(t *testing.T, p *Program) string {
	t.Helper()
	directory := t.TempDir()
	list, err := p.Overlay(directory)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(directory, "server")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", list, "-o", binary, "./cmd/server")
	build.Dir = p.root
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return binary
}

// says runs a binary with more in its environment.
func says(t *testing.T, binary string, env ...string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), binary)
	run.Env = append(os.Environ(), env...)
	said, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return strings.TrimSpace(string(said))
}

// chosen is the environment of a variant.
func chosen(number int) string { return fmt.Sprintf("%s=%d", Variable, number) }

// One binary is the original and each of its mutants, and records what it reaches.
func TestOneBinaryIsEveryMutant(t *testing.T) {
	p := load(t, nil)
	all := generate(t, p)
	p.Keep(slices.DeleteFunc(slices.Clone(all), func(m *Mutant) bool { return m.Function == "shop.names" }))
	binary := built(t, p)
	if got := says(t, binary); got != "1 true hello you" {
		t.Errorf("the original says %q", got)
	}
	for name, want := range map[string]string{
		"shop/shop.go/Price/negated-1":  "3 true hello you",
		"shop/shop.go/Price/boundary-1": "1 true hello you",
		"shop/shop.go/Price/number-1":   "3 true hello you",
		"shop/shop.go/Price/number-2":   "0 true hello you",
		"shop/shop.go/Open/term-1":      "1 true hello you",
		"shop/shop.go/Open/negated-1":   "1 false hello you",
	} {
		i := slices.IndexFunc(all, func(m *Mutant) bool { return m.Name == name })
		if i < 0 {
			t.Errorf("there is no %s", name)
		} else if got := says(t, binary, chosen(all[i].Number())); got != want {
			t.Errorf("%s (%s) says %q, want %q", name, all[i].What, got, want)
		}
	}
	trace := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(trace, make([]byte, p.Sites()), 0o600); err != nil {
		t.Fatal(err)
	}
	says(t, binary, Trace+"="+trace)
	sites, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]byte{
		"shop/shop.go/Price/never-1":      1, // 3 > 2
		"shop/shop.go/Price/always-1":     0,
		"shop/shop.go/Price/boundary-1":   1,
		"shop/shop.go/shop.close/unset-1": 0,
	} {
		i := slices.IndexFunc(all, func(m *Mutant) bool { return m.Name == name })
		if i < 0 || sites[p.Site(all[i])] != want {
			t.Errorf("%s: its site is not %d", name, want)
		}
	}
}

// The linker knows which functions the server contains.
func TestOnlyLinkedFunctionsCount(t *testing.T) {
	p := load(t, nil)
	all := generate(t, p)
	binary := filepath.Join(t.TempDir(), "server")
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags", "example.com/shop/...=-l", "-o", binary,
		"./cmd/server")
	build.Dir = p.root
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	linked, err := p.Linked(t.Context(), binary, all)
	if err != nil {
		t.Fatal(err)
	}
	for function, want := range map[string]bool{"Price": true, "shop.close": false} {
		of := func(m *Mutant) bool { return m.Function == function }
		if !slices.ContainsFunc(all, of) || slices.ContainsFunc(linked, of) != want {
			t.Errorf("%s is linked: %t", function, !want)
		}
	}
}
