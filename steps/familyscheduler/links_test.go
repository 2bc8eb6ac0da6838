package familyscheduler

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

func tokenOf(content, secret string) string {
	first := base64.RawURLEncoding.EncodeToString([]byte(content))
	return first + "." + base64.RawURLEncoding.EncodeToString(signed(first, secret))
}

func expired(token, secret string, at int64) (string, error) {
	return signedAgain(token, secret, func(claims map[string]any) error { return expire(claims, time.Unix(at, 0)) })
}

func TestAnExpiredLinkHasBothTimesMovedAndIsSignedAgain(t *testing.T) {
	got, err := expired(tokenOf(`{"exp":5000,"iat":4100,"sub":"a","v":1}`, "secret"), "secret", 4000)
	if err != nil {
		t.Fatal(err)
	}
	if want := tokenOf(`{"exp":4000,"iat":3100,"sub":"a","v":1}`, "secret"); got != want {
		t.Errorf("token %s, want %s", got, want)
	}
}

func TestALinkIsLeftAloneThatCannotBeSigned(t *testing.T) {
	for name, test := range map[string]struct{ token, why string }{
		"another secret": {tokenOf(`{"exp":5000,"iat":4100}`, "other"), "not signed with"},
		"another form":   {"0123456789abcdef", "not signed with"},
		"no JSON":        {tokenOf("5000", "secret"), "no JSON object"},
		"no times":       {tokenOf(`{"iat":4100,"exp":"soon"}`, "secret"), "no exp"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := expired(test.token, "secret", 4000); err == nil ||
				!strings.Contains(err.Error(), test.why) {
				t.Errorf("error %v, want one with %q", err, test.why)
			}
		})
	}
}
