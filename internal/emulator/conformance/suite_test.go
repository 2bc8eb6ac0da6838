package conformance

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A store that counts, and the suite of what counting is.
type counter struct{ stuck bool }

func counts() *Capability {
	return &Capability{Documented: "one more", Source: "https://example.org/rules/counting"}
}

func countingSuite(needs *Capability) Suite[*counter] {
	return Suite[*counter]{
		{Name: "exists", Run: func(*T, *counter) {}},
		{Name: "counts", Needs: needs, Run: func(t *T, c *counter) {
			if c.stuck {
				t.Fatalf("stuck at %d", t.Number)
			}
		}},
		{Name: "counts|twice", Needs: needs, Run: func(t *T, c *counter) {
			if c.stuck {
				t.OK(errors.New("stuck again"))
			}
		}},
	}
}

func harness(c *counter, lacks map[*Capability]string) Harness[*counter] {
	return Harness[*counter]{Store: "counter", Open: func(*testing.T) *counter { return c }, Lacks: lacks}
}

// What a store lacks, it has to fail, and everything else it has to pass.
func TestJudge(t *testing.T) {
	capability := counts()
	lacks := map[*Capability]string{capability: "stuck"}
	for _, test := range []struct {
		name  string
		store *counter
		lacks map[*Capability]string
		want  []string // what the errors of the three cases begin with; empty: none
	}{
		{"a store that counts", &counter{}, nil, []string{"", "", ""}},
		{"one that is known not to", &counter{stuck: true}, lacks, []string{"", "", ""}},
		{"one that is not known not to", &counter{stuck: true}, nil, []string{"", "stuck at 1", "stuck again"}},
		{"one that has learned it", &counter{}, lacks,
			[]string{"", "counter now does what is documented", "counter now does what is documented"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := harness(test.store, test.lacks)
			for i, c := range countingSuite(capability) {
				got := ""
				if err := h.judge(c, c.outcome(t, i, test.store)); err != nil {
					got = err.Error()
				}
				if !strings.HasPrefix(got, test.want[i]) || (got == "") != (test.want[i] == "") {
					t.Errorf("%s: %q, want %q", c.Name, got, test.want[i])
				}
			}
		})
	}
}

// Run itself: each case is a test, and a store that lacks something passes.
func TestRun(t *testing.T) {
	capability := counts()
	Run(t, countingSuite(capability), harness(&counter{}, nil))
	Run(t, countingSuite(capability), harness(&counter{stuck: true}, map[*Capability]string{capability: "stuck"}))
}

// A capability that no case shows, and one that does not say what it is, would make a list that nothing proves.
func TestMistakesInASuite(t *testing.T) {
	capability := counts()
	suite := countingSuite(capability)
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"nothing", errors.Join(suite.check(), suite.knows(harness(nil, map[*Capability]string{capability: "stuck"}))),
			""},
		{"a capability that looks alike", suite.knows(harness(nil, map[*Capability]string{counts(): "stuck"})),
			"lacks what no case needs"},
		{"a case without a need", suite.knows(harness(nil, map[*Capability]string{nil: "stuck"})),
			"lacks what no case needs"},
		{"what is done instead is missing", suite.knows(harness(nil, map[*Capability]string{capability: ""})),
			"does not say what it does instead"},
		{"a name twice", append(suite, suite[0]).check(), `the name "exists"`},
		{"no name", append(suite, Case[*counter]{}).check(), `the name ""`},
		{"no source", countingSuite(&Capability{Documented: "one more"}).check(), "does not say what is documented"},
	} {
		t.Run(test.name, func(t *testing.T) {
			switch {
			case test.want == "" && test.err != nil:
				t.Error(test.err)
			case test.want != "" && (test.err == nil || !strings.Contains(test.err.Error(), test.want)):
				t.Errorf("%v, want %q", test.err, test.want)
			}
		})
	}
}

func TestDocument(t *testing.T) {
	capability := counts()
	table := countingSuite(capability).Table("the rules", Column{"one", map[*Capability]string{capability: "stuck"}},
		Column{"two", nil})
	want := `
| case | the rules | one | two | source |
|---|---|---|---|---|
| counts | one more | stuck |  | [counting](https://example.org/rules/counting) |
| counts\|twice | one more | stuck |  | [counting](https://example.org/rules/counting) |

`
	if table != want {
		t.Errorf("table %s\nwant %s", table, want)
	}
	file := filepath.Join(t.TempDir(), "rules.md")
	if err := os.WriteFile(file, []byte("before\n<!-- rules -->\nold\n<!-- end of rules -->\nafter\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	Document(t, file, true, map[string]string{"rules": table})
	Document(t, file, false, map[string]string{"rules": table}) // fails when it was not written
	written, err := os.ReadFile(file)
	if err != nil || string(written) != "before\n<!-- rules -->\n"+table+"<!-- end of rules -->\nafter\n" {
		t.Errorf("%v\n%s", err, written)
	}
	if _, _, err := replace("<!-- rules -->\n", "rules", table); err == nil {
		t.Error("a file without the closing mark was taken")
	}
}
