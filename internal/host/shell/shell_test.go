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

func TestCommand(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  string
	}{
		{[]string{"storespec", "--tags", "~@slow", ""}, `storespec --tags '~@slow' ''`},
		{[]string{"--env", "TOKEN=…"}, `--env TOKEN="${TOKEN:?}"`},
		{[]string{"--header", "x-key: …"}, `--header 'x-key: '"${X_KEY:?}"`},
		{[]string{"--token", "…", "--setup", "…"}, `--token "${TOKEN:?}" --setup "${SETUP:?}"`},
		{[]string{"server", "…", "…"}, `server "${SECRET:?}" "${SECRET_2:?}"`},
		{[]string{"postgres://…@db/x?key=…"}, `postgres://"${POSTGRES:?}"'@db/x?key='"${KEY:?}"`},
		{[]string{"AccountName=a;AccountKey=…;X=y"}, `'AccountName=a;AccountKey='"${ACCOUNTKEY:?}"';X=y'`},
	} {
		if got := Command(test.words); got != test.want {
			t.Errorf("Command(%q) = %s, want %s", test.words, got, test.want)
		}
	}
}
