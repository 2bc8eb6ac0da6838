package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/source"
)

func environment(name string) (string, bool) {
	value, found := map[string]string{"TOKEN": "s3cret", "EMPTY": ""}[name]
	return value, found
}

func read(t *testing.T, text string) (*File, error) {
	t.Helper()
	directory := t.TempDir()
	if err := os.Mkdir(filepath.Join(directory, "features"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(directory, Name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Read(path)
}

func TestRead(t *testing.T) {
	f, err := read(t, "systems: notes\nfeatures: features\ncommand: node server.js --quiet\nstore: auto\n"+
		"env: {URL: '{tables}?t=${TOKEN}', NONE: 'x${EMPTY}'}\n"+
		"flags: {baseline: known.yaml, without: [a, b], parallel: 4}\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"node", "server.js", "--quiet"}, f.Command); diff != "" {
		t.Error(diff)
	}
	if f.Features != filepath.Join(f.Directory(), "features") || f.Store != "auto" || f.Systems[0] != "notes" {
		t.Errorf("read %+v", f)
	}
	for i, want := range []string{"{tables}?t=s3cret", "x"} {
		if got, err := f.Expanded(f.Env[i], "env", environment); err != nil || got[0] != want {
			t.Errorf("%s became %q: %v", f.Env[i].Values[0], got, err)
		}
	}
	if !f.Env[0].Confidential || f.Env[1].Confidential {
		t.Errorf("env %v", f.Env)
	}
	if f.Flags[1].Name != "without" || !cmp.Equal(f.Flags[1].Values, []string{"a", "b"}) ||
		f.Flags[2].Values[0] != "4" {
		t.Errorf("flags %v", f.Flags)
	}
	if f, err := read(t, "command: [sh, -c, 'exec a; b']"); err != nil || f.Command[2] != "exec a; b" {
		t.Errorf("a list: %v", err)
	}
	if _, err := read(t, ""); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}

func TestEveryMistakeIsReported(t *testing.T) {
	_, err := read(t, "feature: features\nfeatures: nowhere\ncommand: a && b\n"+
		"env: {B: [x, y], C: {}}\nflags: 7\n")
	found, rest := source.All(err)
	var got []string
	for _, one := range found {
		where := strings.TrimPrefix(one.Where(), filepath.Dir(one.File)+string(filepath.Separator)+Name+":")
		got = append(got, where+" "+strings.ReplaceAll(one.Reason, filepath.Dir(one.File)+"/", ""))
	}
	want := []string{
		`1:1 the project file has an unknown key "feature"; did you mean features?`,
		"2:11 features: nowhere is not a directory",
		`3:10 command is for a shell: write it as a list of words, such as [sh, -c, "exec bin/server"]`,
		"4:10 env: B must be one text",
		"4:21 env: C must be a text, or a list of texts",
		"5:8 flags must be a mapping with ",
	}
	if diff := cmp.Diff(want, got); diff != "" || rest != nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("reported (-want +got):\n%s%v", diff, rest)
	}
}

func TestOnlyWhatIsExpandedMustBeSet(t *testing.T) {
	f, err := read(t, "flags: {header: ['a: ${TOKEN}', '${NOT_SET}: ${NOR_THIS}'], by-hand: '${EMPTY}'}\n")
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Expanded(f.Flags[0], "flags", environment)
	want := f.Path + ":1:17: flags: header: the environment has no variable NOT_SET, NOR_THIS"
	if err == nil || err.Error() != want {
		t.Errorf("unset variables: %v, want %s", err, want)
	}
	if values, err := f.Expanded(f.Flags[1], "flags", environment); err != nil || values[0] != "" {
		t.Errorf("a variable that is set, but empty: %q, %v", values, err)
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	for _, directory := range []string{deep, filepath.Join(root, "a", ".git")} {
		if err := os.MkdirAll(directory, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put := func(parts ...string) string {
		path := filepath.Join(append([]string{root}, parts...)...)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	above := put(Name)
	if found := Find(deep); found != "" {
		t.Errorf("found %s above the repository", found)
	}
	inside := put("a", Name)
	if found := Find(deep); found != inside {
		t.Errorf("found %q, not that of the repository", found)
	}
	nearest := put("a", "b", Name)
	if found := Find(deep); found != nearest {
		t.Errorf("found %q, not the nearest", found)
	}
	if found := Find(root); found != above {
		t.Errorf("found %q outside of a repository", found)
	}
}
