package main

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
		{"env", "URL=http://me:s3cret@host/{port}", "URL=http://…@host/{port}"},
		{"env", "STORE=AccountName=a;AccountKey=s3cret", "STORE=AccountName=a;AccountKey=…"},
	} {
		got := shown(c.flag, c.value)
		if got != c.want || strings.Contains(got, "s3cret") {
			t.Errorf("--%s %q is shown as %q, not %q", c.flag, c.value, got, c.want)
		}
	}
}
