package tools

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestLocalFileIsReadAsAShellDoes(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct{ content, want string }{
		{"", ""},
		{"# nothing\n\n", ""},
		{"A=1", "A 1"},
		{"A=1\r\nB=two words # said\n", "A 1, B two words"},
		{"export A='#1'\nB=\n", "A #1, B "},
		{"A=\"two\nlines\"\n", "A two\nlines"},
		{"A=postgres://x:y@z/?a=b", "A postgres://x:y@z/?a=b"},
		{"A", ".env.local:1: this line cannot be read"},
		{"A=1\n\n# c\nB C=2\nD=3\n", ".env.local:4: this line cannot be read"},
		{"A=1\nB=\"2\nC=3\nD=4", ".env.local:2: this line cannot be read"},
		{"A=1\n=2\n", ".env.local:2: this line cannot be read"},
		{"\xff\xfe", ".env.local:1: this line cannot be read"},
	} {
		if err := os.WriteFile(localFile, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		variables, err := readLocalFile()
		var got []string
		for name, value := range variables {
			got = append(got, name+" "+value)
		}
		slices.Sort(got)
		text := strings.Join(got, ", ")
		if err != nil {
			text = err.Error()
		}
		if text != test.want {
			t.Errorf("%q: %q, not %q", test.content, text, test.want)
		}
	}
}

func FuzzLocalFile(f *testing.F) {
	f.Add("A=1\nB=\"2\"\n")
	f.Add("export A='$B' # c\r\nB: 2")
	f.Fuzz(func(t *testing.T, content string) {
		variables, err := parseLocal(content)
		for name := range variables {
			if err == nil && !variableForm.MatchString(name) {
				t.Errorf("%q is a variable", name)
			}
		}
	})
}
