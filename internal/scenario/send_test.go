package scenario

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cucumber/godog"
)

// A request that could not be sent does not excuse what another one did.
func TestJoined(t *testing.T) {
	unsent, failed := fmt.Errorf("%w: no {groupId}", godog.ErrSkip), errors.New("got no answer")
	for name, c := range map[string]struct {
		errs          []error
		skips, failed bool
	}{
		"nothing":                 {nil, false, false},
		"no errors":               {[]error{nil, nil}, false, false},
		"not sent":                {[]error{unsent, nil}, true, false},
		"none of them sent":       {[]error{unsent, unsent}, true, false},
		"not sent, and a failure": {[]error{unsent, failed}, false, true},
		"a failure, and not sent": {[]error{failed, nil, unsent}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			err := Joined(c.errs...)
			if errors.Is(err, godog.ErrSkip) != c.skips || errors.Is(err, failed) != c.failed ||
				(err == nil) == (c.skips || c.failed) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestWhichBodiesAreJSON(t *testing.T) {
	for contentType, want := range map[string]bool{
		"application/json": true, "application/json; charset=utf-8": true, "application/problem+json": true,
		"application/jsonl": false, "text/html": false, "": false,
	} {
		if got := isJSON(contentType); got != want {
			t.Errorf("%q: %v", contentType, got)
		}
	}
}
