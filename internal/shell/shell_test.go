package shell

import "testing"

func TestWord(t *testing.T) {
	for text, want := range map[string]string{
		"":             "''",
		"notes":        "notes",
		"./-dash":      "./-dash",
		"Ärger/notes":  "Ärger/notes",
		"--tags":       "--tags",
		"NAME={x}":     "'NAME={x}'",
		"A=b":          "A=b",
		"=ls":          "'=ls'",
		"~@slow":       "'~@slow'",
		"two words":    "'two words'",
		"it's":         `'it'\''s'`,
		"$HOME `id`":   "'$HOME `id`'",
		`{"name":"a"}`: `'{"name":"a"}'`,
	} {
		if got := Word(text); got != want {
			t.Errorf("Word(%q) = %s, want %s", text, got, want)
		}
	}
}
