package azure

import (
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/emulator/odata"
	"github.com/storespec/storespec/internal/wire"
)

// resourcePath returns the part of a raw path after the account, still percent-encoded and without the leading slash.
func resourcePath(service wire.Service, host, path string) string {
	path = strings.TrimPrefix(path, "/")
	if azureauth.HostNamesAccount(service, host) {
		return path
	}
	_, rest, _ := strings.Cut(path, "/")
	return rest
}

// tableAddress is a decoded Table service address below the account.
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

// parseTableAddress reads an address in OData's URI conventions as used by the Table service. The keys may come in
// either order. It reports whether the address could be read.
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
		a.key, rest, ok = odata.CutQuoted(inside, "'")
		return a, ok && rest == ""
	}
	a.form = keyedAddress
	return a, a.readKeys(inside)
}

// readKeys reads `PartitionKey='a',RowKey='b'`. Each key must occur once.
func (a *tableAddress) readKeys(text string) bool {
	var partition, row bool
	for {
		name, rest, found := strings.Cut(text, "=")
		if !found {
			return false
		}
		value, rest, ok := odata.CutQuoted(strings.TrimSpace(rest), "'")
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
