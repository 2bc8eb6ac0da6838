package matching

import (
	"maps"
	"testing"
)

func TestPatternsMatchWholeTexts(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		given, want   map[string]string // want nil: it does not match
	}{
		{"group", "group", nil, map[string]string{}},
		{"group", "groups", nil, nil},
		{"<group>", "a/b\nc", nil, map[string]string{"group": "a/b\nc"}},
		{"<group>", "", nil, nil},
		{"CAL#<calendar>", "CAL#7", nil, map[string]string{"calendar": "7"}},
		{"CAL#<calendar>", "USER#7", nil, nil},
		{"<a>:<b>", "x:y:z", nil, map[string]string{"a": "x", "b": "y:z"}},
		{"<a>:<a>", "x:x", nil, map[string]string{"a": "x"}},
		{"<a>:<a>", "x:y", nil, nil},
		{"<a>", "x", map[string]string{"a": "x"}, map[string]string{"a": "x"}},
		{"<a>", "y", map[string]string{"a": "x"}, nil},
		{"a.c", "abc", nil, nil},
	} {
		p, err := NewPattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := p.Match(c.text, c.given)
		if ok != (c.want != nil) || !maps.Equal(got, c.want) {
			t.Errorf("%s of %q: %v, %t, not %v", c.pattern, c.text, got, ok, c.want)
		}
	}
	if _, err := NewPattern("a<x><y>"); err == nil {
		t.Error("two variables that touch are taken")
	}
}

func TestFillNamesWhatIsUnknown(t *testing.T) {
	known := func(name string) (string, bool) { return "7", name == "a" }
	if got, err := Fill("CAL#<a>/<a>", known); err != nil || got != "CAL#7/7" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Fill("<a><b>", known); err == nil || err.Error() != "nothing gives a value for <b>" {
		t.Errorf("the error is %v", err)
	}
}
