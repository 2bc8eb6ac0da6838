package azure

import (
	"net"
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azuresign"
)

// Service is one of an account's services, spelled as in its host names.
type Service = azuresign.Service

// The services of an emulator.
const (
	Table = azuresign.Table
	Blob  = azuresign.Blob
)

// secondarySuffix marks the read-only copy of an account, in both styles of address.
// https://learn.microsoft.com/azure/storage/common/storage-redundancy#read-access-to-data-in-the-secondary-region
const secondarySuffix = "-secondary"

// address is the destination of a request.
type address struct {
	account   string
	path      string // below the account, still encoded, without the leading slash
	secondary bool
}

// splitAddress parses a host and a raw path. With a host of the form account.table.core.windows.net or
// account.table.localhost the account is the host's first label (in DNS zones the service is not the second:
// account.z01.blob.storage.azure.net). Otherwise (an IP address, localhost, the name of a Docker container) it is the
// path's first segment, as in emulators.
func splitAddress(service Service, host, path string) address {
	var a address
	path = strings.TrimPrefix(path, "/")
	if hostNamesAccount(service, host) {
		a.account, _, _ = strings.Cut(host, ".")
		a.path = path
	} else {
		a.account, a.path, _ = strings.Cut(path, "/")
	}
	if name, ok := strings.CutSuffix(a.account, secondarySuffix); ok {
		a.account, a.secondary = name, true
	}
	return a
}

func hostNamesAccount(service Service, host string) bool {
	if host == "" || host[0] == '[' || (host[0] >= '0' && host[0] <= '9' && net.ParseIP(withoutPort(host)) != nil) {
		return false
	}
	_, rest, found := strings.Cut(withoutPort(host), ".")
	for found {
		var label string
		label, rest, found = strings.Cut(rest, ".")
		if strings.EqualFold(label, string(service)) {
			return true
		}
	}
	return false
}

func withoutPort(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && strings.IndexByte(host[i:], ']') < 0 {
		return host[:i]
	}
	return host
}

// targetParts splits a request target into its host (empty unless it is in absolute form), its path
// and its query, all as sent.
func targetParts(target string) (host, path string, query Query) {
	if scheme, rest, ok := strings.Cut(target, "://"); ok && !strings.ContainsAny(scheme, "/?") {
		i := strings.IndexAny(rest, "/?")
		if i < 0 {
			i = len(rest)
		}
		host, target = rest[:i], rest[i:]
	}
	path, raw, _ := strings.Cut(target, "?")
	return host, path, Query(raw)
}

// UnescapePath decodes a path or a part of one; an invalid encoding is left as it is.
func UnescapePath(s string) string {
	if d, err := url.PathUnescape(s); err == nil {
		return d
	}
	return s
}
