package c4lendar

import (
	"strings"
	"testing"
)

// The token was encrypted by Node's WebCrypto, with the design's own code.
func TestOpen(t *testing.T) {
	const (
		key    = "0123456789abcdef0123456789abcdef-its-rest-is-not-used"
		stored = "AQIDBAUGBwgJCgsMfI13XEWPlZps9xej7G6ULZCCk40lZXrKt4lg13B02g=="
	)
	tests := []struct {
		name, key, stored string
		want, wrong       string // a part of the error; "": none
	}{
		{"as the design has it", key, stored, "refresh-of-node", ""},
		{"another key", strings.ToUpper(key), stored, "", "cannot be decrypted"},
		{"another tag", key, strings.Replace(stored, "02g==", "02w==", 1), "", "cannot be decrypted"},
		{"without padding", key, strings.TrimRight(stored, "="), "", "not standard base64"},
		{"shorter than an IV", key, "AQID", "", "fewer than an IV"},
		{"an IV and nothing else", key, "AQIDBAUGBwgJCgsM", "", "cannot be decrypted"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := connection{Token: test.stored}.open(test.key)
			if got != test.want || (err == nil) != (test.wrong == "") {
				t.Fatalf("got %q, %v", got, err)
			}
			if err != nil && !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("the error is %q, without %q", err, test.wrong)
			}
		})
	}
}
