package baseline

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/storespec/storespec/internal/source/yamldoc"
)

const two = `known-failures:
  - rule: FS-MEM-5
    scenario: call 4th of inviting is lost
    example: {n: 4th, operation: inviting}
    reason: "bug 12: no retry"
    expires: 2026-12-31
  - rule: FS-APT-1
    scenario: Ana makes an appointment
    reason: no index yet
`

func TestReadSortsByCase(t *testing.T) {
	file, err := parse("b.yaml", []byte(two))
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{
		{Case: Case{Rule: "FS-APT-1", Scenario: "Ana makes an appointment"}, Reason: "no index yet", Line: 7,
			Column: 5},
		{
			Case: Case{Rule: "FS-MEM-5", Scenario: "call 4th of inviting is lost",
				Example: map[string]string{"n": "4th", "operation": "inviting"}},
			Reason: "bug 12: no retry", Expires: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC), Line: 2, Column: 5,
		},
	}
	if diff := cmp.Diff(want, file.Entries); diff != "" {
		t.Error(diff)
	}
}

func TestReadRefuses(t *testing.T) {
	const entry = "known-failures:\n- rule: A-A-1\n  scenario: s\n  reason: r\n"
	for name, c := range map[string]struct{ text, want string }{
		"no YAML":       {"known-failures: [", "b.yaml:1: did not find expected node content"},
		"a list on top": {"- rule: A", "b.yaml:1:1: the baseline must be a mapping with known-failures"},
		"an unknown key": {"known-failure: []",
			`b.yaml:1:1: the baseline has an unknown key "known-failure"; did you mean known-failures?`},
		"no list": {"known-failures: 7", "b.yaml:1:17: known-failures must be a list of entries"},
		"a text as entry": {"known-failures:\n- A-A-1",
			"b.yaml:2:3: an entry must be a mapping with rule, scenario, example, reason, outcome, digest, expires"},
		"a misspelled key": {entry + "  reasons: x\n",
			`b.yaml:5:3: an entry has an unknown key "reasons"; did you mean reason?`},
		"a key twice": {entry + "  reason: x\n", `b.yaml:5:3: an entry has the key "reason" twice`},
		"no reason":   {"known-failures:\n- rule: A-A-1\n  scenario: s\n", "b.yaml:2:3: the entry has no reason"},
		"an empty reason": {"known-failures:\n- rule: A-A-1\n  scenario: s\n  reason: ' '\n",
			"b.yaml:2:3: the entry has no reason"},
		"no scenario": {"known-failures:\n- rule: A-A-1\n  reason: r\n", "b.yaml:2:3: the entry has no scenario"},
		"a case twice": {entry + "- reason: q\n  scenario: s\n  rule: A-A-1\n",
			`b.yaml:5:3: A-A-1 "s" appears twice, first in line 2`},
		"an invalid day": {entry + "  expires: 2026-02-30\n",
			`b.yaml:5:12: expires is a day such as 2026-12-31, not "2026-02-30"`},
		"an example as text": {entry + "  example: 4th\n",
			"b.yaml:5:12: example must be a mapping from each column of the scenario's examples to its cell"},
		"a list as cell": {entry + "  example: {n: [4th]}\n", "b.yaml:5:16: the cell of n must be a text"},
		"two documents":  {entry + "---\n" + entry, "b.yaml:5:1: it holds more than one YAML document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse("b.yaml", []byte(c.text))
			if got, ok := errors.AsType[*yamldoc.Error](err); !ok || got.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestNothingIsKnownOfAnEmptyFile(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "known-failures:\n", "known-failures: []\n"} {
		if file, err := parse("b.yaml", []byte(text)); err != nil || len(file.Entries) != 0 {
			t.Errorf("%q: %v, %v", text, file, err)
		}
	}
}

func TestAnEntryHoldsUntilTheEndOfItsDay(t *testing.T) {
	e := Entry{Expires: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)}
	for now, want := range map[string]bool{
		"2026-12-31T23:59:59Z": false, "2027-01-01T00:00:00Z": true, "2027-01-01T00:30:00+01:00": false,
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		if e.Expired(at) != want {
			t.Errorf("at %s: expired %v", now, !want)
		}
	}
	if (Entry{}).Expired(time.Now()) {
		t.Error("an entry without a last day has expired")
	}
}

func TestWriteIsDeterministicAndReadBack(t *testing.T) {
	file, err := parse("b.yaml", []byte(two))
	if err != nil {
		t.Fatal(err)
	}
	file.Entries[0], file.Entries[1] = file.Entries[1], file.Entries[0]
	var content strings.Builder
	if err := file.Write(&content); err != nil {
		t.Fatal(err)
	}
	want := header + `known-failures:
  - rule: FS-APT-1
    scenario: Ana makes an appointment
    reason: no index yet
  - rule: FS-MEM-5
    scenario: call 4th of inviting is lost
    example:
      "n": 4th
      operation: inviting
    reason: 'bug 12: no retry'
    expires: 2026-12-31
`
	if diff := cmp.Diff(want, content.String()); diff != "" {
		t.Error(diff)
	}
}

func TestHowACaseFailsIsKept(t *testing.T) {
	const text = header + `known-failures:
  - rule: FS-APT-1
    scenario: Ana makes an appointment
    reason: no index yet
    outcome: over budget
    digest: "123456789012"
`
	file, err := parse("b.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var content strings.Builder
	if err := file.Write(&content); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, content.String()); diff != "" {
		t.Error(diff)
	}
	for _, test := range []struct {
		name            string
		entry           Entry
		outcome, digest string
		want            bool
	}{
		{"the same", file.Entries[0], "over budget", "123456789012", true},
		{"another message", file.Entries[0], "over budget", "abc", false},
		{"another outcome", file.Entries[0], "failed", "123456789012", false},
		{"an entry without either", Entry{}, "failed", "abc", true},
		{"an entry of any message", Entry{Outcome: "failed"}, "failed", "abc", true},
	} {
		if got := test.entry.Alike(test.outcome, test.digest); got != test.want {
			t.Errorf("%s: alike %t", test.name, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(two))
	f.Add([]byte("known-failures: [{rule: &a A-A-1, scenario: *a, reason: r, expires: 2026-12-31}]"))
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := parse("b.yaml", content)
		if err != nil {
			if _, ok := errors.AsType[*yamldoc.Error](err); !ok {
				t.Fatalf("error %T", err)
			}
			return
		}
		var text bytes.Buffer
		if err := file.Write(&text); err != nil {
			t.Fatal(err)
		}
		again, err := parse("b.yaml", text.Bytes())
		if err != nil {
			t.Fatalf("what was written is not read: %v\n%s", err, &text)
		}
		for i := range again.Entries {
			again.Entries[i].Line = file.Entries[i].Line
		}
		if diff := cmp.Diff(file.Entries, again.Entries); diff != "" {
			t.Error(diff)
		}
	})
}
