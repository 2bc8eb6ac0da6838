package command

import (
	"strings"
	"testing"
)

func TestWhatIsShownOfFlags(t *testing.T) {
	for _, c := range []struct{ flag, value, want string }{
		{"setup", "make tables", "make tables"},
		{"setup", "migrate --token s3cret", "migrate --token …"},
		{"setup", "TOKEN=s3cret migrate", "…"},
		{"oracle", "server --api-key s3cret", "server --api-key …"},
		{"header", "X-Key: s3cret", "X-Key: …"},
		{"env", "STORE={tables}", "STORE={tables}"},
		{"env", "TOKEN=s3cret", "TOKEN=…"},
		{"env", "TOKEN=a s3cret with spaces", "TOKEN=…"},
		{"env", "NODE_ENV=test", "NODE_ENV=test"},
		{"env", "LOG_LEVEL=debug", "LOG_LEVEL=debug"},
		{"env", "PORT=8080", "PORT=8080"},
		{"env", "VERBOSE=true", "VERBOSE=true"},
		{"env", "REGION=us-east-1", "REGION=us-east-1"},
		{"env", "LISTEN=127.0.0.1:{port}", "LISTEN=127.0.0.1:{port}"},
		{"env", "URL=http://localhost:{port}/api", "URL=http://localhost:{port}/api"},
		{"env", "EMPTY=", "EMPTY="},
		{"env", "API_KEY_PROD=s3cret", "API_KEY_PROD=…"},
		{"env", "DB_PIN=1234", "DB_PIN=…"},
		{"env", "SIGNS=s3cret", "SIGNS=…"},
		{"env", "LICENCE=6fa459ea-ee8a-3ca4-894e-77db873e4afe", "LICENCE=…"},
		{"env", "OTHER=correct-horse-battery-staple", "OTHER=…"},
		{"env", "OTHER={port}:dGhpcyBpcw", "OTHER=…"},
		{"env", "URL=http://me:s3cret@host/{port}", "URL=…"},
		{"env", "URL=http://me:pass@host/{port}", "URL=http://…@host/{port}"},
		{"env", "STORE=AccountName=a;AccountKey=s3cret", "STORE=…"},
	} {
		got := shown(c.flag, c.value)
		if got != c.want || strings.Contains(got, "s3cret") {
			t.Errorf("--%s %q is shown as %q, not %q", c.flag, c.value, got, c.want)
		}
	}
}
