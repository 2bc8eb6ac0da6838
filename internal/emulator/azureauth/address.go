package azureauth

import (
	"iter"
	"net"
	"net/url"
	"strings"
)

// HostNamesAccount reports whether a host is of the form account.table.core.windows.net or account.blob.localhost,
// whose first label is the account. In DNS zones the service is not the second label:
// account.z01.blob.storage.azure.net. Otherwise (an IP address, localhost, the name of a container) the account is the
// first segment of the path, as in emulators.
func HostNamesAccount[S ~string](service S, host string) bool {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && strings.IndexByte(host[i:], ']') < 0 {
		host = host[:i]
	}
	if host == "" || host[0] == '[' || (host[0] >= '0' && host[0] <= '9' && net.ParseIP(host) != nil) {
		return false
	}
	_, rest, found := strings.Cut(host, ".")
	for found {
		var label string
		label, rest, found = strings.Cut(rest, ".")
		if strings.EqualFold(label, string(service)) {
			return true
		}
	}
	return false
}

// Parameters returns every parameter of a raw query, decoded, in the order sent. Unlike url.ParseQuery it keeps those
// that contain a semicolon, as filters do, or a stray percent sign: a request is signed as it was sent.
func Parameters(query string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for rest := query; rest != ""; {
			var pair string
			pair, rest, _ = strings.Cut(rest, "&")
			if pair == "" {
				continue
			}
			name, value, _ := strings.Cut(pair, "=")
			if !yield(unescaped(name), unescaped(value)) {
				return
			}
		}
	}
}

// Lookup returns the first value of a parameter of a raw query. Names match in any case, since the services make them
// lower case to sign them.
func Lookup(query, name string) (value string, found bool) {
	for n, v := range Parameters(query) {
		if strings.EqualFold(n, name) {
			return v, true
		}
	}
	return "", false
}

// unescaped decodes a name or a value of a query; an invalid encoding is left as it is.
func unescaped(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}
