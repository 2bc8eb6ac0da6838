package account

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// Kind is Azure's storage accounts and their emulators.
type Kind struct{}

// Name returns "azure".
func (Kind) Name() string { return "azure" }

// Protocols returns the protocols of tables and blobs.
func (Kind) Protocols() []wire.Protocol { return azure.Protocols() }

// Placeholders returns the parts of an account, and the connection string built from them.
func (Kind) Placeholders() []string {
	return []string{"account", "blobs", "connection", "key", "tables"}
}

// Reach returns the placeholders for the connection string and the addresses.
func (Kind) Reach() []string { return []string{"connection", "tables", "blobs"} }

// Backends returns the four ways to get accounts.
func (Kind) Backends() []store.Backend {
	return []store.Backend{
		{Name: "embedded", Open: bounded(openEmbedded)},
		{Name: "azurite", Open: bounded(openAzurite)},
		{Name: "container", Found: findContainer, Open: bounded(openContainer)},
		{Name: "account", Real: true, Open: bounded(openAccount)},
	}
}

// maxNamespaces keeps AZURITE_ACCOUNTS (about 100 bytes an account) below the 128 KiB that Linux
// allows for one environment string.
const maxNamespaces = 1000

type opener func(ctx context.Context, opts store.Options) (*store.Pool, error)

// bounded refuses to open a store with more namespaces than Azurite can be given.
func bounded(open opener) opener {
	return func(ctx context.Context, opts store.Options) (*store.Pool, error) {
		if opts.Lanes+opts.Cold > maxNamespaces {
			return nil, fmt.Errorf("%d lanes and %d cold namespaces are more than the %d that Azurite can be given",
				opts.Lanes, opts.Cold, maxNamespaces)
		}
		return open(ctx, opts)
	}
}

// upstream returns the handlers of a namespace's services by their protocols.
func upstream(table, blob http.Handler) map[wire.Protocol]http.Handler {
	return map[wire.Protocol]http.Handler{azure.Tables{}: table, azure.Blobs{}: blob}
}

// namespace returns an account behind a gateway. direct is a connection string for accessing it directly, over
// transport or, if that is nil, over the network. others are parts of a connection string for services without a
// gateway.
func namespace(account, key, direct string, transport http.RoundTripper, others string) *store.Namespace {
	values := func(endpoints map[wire.Service]string) map[string]string {
		found := map[string]string{"account": account, "key": key,
			"connection": connectionString(account, key, endpoints[azure.Table], endpoints[azure.Blob]) + others}
		for service, address := range endpoints {
			if address != "" {
				found[string(service)+"s"] = address + "/" + account
			}
		}
		return found
	}
	way, secrets := &way{connection: direct, transport: transport}, keysOf(direct)
	return &store.Namespace{
		Name: "account " + account, Values: values,
		Direct:  map[string]string{"account": account, "key": strings.Join(secrets, ""), "connection": direct},
		Secrets: secrets, Rows: rows{way}, Objects: blobs{way}, Sign: signer(account, key),
	}
}

// signer signs requests with an account's key, in base64: those that have such a signature, in its scheme, and those
// that have no authorization.
func signer(account, key string) func(wire.Service, *http.Request) {
	raw, _ := base64.StdEncoding.DecodeString(key) // made by newKey, or published
	return func(service wire.Service, r *http.Request) {
		path, query := target(cmp.Or(r.RequestURI, r.URL.RequestURI()))
		scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		switch {
		case scheme == azureauth.SharedKey, scheme == azureauth.SharedKeyLite:
		case scheme == "" && !strings.Contains(query, "sig="):
			scheme = azureauth.SharedKeyLite
			r.Header.Set("X-Ms-Date", time.Now().UTC().Format(http.TimeFormat))
		default:
			return
		}
		r.Header.Set("Authorization",
			azureauth.Authorization(scheme, azureauth.Service(service), account, raw, r, path, query))
	}
}
