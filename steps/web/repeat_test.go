package web

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cucumber/godog"
)

func TestAlikeErrorsOfRequestsThatWereSentTogether(t *testing.T) {
	unsent, failed := fmt.Errorf("%w: no {groupId}", godog.ErrSkip), errors.New("answered 500")
	for name, c := range map[string]struct {
		errs []error
		want string
	}{
		"none":                    {[]error{nil, nil}, "<nil>"},
		"one":                     {[]error{failed, nil}, "answered 500"},
		"two alike":               {[]error{failed, failed, nil}, "2 of 3 requests: answered 500"},
		"not sent":                {[]error{unsent, nil}, unsent.Error()},
		"not sent, and a failure": {[]error{unsent, failed, failed}, "2 of 3 requests: answered 500"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fmt.Sprint(alike(c.errs)); got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}
