package mutant

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/verify"
)

func TestHunksGoWhereTheirOldLinesStand(t *testing.T) {
	const hunk = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
	for name, test := range map[string]struct{ source, hunks, want, err string }{
		"where it says": {"one\ntwo\nthree\n", hunk, "one\n2\nthree\n", ""},
		"below new lines": {"zero\nzero\none\ntwo\nthree\nfour\n", hunk, "zero\nzero\none\n2\nthree\nfour\n",
			""},
		"two that have moved": {"six\nfive\nfour\none\ntwo\nthree\n", hunk + "@@ -9,2 +9,1 @@\n five\n-four\n",
			"six\nfive\none\n2\nthree\n", ""},
		"at an end without line": {"zero\none\ntwo",
			"@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n",
			"zero\none\n2", ""},
		"nowhere": {"one\ntwo\nfour\n", hunk, "",
			"hunk 1 of reference/a.go (@@ -1,3 +1,3 @@): its old lines are nowhere in the file"},
		"in an empty file": {"", hunk, "",
			"hunk 1 of reference/a.go (@@ -1,3 +1,3 @@): its old lines are nowhere in the file"},
		"in several places": {"one\ntwo\nthree\none\ntwo\nthree\n", hunk, "",
			"hunk 1 of reference/a.go (@@ -1,3 +1,3 @@): its old lines are in several places, at lines 1, 4: give " +
				"it more context"},
		"no old lines": {"one\n", "@@ -1,0 +2 @@\n+two\n", "",
			"hunk 1 of reference/a.go (@@ -1,0 +2,1 @@): its old lines are nowhere in the file"},
		"two on the same lines": {"one\ntwo\nthree\n", hunk + "@@ -2,2 +2,1 @@\n two\n-three\n", "",
			"reference/a.go: conflict: fragment overlaps with an applied fragment"},
	} {
		t.Run(name, func(t *testing.T) {
			files, _, err := gitdiff.Parse(strings.NewReader("--- reference/a.go\n+++ reference/a.go\n" + test.hunks))
			if err != nil {
				t.Fatal(err)
			}
			got, err := apply([]byte(test.source), files[0])
			if string(got) != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if err == nil && test.err != "" || err != nil && err.Error() != test.err {
				t.Errorf("error %v, want %s", err, test.err)
			}
		})
	}
}

// A mutant that is left behind when the servers change is found here, long before it would be built.
func TestEveryMutantOfTheSystemsApplies(t *testing.T) {
	root, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"familyscheduler", "actions"} {
		catalogue, err := verify.Load(features.Files,
			system.System{Name: name, Tags: []string{"needs-idempotency-key"}})
		if err != nil {
			t.Fatal(err)
		}
		patches, err := Read(os.DirFS(filepath.Join(root, "fixtures", "mutants", name)), catalogue.IDs())
		if err != nil {
			t.Fatal(err)
		}
		if len(patches) == 0 {
			t.Errorf("%s has no mutants", name)
		}
		for _, patch := range patches {
			for _, change := range patch.changes {
				source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(change.NewName)))
				if err != nil {
					t.Errorf("%s: %v", patch.Name, err)
					continue
				}
				if _, err := apply(source, change); err != nil {
					t.Errorf("%s: %v", patch.Name, err)
				}
			}
		}
	}
}
