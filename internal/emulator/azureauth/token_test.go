package azureauth

import "testing"

func TestTakesToken(t *testing.T) {
	for audience, want := range map[string]bool{
		"https://storage.azure.com":                  true,
		"https://storage.azure.com/":                 true,
		"e406a681-f3d4-42a8-90b6-c2b029497af1":       true,
		"https://acct.table.core.windows.net":        true,
		"https://acct.table.core.windows.net/":       true,
		"https://acct.blob.core.windows.net":         false,
		"https://other.table.core.windows.net":       false,
		"https://acct.table.core.windows.net.a.test": false,
		"https://storage.azure.com/.default":         false,
		"https://vault.azure.net":                    false,
		"":                                           false,
	} {
		if got := TakesToken(audience, "acct", "table"); got != want {
			t.Errorf("%q: %t", audience, got)
		}
	}
}
