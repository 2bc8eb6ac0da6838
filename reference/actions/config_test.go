package actions

import (
	"strings"
	"testing"
)

func TestNamesOfContainers(t *testing.T) {
	for name, want := range map[string]bool{
		"abc": true, "a-b": true, "2026-history": true, strings.Repeat("a", 63): true, strings.Repeat("a-", 31) +
			"a": true,
		"ab": false, "": false, "-ab": false, "ab-": false, "a--b": false, "Abc": false, "a_b": false, "abc\n": false,
		strings.Repeat("a", 64): false, strings.Repeat("a-", 32) + "a": false,
	} {
		if got := isContainerName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
