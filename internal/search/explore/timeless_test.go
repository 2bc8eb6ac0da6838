package explore

import "testing"

func TestWhatChangesNothingButTimes(t *testing.T) {
	row := func(name string, at string) *record {
		return &record{columns: map[string]any{"name": name, "updatedAt": at}}
	}
	doc := func(text string) *record {
		value, ok := parse([]byte(text))
		if !ok {
			t.Fatalf("%s is not JSON", text)
		}
		return &record{columns: map[string]any{"content": value}}
	}
	const early, late = "2026-01-02T08:00:00Z", "2026-01-03T08:00:00Z"
	wider := row("Team", early)
	wider.columns["extra"] = true
	for name, c := range map[string]struct {
		before, after *record
		want          bool
	}{
		"another time":      {row("Team", early), row("Team", late), true},
		"another name":      {row("Team", early), row("Choir", early), false},
		"one column more":   {row("Team", early), wider, false},
		"a time for a name": {row("Team", early), row(late, early), false},
		"a new row":         {nil, row("Team", early), false},
		"a row less":        {row("Team", early), nil, false},
		"a time in a document": {doc(`{"a":[{"at":"2026-01-02T08:00:00Z","n":1}]}`),
			doc(`{"a":[{"at":"2026-01-02T09:00:00Z","n":1}]}`), true},
		"a number in a document": {doc(`{"a":[{"n":1}]}`), doc(`{"a":[{"n":2}]}`), false},
		"an item less":           {doc(`{"a":[1,2]}`), doc(`{"a":[1]}`), false},
	} {
		if got := onlyTimes([]change{{"T", "key", c.before, c.after}}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
