package mutant

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const (
	header = "Rule: FS-MEM-3\nBreaks: a removal deletes the row\nMissed: the answer is the same\n\n"
	diff   = "--- a/reference/fs/a.go\n+++ b/reference/fs/a.go\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
)

func TestReadGivesThePatchesInOrder(t *testing.T) {
	files := fstest.MapFS{
		"b.patch": {Data: []byte(header + diff)},
		"a.patch": {Data: []byte("Missed: on several\n  lines\n\tindeed\nRule:  FS-MEM-3\nBreaks: a removal: the " +
			"row\n\n" + diff)},
		"README.md": {Data: []byte("no patch")},
	}
	got, err := Read(files, []string{"FS-MEM-1", "FS-MEM-3"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Patch{
		{Name: "a", Rule: "FS-MEM-3", Breaks: "a removal: the row", Missed: "on several lines indeed"},
		{Name: "b", Rule: "FS-MEM-3", Breaks: "a removal deletes the row", Missed: "the answer is the same"},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Patch{})); d != "" {
		t.Error(d)
	}
	if len(got) == 2 && (len(got[1].changes) != 1 || got[1].changes[0].NewName != "reference/fs/a.go") {
		t.Errorf("the changes are %v", got[1].changes)
	}
}

func TestWhatIsNoPatchIsToldWithItsLine(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"nothing at all": {"", `p.patch:1: the header has no Rule: or nothing behind it`},
		"no rule": {strings.Replace(header, "Rule: FS-MEM-3\n", "", 1) + diff,
			`p.patch:3: the header has no Rule: or nothing behind it`},
		"an empty rule": {strings.Replace(header, "FS-MEM-3", "", 1) + diff,
			`p.patch:4: the header has no Rule: or nothing behind it`},
		"an unknown rule": {strings.Replace(header, "MEM-3", "MEM-33", 1) + diff,
			`p.patch:1: no rule is called "FS-MEM-33": a mutant names the one rule that must notice it`},
		"two rules": {strings.Replace(header, "FS-MEM-3", "FS-MEM-3, FS-MEM-1", 1) + diff,
			`p.patch:1: no rule is called "FS-MEM-3, FS-MEM-1": a mutant names the one rule that must notice it`},
		"a field twice": {"Rule: FS-MEM-3\n" + header + diff, `p.patch:2: the header has a second Rule`},
		"an unknown field": {"Author: me\n" + header + diff,
			`p.patch:1: the header holds Rule:, Breaks: and Missed:, then comes an empty line, but here stands ` +
				`"Author: me"`},
		"no empty line": {strings.TrimSuffix(header, "\n") + diff,
			`p.patch:4: the header holds Rule:, Breaks: and Missed:, then comes an empty line, but here stands "--- ` +
				`a/reference/fs/a.go"`},
		"no diff": {header, `p.patch:4: there is no diff below the header`},
		"a miscounted hunk": {header + strings.Replace(diff, "-1,2 +1,2", "-1,3 +1,2", 1),
			`p.patch:8: fragment header miscounts lines: -1 old, +0 new`},
		"a hunk of no file": {header + "@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
			`p.patch:5: patch fragment without file header: @@ -1,2 +1,2 @@`},
		"a new file": {header + "--- /dev/null\n+++ b/reference/fs/a.go\n@@ -0,0 +1 @@\n+one\n",
			`p.patch:4: a mutant changes lines of a file and nothing else, ` +
				`but of "" the diff makes "reference/fs/a.go"`},
		"a renamed file": {header +
			"diff --git a/reference/fs/a.go b/reference/fs/b.go\nrename from reference/fs/a.go\nrename to " +
			"reference/fs/b.go\n",
			`p.patch:4: a mutant changes lines of a file and nothing else, but of "reference/fs/a.go" the diff ` +
				`makes "reference/fs/b.go"`},
		"a file of the harness": {header + strings.ReplaceAll(diff, "reference/fs", "internal/wire"),
			`p.patch:4: a mutant changes files below reference/ only, not "internal/wire/a.go"`},
		"a way out": {header + strings.ReplaceAll(diff, "reference/fs", "reference/../steps"),
			`p.patch:4: a mutant changes files below reference/ only, not "reference/../steps/a.go"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(fstest.MapFS{"p.patch": {Data: []byte(test.text)}}, []string{"FS-MEM-1", "FS-MEM-3"})
			if malformed := (*PatchError)(nil); !errors.As(err, &malformed) {
				t.Fatalf("no *PatchError: %v", err)
			}
			if err.Error() != test.want {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(header + diff)
	f.Add("Rule: FS-MEM-3\n  more\n\n@@ -1 +1 @@\n")
	f.Fuzz(func(t *testing.T, text string) {
		patches, err := Read(fstest.MapFS{"p.patch": {Data: []byte(text)}}, []string{"FS-MEM-3"})
		if err != nil {
			return
		}
		for _, change := range patches[0].changes {
			_, _ = apply([]byte("one\ntwo\n"), change)
		}
	})
}
