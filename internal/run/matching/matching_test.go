package matching

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// ago returns a time before now, as a server writes it.
func ago(before time.Duration) string {
	return time.Now().Add(-before).UTC().Format("2006-01-02T15:04:05.000Z")
}

// match is a value, the cell that it is compared with, and a part of the error; empty: it matches.
type match struct {
	name  string
	found any
	want  string
	wrong string
}

func TestMatches(t *testing.T) {
	expectMatches(t, []match{
		{"equal text", "active", "active", ""},
		{"other text", "active", "invited", `is "active", not invited`},
		{"quoted text that looks like a number", "1", `"1"`, ""},
		{"number", json.Number("12"), "12", ""},
		{"other number", json.Number("12"), "13", "is 12, not 13"},
		{"a number that is named one", json.Number("12"), "number 12", ""},
		{"another number that is named one", json.Number("12"), "number 13", "is 12, not number 13"},
		{"a text is not a number", "12", "number 12", `is "12", not number 12`},
		{"a text that begins like one", "number 12", `"number 12"`, ""},
		{"boolean", true, "true", ""},
		{"a text is not a boolean", "true", "false", "not false"},
		{"null", nil, "null", ""},
		{"absent", Missing{}, "absent", ""},
		{"present is not absent", "", "absent", "not absent"},
		{"null is not absent", nil, "absent", "not absent"},
		{"absent or null: absent", Missing{}, "absent or null", ""},
		{"absent or null: null", nil, "absent or null", ""},
		{"absent or null: text", "x", "absent or null", "not absent or null"},
		{"absent is not a value", Missing{}, "active", "is absent, not active"},
		{"anything", "x", "anything", ""},
		{"anything: empty", "", "anything", "absent, null or empty"},
		{"anything: null", nil, "anything", "absent, null or empty"},
		{"nothing: absent", Missing{}, "nothing", ""},
		{"nothing: null", nil, "nothing", ""},
		{"nothing: empty", "", "nothing", ""},
		{"nothing: a text", "cook", "nothing", `is "cook", not absent, null or empty`},
	})
}

func TestMatchesTimes(t *testing.T) {
	expectMatches(t, []match{
		{"a time", ago(0), "a time", ""},
		{"a time some minutes ago", ago(5 * time.Minute), "a time", ""},
		{"a local time west of UTC", ago(12 * time.Hour), "a time", "is 12h0m0s before now, not about now"},
		{"a local time east of UTC", ago(-14 * time.Hour), "a time", "is 14h0m0s after now, not about now"},
		{"any time", "2026-03-01T10:00:00Z", "any time", ""},
		{"with a fraction", "2026-03-01T10:00:00.123Z", "any time", ""},
		{"any time: absent", Missing{}, "any time", "is absent"},
		{"a time in another zone", "2026-03-01T10:00:00+01:00", "any time", "not a UTC time"},
		{"a time: absent", Missing{}, "a time", "is absent"},
		{"the same instant in other words", "2026-03-01T10:00:00.000Z", "2026-03-01T10:00:00Z", ""},
		{"30 days after", "2026-03-31T10:00:00.5Z", "30 days after deletedAt", ""},
		{"a month after", "2026-04-01T10:00:00.5Z", "30 days after deletedAt", "not 30 days"},
		{"later", "2026-03-01T10:00:00.001Z", "a time after 2026-03-01T10:00:00Z", ""},
		{"the same instant is not later", "2026-03-01T10:00:00.0Z", "a time after 2026-03-01T10:00:00Z",
			"not a time after"},
		{"later than no time", "2026-03-01T10:00:00Z", "a time after lunch", "cannot be judged"},
		{"later: absent", Missing{}, "a time after 2026-03-01T10:00:00Z", "is absent"},
		{"an hour is not 30 minutes", ago(-time.Hour), "30 minutes from now", "not 30 minutes"},
		{"30 minutes", ago(-30 * time.Minute), "30 minutes from now", ""},
		{"days after no time", "2026-04-01T10:00:00Z", "30 days after notATime", "cannot be judged"},
	})
}

func expectMatches(t *testing.T, tests []match) {
	t.Helper()
	siblings := map[string]any{"deletedAt": "2026-03-01T10:00:00.5Z", "notATime": "soon"}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := Matches(test.found, test.want, func(name string) any { return siblings[name] })
			switch {
			case test.wrong == "" && err != nil:
				t.Errorf("unexpected error: it %v", err)
			case test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong)):
				t.Errorf("error %v, want one with %q", err, test.wrong)
			}
		})
	}
}

func TestLookup(t *testing.T) {
	var answer any
	if err := json.Unmarshal([]byte(`{"groups":[{"name":"a"},{"name":"b"}],"snapshot":{"appointments":[]}}`),
		&answer); err != nil {
		t.Fatal(err)
	}
	if got, ok := Lookup(answer, "groups[1].name"); !ok || got != "b" {
		t.Errorf("groups[1].name = %v, %t", got, ok)
	}
	if got, ok := Lookup(answer, "snapshot.appointments"); !ok || len(got.([]any)) != 0 {
		t.Errorf("snapshot.appointments = %v, %t", got, ok)
	}
	for _, path := range []string{"groups[2].name", "groups[-1]", "groups.name", "nothing", "snapshot.appointments.x"} {
		if got, ok := Lookup(answer, path); ok {
			t.Errorf("%s = %v, want nothing", path, got)
		}
	}
}

func TestMatchesOneOfSeveral(t *testing.T) {
	for _, test := range []struct {
		name  string
		found any
		want  string
		wrong string // the error; empty: it matches
	}{
		{"one of two numbers", json.Number("201"), "200 or 201", ""},
		{"none of two numbers", json.Number("202"), "200 or 201", "is 202, not 200 or 201"},
		{"a text is not one of two numbers", "201", "200 or 201", `is "201", not 200 or 201`},
		{"may be absent: absent", Missing{}, "true or absent", ""},
		{"may be absent: as said", true, "true or absent", ""},
		{"may be absent: otherwise", false, "true or absent", "is false, not true"},
	} {
		t.Run(test.name, func(t *testing.T) {
			wrong := ""
			if err := Matches(test.found, test.want, nil); err != nil {
				wrong = err.Error()
			}
			if wrong != test.wrong {
				t.Errorf("it says %q, not %q", wrong, test.wrong)
			}
		})
	}
}
