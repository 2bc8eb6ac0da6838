package store

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

	"github.com/storespec/storespec/internal/wire"
)

// AccountVariable is the environment variable with the connection string of the account store.
const AccountVariable = "STORESPEC_ACCOUNT"

// LeaseContainer is the blob container that says "storespec may wipe this account". While a run uses
// the account it holds a lease on it, so a second run does not wipe what the first one writes.
const LeaseContainer = "storespec-lease"

// accountConfig is a parsed connection string.
type accountConfig struct {
	account            string
	key                []byte
	table, blob, queue *url.URL // without a trailing slash; with a path only in path style
	connection         string
}

// openAccount takes the account of a connection string. Nothing is deleted here.
func openAccount(ctx context.Context, opts Options) (*pooled, error) {
	connection := opts.ConnectionString
	if connection == "" {
		connection = os.Getenv(AccountVariable)
	}
	if connection == "" {
		return nil, fmt.Errorf("%w: no connection string; set %s to that of a storage account made for tests", ErrUnavailable, AccountVariable)
	}
	config, err := parseConnectionString(connection)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return openAccountAt(ctx, config, opts, newTransport(true))
}

// openAccountAt is openAccount with the transport to reach the account by.
func openAccountAt(ctx context.Context, config *accountConfig, opts Options, transport http.RoundTripper) (*pooled, error) {
	if opts.Confirm != config.account {
		return nil, fmt.Errorf("%w: all entities and blobs of account %s will be deleted; confirm with --confirm %s",
			ErrUnavailable, config.account, config.account)
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	version, err := ready(ctx, config.connection, transport)
	if err != nil {
		return nil, fmt.Errorf("%w: no answer from %s and %s: %w", ErrUnavailable, config.table, config.blob, err)
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
	madeKey, err := base64.StdEncoding.DecodeString(made)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("made-up key: %w", err), hold.stop(ctx))
	}
	s := newPooled(opts.Name, version, []*namespace{{
		account: config.account, key: made, direct: config.connection,
		upstream: map[wire.Service]http.Handler{
			wire.Table: newResigner(wire.Table, config, madeKey, config.table, transport, time.Now),
			wire.Blob:  newResigner(wire.Blob, config, madeKey, config.blob, transport, time.Now),
		},
		wipe:  func(ctx context.Context) error { return wipe(ctx, config.connection, transport, LeaseContainer) },
		dirty: true, // by whoever used it before
	}}, nil)
	s.broken, s.stop = hold.lost, hold.stop
	return s, nil
}

// parseConnectionString reads AccountName, AccountKey and the endpoints, which default to those of
// Azure. Its errors never repeat a value.
func parseConnectionString(connection string) (*accountConfig, error) {
	fields, err := connectionFields(connection)
	if err != nil {
		return nil, err
	}
	c := &accountConfig{account: fields["accountname"], connection: connection}
	for _, needed := range []string{"AccountName", "AccountKey"} {
		if fields[strings.ToLower(needed)] == "" {
			return nil, errors.New("the connection string has no " + needed + " (a SAS or a managed identity cannot be used)")
		}
	}
	if c.key, err = base64.StdEncoding.DecodeString(fields["accountkey"]); err != nil {
		return nil, errors.New("the connection string's AccountKey is not base64")
	}
	if cmp.Or(fields["tableendpoint"], fields["blobendpoint"], fields["defaultendpointsprotocol"], fields["endpointsuffix"]) == "" {
		return nil, errors.New("the connection string has no endpoints, and no DefaultEndpointsProtocol or EndpointSuffix to make them of")
	}
	endpoint := func(service string) (*url.URL, error) {
		address := fields[service+"endpoint"]
		if address == "" {
			protocol, suffix := fields["defaultendpointsprotocol"], fields["endpointsuffix"]
			if protocol == "" {
				protocol = "https"
			}
			if suffix == "" {
				suffix = "core.windows.net"
			}
			address = protocol + "://" + c.account + "." + service + "." + suffix
		}
		u, err := url.Parse(strings.TrimSuffix(address, "/"))
		if err != nil || u.Host == "" || u.RawQuery != "" || (u.Scheme != "http" && u.Scheme != "https") {
			return nil, fmt.Errorf("the connection string's address of the %s service is not an http address", service)
		}
		return u, nil
	}
	if c.table, err = endpoint("table"); err != nil {
		return nil, err
	}
	if c.blob, err = endpoint("blob"); err != nil {
		return nil, err
	}
	if c.queue, err = endpoint("queue"); err != nil {
		return nil, err
	}
	return c, nil
}
