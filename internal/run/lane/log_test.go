package lane

import (
	"strings"
	"testing"
)

func TestLeakedNamesWhatItFinds(t *testing.T) {
	secrets := map[string]string{"s-secret-of-ana": "the session id of Ana", "ben@example.com": "the e-mail of Ben"}
	for text, want := range map[string]string{
		"":                               "",
		`{"msg":"request","status":200}`: "",
		"GET /?id=S-SECRET-OF-ANA":       "the session id of Ana",
		"s-secret-of-ana wrote to ben@example.com": "the e-mail of Ben, the session id of Ana",
	} {
		if got := Leaked(text, secrets); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := Leaked(text, secrets); strings.Contains(got, "@") {
			t.Errorf("%q quotes the secret", got)
		}
	}
}
