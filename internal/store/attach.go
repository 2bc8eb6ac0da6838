package store

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

	"github.com/storespec/storespec/internal/wire"
)

// DevelopmentStorage is the connection string of an emulator at its usual ports.
const DevelopmentStorage = "UseDevelopmentStorage=true"

// developmentFields is what it stands for ("Use the Azurite emulator", Microsoft Learn).
func developmentFields() map[string]string {
	return map[string]string{
		"accountname": publishedAccount, "accountkey": publishedKey,
		"blobendpoint":  "http://127.0.0.1:10000/" + publishedAccount,
		"queueendpoint": "http://127.0.0.1:10001/" + publishedAccount,
		"tableendpoint": "http://127.0.0.1:10002/" + publishedAccount,
	}
}

// ErrConnectionString is wrapped by errors about a connection string that cannot be used. They say what it lacks and
// repeat no value of it.
var ErrConnectionString = errors.New("the connection string cannot be used")

// Attach gives the account of a connection string as it is, whoever uses it: a real one or an emulator's. Nothing is asked
// of it here, and nothing of it is ever deleted: Clean refuses.
//
// The lease has the account's own key, so that the shared access signatures a target makes are valid. entropy, unless it
// is nil, is what another key is made of, which may be shown; the key that Azure publishes for emulators may be shown as
// it is. The error wraps ErrConnectionString.
func Attach(connection string, entropy io.Reader) (*Lease, error) {
	config, err := parseConnectionString(connection)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConnectionString, err)
	}
	transport := newTransport(true)
	lease, err := attach(config, entropy, transport)
	if err == nil {
		lease.release = transport.CloseIdleConnections
	}
	return lease, err
}

// attach is Attach with the transport to reach the account by.
func attach(config *accountConfig, entropy io.Reader, transport http.RoundTripper) (*Lease, error) {
	own := base64.StdEncoding.EncodeToString(config.key)
	key := own
	if entropy != nil && own != publishedKey {
		made, err := newKey(entropy)
		if err != nil {
			return nil, err
		}
		key = made
	}
	signedWith, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		return nil, fmt.Errorf("made-up key: %w", err)
	}
	upstream := func(service wire.Service, endpoint *url.URL) http.Handler {
		if key == own && endpoint.Path == "/"+config.account { // what the target has signed is right there
			return wire.NewProxy(&url.URL{Scheme: endpoint.Scheme, Host: endpoint.Host}, transport)
		}
		return newResigner(service, config, signedWith, endpoint, transport, time.Now)
	}
	lease := &Lease{
		Account: config.account, Key: key, Direct: config.connection,
		upstream: map[wire.Service]http.Handler{
			wire.Table: upstream(wire.Table, config.table), wire.Blob: upstream(wire.Blob, config.blob),
		},
		wipe:    func(context.Context) error { return errors.New("it is not storespec's to clean") },
		broken:  func() error { return nil },
		release: func() {},
	}
	if key == own {
		lease.others = "QueueEndpoint=" + config.queue.String() + ";"
	}
	return lease, nil
}

// connectionFields reads a connection string, its names in lower case.
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
