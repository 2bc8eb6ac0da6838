package emulator

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// Accounts of a file and of the environment, with a second key; no key is printed.
func TestAccountsOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "accounts")
	if err := os.WriteFile(file, []byte("# of the team\n\nteam:a2V5:b3RoZXI=\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *ServeOptions) {
		o.AccountFile, o.AccountList = file, "ours:c2VjcmV0; "+azure.DevelopmentAccount+":bmV3; team:d3Jvbmc="
	})
	if len(s.connections) != 3 {
		t.Fatalf("connection strings %q", s.connections)
	}
	for i, keys := range [][]string{{"c2VjcmV0"}, {"bmV3"}, {"a2V5", "b3RoZXI="}} {
		for n, key := range keys {
			connection := strings.Replace(s.connections[i], "AccountKey=…;", "AccountKey="+key+";", 1)
			work := get
			if n == 0 {
				work = put
			}
			if err := work(t.Context(), connection); connection == s.connections[i] || err != nil {
				t.Errorf("%s: %v", connection, err)
			}
		}
	}
	wrong := strings.Replace(s.connections[2], "AccountKey=…;", "AccountKey=d3Jvbmc=;", 1)
	if err := get(t.Context(), wrong); err == nil {
		t.Error("the key of the environment is taken, which the command line replaces")
	}
	if err := s.end(); err != nil || s.stderr.Len() > 0 {
		t.Errorf("Serve: %v\n%s", err, s.stderr)
	}
}

// The command line takes precedence over the environment, and an account on it over the file.
func TestTheCommandLineWins(t *testing.T) {
	file := filepath.Join(t.TempDir(), "accounts")
	if err := os.WriteFile(file, []byte("team:ZmlsZQ==\nours:ZmlsZQ==\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := ServeOptions{Accounts: []string{"team:ZmxhZw=="}, AccountFile: file,
		AccountList: "team:ZW52;ours:ZW52;theirs:ZW52"}
	accounts, err := o.accounts()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, a := range accounts {
		got[a.name] = a.keys[0]
	}
	want := map[string]string{"team": "ZmxhZw==", "ours": "ZmlsZQ==", "theirs": "ZW52",
		azure.DevelopmentAccount: azure.DevelopmentKey}
	if !maps.Equal(got, want) || len(accounts) != len(want) {
		t.Errorf("accounts %v, want %v", got, want)
	}
}

// Each error names the flag, the file or the variable that has the mistake, and the form; never a key.
func TestBadAccounts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "accounts")
	if err := os.WriteFile(file, []byte("# of the team\nteam:a2V5\nTeam:se.cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const form = "want NAME:KEY or NAME:KEY:KEY2, with the keys in base64"
	for _, c := range []struct {
		o    ServeOptions
		want string
	}{
		{ServeOptions{Accounts: []string{"team:a2V5", "team:se.cret"}}, "--account: account 2: .*team is not base64"},
		{ServeOptions{Accounts: []string{"se.cret"}}, "--account: account 1: "},
		{ServeOptions{Accounts: []string{"se.cret:team"}}, "--account: account 1: .*lower-case letters and digits"},
		{ServeOptions{AccountList: "team:a2V5;; se.cret"}, AccountsVariable + ": account 2: "},
		{ServeOptions{AccountList: "team:a2V5:se.cret"}, AccountsVariable + ": account 1: .*key of team is not base64"},
		{ServeOptions{AccountList: "team:se.cret:a2V5:b"}, AccountsVariable + ": account 1: "},
		{ServeOptions{AccountFile: file}, "--account-file .*accounts: account 2: "},
	} {
		_, err := c.o.accounts()
		if err == nil || !errors.Is(err, ErrUsage) || !regexp.MustCompile(c.want).MatchString(err.Error()) ||
			!strings.HasSuffix(err.Error(), form) || strings.Contains(err.Error(), "se.cret") {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
