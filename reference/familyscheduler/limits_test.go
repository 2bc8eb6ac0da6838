package familyscheduler

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/storespec/storespec/reference/web"
)

func TestLinksAreLimitedByRecipientAndByCaller(t *testing.T) {
	limits := &linkLimits{perAddress: 2, perCaller: 3}
	start := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for i, step := range []struct {
		recipient, caller string
		after, wait       time.Duration
	}{
		{"ana", "1.1.1.1", 0, 0},
		{"ana", "1.1.1.1", time.Minute, 0},
		{"ana", "2.2.2.2", 2 * time.Minute, 13 * time.Minute}, // the first makes room
		{"ben", "1.1.1.1", 3 * time.Minute, 0},
		{"cleo", "1.1.1.1", 4 * time.Minute, 11 * time.Minute},
		{"cleo", "2.2.2.2", 4*time.Minute + time.Millisecond, 0},
		{"ana", "1.1.1.1", 15*time.Minute - time.Millisecond, time.Second}, // whole seconds, at least one
		{"ana", "1.1.1.1", 15 * time.Minute, 0},
		{"ana", "2.2.2.2", 15*time.Minute + time.Second, 59 * time.Second},
		{"ana", "2.2.2.2", time.Hour, 0},
	} {
		err := limits.take(step.recipient, step.caller, start.Add(step.after))
		var refused *web.Error
		switch {
		case step.wait == 0 && err != nil:
			t.Errorf("link %d: %v", i, err)
		case step.wait > 0 && (!errors.As(err, &refused) || refused.Status != 429 || refused.RetryAfter != step.wait):
			t.Errorf("link %d: %+v, want a 429 with %v", i, refused, step.wait)
		}
	}
	if len(limits.sent) != 2 {
		t.Errorf("%d recipients and callers are remembered after an hour, want the 2 of the last link",
			len(limits.sent))
	}
}

func TestCallersAreNetworks(t *testing.T) {
	for _, test := range []struct{ remote, forwarded, want string }{
		{"192.0.2.7:4711", "", "192.0.2.7"},
		{"192.0.2.7:4711", "198.51.100.1", "192.0.2.7"}, // anybody can say that
		{"[::ffff:192.0.2.7]:4711", "", "192.0.2.7"},
		{"[2001:db8:1:2:3:4:5:6]:4711", "", "2001:db8:1:2::/64"},
		{"[fe80::1%eth0]:4711", "", "fe80::/64"},
		{"127.0.0.1:4711", "", "127.0.0.1"},
		{"127.0.0.1:4711", "192.0.2.7, 198.51.100.1:99", "198.51.100.1"},
		{"[::1]:4711", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
		{"127.0.0.1:4711", "unknown", "127.0.0.1"},
		{"pipe", "198.51.100.1", "invalid IP"},
	} {
		r := &http.Request{RemoteAddr: test.remote, Header: http.Header{}}
		if test.forwarded != "" {
			r.Header.Set("X-Forwarded-For", test.forwarded)
		}
		if got := callerOf(r); got != test.want {
			t.Errorf("callerOf(%q, %q) = %q, want %q", test.remote, test.forwarded, got, test.want)
		}
	}
}
