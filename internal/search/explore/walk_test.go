package explore

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/source/yamldoc"
	"github.com/storespec/storespec/steps"
)

func TestTokenHoldsAWalk(t *testing.T) {
	w := &Walk{System: "notes", Some: []int{1}, Steps: []Step{
		{ID: 1, Person: "Ana", Method: "POST", Path: "/notes", Body: map[string]any{"n": json.Number("1")}},
		{ID: 2, Person: "Ben", Method: "GET", Path: "/notes/{id}", At: map[string]string{"id": "$1.id"}},
	}}
	read, err := Parse(w.Token())
	if err != nil {
		t.Fatal(err)
	}
	if read.Token() != w.Token() || len(read.Steps) != 2 {
		t.Errorf("%+v is not %+v", read, w)
	}
	for _, wrong := range []string{"", "no token", w.Token()[:20]} {
		if _, err := Parse(wrong); err == nil {
			t.Errorf("%q is read", wrong)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add((&Walk{System: "notes"}).Token())
	f.Fuzz(func(_ *testing.T, token string) {
		if w, err := Parse(token); err == nil {
			_ = w.Token()
		}
	})
}

func TestSpliceKeepsReferences(t *testing.T) {
	make := func() *Walk {
		return &Walk{Steps: []Step{
			{ID: 1, Method: "POST", Path: "/a"},
			{ID: 2, Method: "GET", Path: "/a/{id}", At: map[string]string{"id": "$1.id"}},
			{ID: 4, Method: "POST", Path: "/a", Again: 1},
		}}
	}
	joined := splice(make(), make(), 2, 0)
	if got := joined.Steps[3].At["id"]; got != "$4.id" {
		t.Errorf("the reference is %s", got)
	}
	if got := joined.Steps[4]; got.ID != 7 || got.Again != 4 {
		t.Errorf("the step has the ID %d and repeats %d", got.ID, got.Again)
	}
}

func TestValuesKeepTheSpellingOfNumbers(t *testing.T) {
	text := "values:\n  v: [1.0, 1e-400, 10000000000000000000001, 7, \"7\", {a: [0.10]}, null, true, x]\n"
	s, err := ReadSpec(fstest.MapFS{"notes/explore.yaml": {Data: []byte(text)}}, "", system.System{Name: "notes"},
		scenario.NewVocabulary(steps.Themes()))
	if err != nil {
		t.Fatal(err)
	}
	got := compact(s.Values["v"])
	if want := `[1.0,1e-400,10000000000000000000001,7,"7",{"a":[0.10]},null,true,"x"]`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

func TestReadSpecSaysWhatIsWrong(t *testing.T) {
	vocabulary := scenario.NewVocabulary(steps.Themes())
	for _, c := range []struct{ name, text, want string }{
		{"an unknown key", "peple: [Ana]", `notes/explore.yaml:1:1: the description has an unknown key "peple"`},
		{"an unknown step", "setup: Given Ana is happy", "no step reads"},
		{"a freedom without a reason", "freedoms:\n  - {what: message, of: '*'}", "a freedom must say why"},
		{"no YAML", "a: [", "notes/explore.yaml:1:"},
		{"people that are not a list", "people: 7", "people:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{"notes/explore.yaml": {Data: []byte(c.text)}}
			_, err := ReadSpec(files, "", system.System{Name: "notes"}, vocabulary)
			if _, is := errors.AsType[*yamldoc.Error](err); !is || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v does not say %q", err, c.want)
			}
		})
	}
	if s, err := ReadSpec(fstest.MapFS{}, "", system.System{Name: "notes"}, vocabulary); err != nil || s == nil {
		t.Errorf("without a file: %v", err)
	}
}
