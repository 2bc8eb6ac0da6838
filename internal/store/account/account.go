package account

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire/azure"
)

// Variable is the environment variable with the connection string of the account store.
const Variable = "STORESPEC_ACCOUNT"

// LeaseContainer is the blob container whose existence means "storespec may wipe this account". While a run uses the
// account it holds a lease on this container, so that a second run does not wipe what the first one writes.
const LeaseContainer = "storespec-lease"

// accountConfig is a parsed connection string.
type accountConfig struct {
	account            string
	key                []byte
	table, blob, queue *url.URL // without a trailing slash; only path style has a path
	connection         string
}

// openAccount opens the account of a connection string. It deletes nothing.
func openAccount(ctx context.Context, opts store.Options) (*store.Pool, error) {
	connection := cmp.Or(opts.ConnectionString, os.Getenv(Variable))
	if connection == "" {
		return nil, fmt.Errorf("%w: no connection string; set %s to that of a storage account made for tests",
			store.ErrUnavailable, Variable)
	}
	config, err := parseConnectionString(connection)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return openAccountAt(ctx, config, opts, newTransport(true))
}

// openAccountAt is openAccount with the transport used to reach the account.
func openAccountAt(ctx context.Context, config *accountConfig, opts store.Options, transport http.RoundTripper) (
	*store.Pool, error) {
	if opts.Confirm != config.account {
		return nil, fmt.Errorf("%w: all entities and blobs of account %s will be deleted; confirm with --confirm %s",
			store.ErrUnavailable, config.account, config.account)
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	version, err := ready(ctx, config.connection, transport)
	if err != nil {
		return nil, fmt.Errorf("%w: no answer from %s and %s: %w", store.ErrUnavailable, config.table, config.blob, err)
	}
	hold, err := holdAccount(ctx, config, transport)
	if err != nil {
		return nil, err
	}
	made, err := newKey(opts.Entropy)
	if err != nil {
		return nil, errors.Join(err, hold.stop(ctx))
	}
	if opts.Published {
		made = publishedKey
	}
	n := namespace(config.account, made, config.connection, nil, "")
	n.Upstream = upstream(newResigner(azure.Table, config, made, config.table, transport, time.Now),
		newResigner(azure.Blob, config, made, config.blob, transport, time.Now))
	n.Wipe = func(ctx context.Context) error { return wipe(ctx, config.connection, transport, LeaseContainer) }
	n.Dirty = true // by whoever used it before
	s := store.NewPool(opts.Name, version, []*store.Namespace{n}, nil)
	s.Broken, s.Stop = hold.lost, hold.stop
	return s, nil
}

// parseConnectionString reads AccountName, AccountKey and the endpoints, which default to Azure's. Its errors never
// repeat a value.
func parseConnectionString(connection string) (*accountConfig, error) {
	fields, err := connectionFields(connection)
	if err != nil {
		return nil, err
	}
	c := &accountConfig{account: fields["accountname"], connection: connection}
	for _, needed := range []string{"AccountName", "AccountKey"} {
		if fields[strings.ToLower(needed)] == "" {
			return nil, fmt.Errorf("the connection string has no %s (a SAS or a managed identity cannot be used)",
				needed)
		}
	}
	if c.key, err = base64.StdEncoding.DecodeString(fields["accountkey"]); err != nil {
		return nil, errors.New("the connection string's AccountKey is not base64")
	}
	if cmp.Or(fields["tableendpoint"], fields["blobendpoint"], fields["defaultendpointsprotocol"],
		fields["endpointsuffix"]) == "" {
		return nil, errors.New("the connection string has no endpoints, and no DefaultEndpointsProtocol or " +
			"EndpointSuffix to make them of")
	}
	for _, endpoint := range []struct {
		service string
		to      **url.URL
	}{{"table", &c.table}, {"blob", &c.blob}, {"queue", &c.queue}} {
		address := cmp.Or(fields[endpoint.service+"endpoint"], fmt.Sprintf("%s://%s.%s.%s",
			cmp.Or(fields["defaultendpointsprotocol"], "https"), c.account, endpoint.service,
			cmp.Or(fields["endpointsuffix"], "core.windows.net")))
		u, err := url.Parse(strings.TrimSuffix(address, "/"))
		if err != nil || u.Host == "" || u.RawQuery != "" || (u.Scheme != "http" && u.Scheme != "https") {
			return nil, fmt.Errorf("the connection string's address of the %s service is not an http address",
				endpoint.service)
		}
		*endpoint.to = u
	}
	return c, nil
}
