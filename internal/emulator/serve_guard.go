package emulator

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// bodyPatience is how long a client may take to send the next part of a body that it has announced. An upload that goes
// on, however slowly, is not ended.
const bodyPatience = 30 * time.Second

// patient bounds the wait for the next part of a body: a client that announces one and never sends it would hold its
// connection, and what serves it, for ever. The bound also holds for what the server reads of a body that nobody asked
// for.
func patient(next http.Handler, patience time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			body := &awaitedBody{ReadCloser: r.Body, control: http.NewResponseController(w), patience: patience}
			body.wait()
			bounded := *r // the server looks at the body that it made
			bounded.Body, r = body, &bounded
		}
		next.ServeHTTP(w, r)
	})
}

// awaitedBody is a body whose every read has a deadline.
type awaitedBody struct {
	io.ReadCloser
	control  *http.ResponseController
	patience time.Duration
	deadline time.Time // zero: none is set
}

// wait gives the next read its time. A deadline of which less than half is used is kept, so that reads of what is there
// already cost nothing.
func (b *awaitedBody) wait() {
	if now := time.Now(); b.deadline.Sub(now) < b.patience/2 {
		b.deadline = now.Add(b.patience)
		_ = b.control.SetReadDeadline(b.deadline) // a connection without deadlines waits
	}
}

func (b *awaitedBody) Read(p []byte) (int, error) {
	b.wait()
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.deadline = time.Time{}
		_ = b.control.SetReadDeadline(b.deadline) // what serves the request may take its time
	}
	return n, err
}

// hosts are the names under which the services answer. A page of another site reaches them through a name of its own
// that it lets point to this machine (DNS rebinding); the Host header then has that name.
type hosts struct {
	allowed  []string // in lower case; "*": all
	accounts []string
}

// The domains of addresses that name the account, which nobody can let point elsewhere.
// https://learn.microsoft.com/azure/storage/common/storage-account-overview#standard-endpoints
var accountDomains = []string{".core.windows.net", ".storage.azure.net"}

// allow adds names that the user wants to reach the services by.
func (h *hosts) allow(names []string) {
	for _, name := range names {
		h.allowed = append(h.allowed, strings.ToLower(strings.Trim(name, ".")))
	}
}

// workerdHost is the name under which workerd asks for a key of Workers KV; nobody can let it point anywhere.
const workerdHost = "fake-host"

// allows reports whether a Host header names this machine, an account, or what the user has allowed.
func (h *hosts) allows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	name := strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if name == "" || name == workerdHost || name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if _, err := netip.ParseAddr(name); err == nil { // no name is looked up
		return true
	}
	for _, allowed := range h.allowed {
		if allowed == "*" || name == allowed || strings.HasSuffix(name, "."+allowed) {
			return true
		}
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
