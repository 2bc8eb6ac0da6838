package account

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// DevelopmentStorage is the connection string of an emulator on its default ports.
const DevelopmentStorage = "UseDevelopmentStorage=true"

// developmentFields is what DevelopmentStorage stands for ("Use the Azurite emulator", Microsoft Learn).
func developmentFields() map[string]string {
	return map[string]string{
		"accountname": publishedAccount, "accountkey": publishedKey,
		"blobendpoint":  "http://127.0.0.1:10000/" + publishedAccount,
		"queueendpoint": "http://127.0.0.1:10001/" + publishedAccount,
		"tableendpoint": "http://127.0.0.1:10002/" + publishedAccount,
	}
}

// Explicit replaces DevelopmentStorage by the connection string that it stands for, which Go's SDKs do not know. Any
// other connection string is returned unchanged.
func Explicit(connection string) string {
	if !strings.EqualFold(strings.Trim(connection, "; "), DevelopmentStorage) {
		return connection
	}
	return connectionString(publishedAccount, publishedKey, "http://127.0.0.1:10002", "http://127.0.0.1:10000")
}

// ErrConnectionString is wrapped by errors about an unusable connection string. They say what is missing and repeat
// none of its values.
var ErrConnectionString = errors.New("the connection string cannot be used")

// Attach leases the account of a connection string as it is, whoever uses it: a real account or an emulator's. Attach
// sends it no request, and nothing in it is ever deleted: Clean refuses.
//
// The lease uses the account's own key, so that shared access signatures made by a target are valid. If entropy is not
// nil, a different key is generated from it, which may be shown; the key that Azure publishes for emulators may be
// shown as it is. The error wraps ErrConnectionString.
func Attach(connection string, entropy io.Reader) (*store.Lease, error) {
	config, err := parseConnectionString(connection)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConnectionString, err)
	}
	transport := newTransport(true)
	n, err := attach(config, entropy, transport)
	if err != nil {
		return nil, err
	}
	return store.NewLease(n, transport.CloseIdleConnections), nil
}

// attach is Attach with the transport used to reach the account.
func attach(config *accountConfig, entropy io.Reader, transport http.RoundTripper) (_ *store.Namespace, err error) {
	own := base64.StdEncoding.EncodeToString(config.key)
	key := own
	if entropy != nil && own != publishedKey {
		if key, err = newKey(entropy); err != nil {
			return nil, err
		}
	}
	handler := func(service wire.Service, endpoint *url.URL) http.Handler {
		if key == own && endpoint.Path == "/"+config.account { // the target's own signature is valid there
			return wire.NewProxy(&url.URL{Scheme: endpoint.Scheme, Host: endpoint.Host}, transport, azure.NamesAccount)
		}
		return newResigner(service, config, key, endpoint, transport, time.Now)
	}
	others := ""
	if key == own {
		others = "QueueEndpoint=" + config.queue.String() + ";"
	}
	n := namespace(config.account, key, config.connection, nil, others)
	n.Upstream = upstream(handler(azure.Table, config.table), handler(azure.Blob, config.blob))
	n.Wipe = func(context.Context) error { return errors.New("it is not storespec's to clean") }
	return n, nil
}

// connectionFields parses a connection string and lowercases its field names.
func connectionFields(connection string) (map[string]string, error) {
	fields := map[string]string{}
	for part := range strings.SplitSeq(connection, ";") {
		if name, value, ok := strings.Cut(strings.TrimSpace(part), "="); ok {
			fields[strings.ToLower(name)] = value
		}
	}
	if !strings.EqualFold(fields["usedevelopmentstorage"], "true") {
		return fields, nil
	}
	if fields["developmentstorageproxyuri"] != "" {
		return nil, errors.New("DevelopmentStorageProxyUri is not known here: name the emulator's endpoints")
	}
	development := developmentFields()
	maps.Copy(development, fields)
	return development, nil
}
