package familyscheduler

import (
	"math"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// Without limits anyone could fill a mailbox with sign-in links, or send mail to the whole world (FS-ID-6).
const (
	linkWindow      = 15 * time.Minute
	linksPerAddress = 5   // in the window, to one e-mail
	linksPerCaller  = 100 // in the window, from one network address
)

// linkLimits counts the sign-in links of this process by recipient and by caller. The zero value allows none.
type linkLimits struct {
	perAddress, perCaller int

	mu    sync.Mutex
	sent  map[string][]time.Time // the latest ones of each recipient and caller, the newest last
	swept time.Time
}

// take counts a link, unless there were too many. The error is a 429 that says when there is room again.
func (l *linkLimits) take(userKey, caller string, now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	recipient, sender := "to "+userKey, "from "+caller
	wait := max(l.wait(recipient, l.perAddress, now), l.wait(sender, l.perCaller, now))
	if wait > 0 {
		return &web.Error{Status: 429, Code: "too_many_requests", Message: "too many sign-in links; try again later",
			RetryAfter: time.Duration(math.Ceil(wait.Seconds())) * time.Second}
	}
	l.note(recipient, l.perAddress, now)
	l.note(sender, l.perCaller, now)
	return nil
}

// wait returns how long until another link is allowed; 0: it is now.
func (l *linkLimits) wait(whose string, most int, now time.Time) time.Duration {
	sent := l.sent[whose]
	if len(sent) < most {
		return 0
	}
	return sent[len(sent)-most].Add(linkWindow).Sub(now)
}

func (l *linkLimits) note(whose string, most int, now time.Time) {
	sent := slices.Concat(l.sent[whose], []time.Time{now})
	l.sent[whose] = sent[max(0, len(sent)-most):]
}

// sweep forgets, once in a window, those who sent nothing for as long.
func (l *linkLimits) sweep(now time.Time) {
	if l.sent != nil && now.Sub(l.swept) < linkWindow {
		return
	}
	kept := map[string][]time.Time{}
	for whose, sent := range l.sent {
		recent := slices.DeleteFunc(sent, func(t time.Time) bool { return now.Sub(t) >= linkWindow })
		if len(recent) > 0 {
			kept[whose] = recent
		}
	}
	l.sent, l.swept = kept, now
}

// callerOf returns what is counted as one caller: an IPv4 address, or the /64 of an IPv6 address, of which everyone
// has many. What connects from this machine is the proxy that ends TLS; it says last in X-Forwarded-For for whom.
func callerOf(r *http.Request) string {
	address, ok := addressOf(r.RemoteAddr)
	if lists := r.Header.Values("X-Forwarded-For"); ok && address.IsLoopback() && len(lists) > 0 {
		list := lists[len(lists)-1]
		if client, known := addressOf(strings.TrimSpace(list[strings.LastIndex(list, ",")+1:])); known {
			address = client
		}
	}
	if !ok || address.Is4() {
		return address.String()
	}
	network, _ := address.Prefix(64) // every IPv6 address has one
	return network.String()
}

// addressOf reads an IP address that may have a port.
func addressOf(text string) (netip.Addr, bool) {
	address, err := netip.ParseAddr(text)
	if at, withPort := netip.ParseAddrPort(text); withPort == nil {
		address, err = at.Addr(), nil
	}
	return address.Unmap().WithZone(""), err == nil
}
