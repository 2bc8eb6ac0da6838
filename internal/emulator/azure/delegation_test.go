package azure

import (
	"strings"
	"testing"
)

// What is signed grew with the versions.
func TestDelegatedText(t *testing.T) {
	for version, lines := range map[string]int{"2018-11-09": 20, "2020-02-10": 23, "2020-12-06": 24, "2025-07-05": 26} {
		s := &signature{sv: version, sp: "r", sr: "b", scid: "mine"}
		req := &Request{Service: Blob, Account: &Account{Name: "acct"}, Path: "c/b"}
		text := s.delegatedText(req, false)
		if got := len(strings.Split(text, "\n")); got != lines {
			t.Errorf("%s: %d lines, want %d", version, got, lines)
		}
		if signs := strings.Contains(text, "\nmine\n"); signs != (version >= delegationObjects) {
			t.Errorf("%s: scid is signed: %v", version, signs)
		}
		if got := len(strings.Split(s.delegatedText(req, true), "\n")); got != lines+2 {
			t.Errorf("%s, dynamic: %d lines, want %d", version, got, lines+2)
		}
	}
}
