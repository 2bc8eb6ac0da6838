package emulator

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// hosts are the names under which the services answer. A page of another site reaches them through a name of its own
// that it lets point to this machine (DNS rebinding); the Host header then has that name.
type hosts struct {
	allowed  []string // in lower case; "*": all
	accounts []string
}

// The domains of addresses that name the account, which no one can point elsewhere.
// https://learn.microsoft.com/azure/storage/common/storage-account-overview#standard-endpoints
var accountDomains = []string{".core.windows.net", ".storage.azure.net", ".core.chinacloudapi.cn",
	".core.usgovcloudapi.net"}

// allow adds names that the user wants to reach the services by.
func (h *hosts) allow(names []string) {
	for _, name := range names {
		h.allowed = append(h.allowed, strings.ToLower(strings.Trim(name, ".")))
	}
}

// with returns these names and one more.
func (h *hosts) with(name string) *hosts {
	return &hosts{allowed: append(slices.Clone(h.allowed), name), accounts: h.accounts}
}

// localDomains are names that cannot be registered: those of this machine, and those of private networks, as Docker
// (host.docker.internal), Podman and Google's and Amazon's machines have them.
var localDomains = []string{"localhost", "internal"}

// allows reports whether a Host header names this machine, an account, or what the user has allowed.
func (h *hosts) allows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	name := strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if name == "" {
		return true
	}
	if _, err := netip.ParseAddr(name); err == nil { // no name is looked up
		return true
	}
	if within(name, localDomains) || within(name, h.allowed) {
		return true
	}
	for _, domain := range accountDomains {
		rest, ours := strings.CutSuffix(name, domain)
		account, _, found := strings.Cut(rest, ".")
		for _, known := range h.accounts {
			if ours && found && strings.TrimSuffix(account, "-secondary") == known {
				return true
			}
		}
	}
	return false
}

// within reports whether a name is that of a domain or below it.
func within(name string, domains []string) bool {
	return slices.ContainsFunc(domains, func(domain string) bool {
		above, found := strings.CutSuffix(name, domain)
		return domain == "*" || found && (above == "" || strings.HasSuffix(above, "."))
	})
}

// guard refuses a request for a name that is not allowed.
func (h *hosts) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.allows(r.Host) {
			w.Header().Set("Connection", "close")
			http.Error(w, fmt.Sprintf("storespec: the emulator does not answer to the host %q; if it is yours, start "+
				"it with --allow-host", r.Host), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
