package scenario

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
)

func TestScrubTakesSecretsOut(t *testing.T) {
	w := newWorld(&Stage{
		lane: &lane.Lane{Maker: &lane.Maker{
			System:  system.System{SecretBlobs: regexp.MustCompile(`(sessions|magic-links)/[\w.-]+`)},
			Fitting: lane.Fitting{Header: http.Header{"X-Functions-Key": {"k3y/of=function"}, "X-Env": {"dev"}}},
		}},
	}, "")
	w.People.byName["Ana"] = &Person{Name: "Ana", Email: "ana.x1@example.com", Session: "s-ABCDEF"}
	w.Names.kept = map[string]string{"AnaToken": "eyJ2.sig", "Hunt": "hunt-1"}
	tests := []struct{ name, text, want string }{
		{"a person's e-mail", `email is "ana.x1@example.com"`, `email is "<e-mail of Ana>"`},
		{"any other e-mail", "sent to friend+1@mail.example.org", "sent to <e-mail>"},
		{"an e-mail in an address", "GET /photo?email=ana.x1%40example.com&b=c", "GET /photo?email=<e-mail>&b=c"},
		{"a person's session", "state/familyscheduler/sessions/s-ABCDEF.json",
			"state/familyscheduler/sessions/<secret>"},
		{"a session in a text", "the session s-ABCDEF has ended", "the session <session of Ana> has ended"},
		{"an unnamed session", "read of state/familyscheduler/sessions/guest_42.json: 200",
			"read of state/familyscheduler/sessions/<secret>: 200"},
		{"a used link", "state/familyscheduler/magic-links/jti1.json", "state/familyscheduler/magic-links/<secret>"},
		{"a token", "token eyJ2.sig", "token <AnaToken>"},
		{"a header for the target", "refused k3y/of=function in dev", "refused <header X-Functions-Key> in dev"},
		{"the key of an account", `in "AccountName=a;AccountKey=a2V5==;EndpointSuffix=x"`,
			`in "AccountName=a;AccountKey=…;EndpointSuffix=x"`},
		{"a signature", "GET https://a/x?sv=1&sig=a%2Bb&se=2 and SharedAccessSignature=sv=1&sig=abc",
			"GET https://a/x?sv=1&sig=…&se=2 and SharedAccessSignature=…&sig=…"},
		{"what is not secret stays", "ignite/hunt-1/session.json", "ignite/hunt-1/session.json"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := w.Names.Scrub(test.text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
