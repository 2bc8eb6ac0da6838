package azure

import (
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azureauth"
)

// Service is one of an account's services, spelled as in its host names.
type Service = azureauth.Service

// The services of an emulator.
const (
	Table = azureauth.Table
	Blob  = azureauth.Blob
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

// splitAddress parses a host and a raw path. The account is the host's first label or the path's first segment.
func splitAddress(service Service, host, path string) address {
	var a address
	path = strings.TrimPrefix(path, "/")
	if azureauth.HostNamesAccount(service, host) {
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
