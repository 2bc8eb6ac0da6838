package wire

import (
	"net"
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/odata"
)

// hostNamesAccount reports whether a Host is of the form account.table.core.windows.net or
// account.blob.localhost: then the account is its first label. Otherwise (an IP address, localhost,
// a container's name) the account is the first segment of the path, as emulators have it.
func hostNamesAccount(service Service, host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	labels := strings.Split(host, ".")
	for _, label := range labels[1:] {
		if strings.EqualFold(label, string(service)) {
			return true // in DNS zones the service is not the second label: account.z01.blob.storage.azure.net
		}
	}
	return false
}

// resourcePath gives what follows the account in a raw path, still percent-encoded and without the
// leading slash.
func resourcePath(service Service, host, path string) string {
	path = strings.TrimPrefix(path, "/")
	if hostNamesAccount(service, host) {
		return path
	}
	_, rest, _ := strings.Cut(path, "/")
	return rest
}

// queryValue gives the first value of a query parameter. The net/url parser is of no use here: it
// drops parameters with a bare semicolon, which filters contain. Names match in any case, as the
// services canonicalize them to lower case for signatures.
func queryValue(raw, name string) (string, bool) {
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		key, value, _ := strings.Cut(pair, "=")
		if strings.Contains(key, "%") {
			if decoded, err := url.QueryUnescape(key); err == nil {
				key = decoded
			}
		}
		if !strings.EqualFold(key, name) {
			continue
		}
		if decoded, err := url.QueryUnescape(value); err == nil {
			value = decoded
		}
		return value, true
	}
	return "", false
}

// tableAddress is a decoded address below the account on the Table service.
type tableAddress struct {
	name      string // table, "Tables" or "$batch"; empty for the service itself
	key       string // of Tables('key')
	partition string
	row       string
	form      addressForm
}

type addressForm int

const (
	bareAddress  addressForm = iota // T
	emptyAddress                    // T()
	namedAddress                    // Tables('x')
	keyedAddress                    // T(PartitionKey='a',RowKey='b')
)

// parseTableAddress reads an address of OData's URI conventions as the Table service has them. The
// keys may come in either order. It reports whether the address could be read.
func parseTableAddress(raw string) (tableAddress, bool) {
	text, err := url.PathUnescape(strings.TrimSuffix(raw, "/"))
	if err != nil {
		return tableAddress{}, false
	}
	name, rest, found := strings.Cut(text, "(")
	a := tableAddress{name: name}
	if strings.ContainsAny(name, "/'") {
		return tableAddress{}, false
	}
	if !found {
		return a, true
	}
	inside, ok := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !ok || name == "" {
		return tableAddress{}, false
	}
	inside = strings.TrimSpace(inside)
	if inside == "" {
		a.form = emptyAddress
		return a, true
	}
	if strings.HasPrefix(inside, "'") {
		a.form = namedAddress
		a.key, rest, ok = odata.CutQuoted(inside)
		return a, ok && rest == ""
	}
	a.form = keyedAddress
	return a, a.readKeys(inside)
}

// readKeys reads `PartitionKey='a',RowKey='b'`. Each key must be there once.
func (a *tableAddress) readKeys(text string) bool {
	var partition, row bool
	for {
		name, rest, found := strings.Cut(text, "=")
		if !found {
			return false
		}
		value, rest, ok := odata.CutQuoted(strings.TrimSpace(rest))
		if !ok {
			return false
		}
		switch name = strings.TrimSpace(name); {
		case name == partitionKey && !partition:
			a.partition, partition = value, true
		case name == rowKey && !row:
			a.row, row = value, true
		default:
			return false
		}
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return partition && row
		}
		if text, ok = strings.CutPrefix(rest, ","); !ok {
			return false
		}
	}
}
