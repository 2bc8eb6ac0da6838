package namespace

import (
	"strings"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/kv"
)

// Kind is namespaces of Workers KV.
type Kind struct{}

// Name returns "kv".
func (Kind) Name() string { return "kv" }

// Protocols returns the protocol of Workers KV.
func (Kind) Protocols() []wire.Protocol { return []wire.Protocol{kv.Protocol{}} }

// The placeholders: what a client of Cloudflare's REST API needs, and the address at which a Worker's runtime reaches
// the binding.
const (
	placeAccount   = "kv-account"
	placeAPI       = "kv-api" // https://api.cloudflare.com/client/v4
	placeBinding   = "kv-binding"
	placeNamespace = "kv-namespace"
	placeToken     = "kv-token"
)

// Placeholders returns what a target can be given.
func (Kind) Placeholders() []string {
	return []string{placeAccount, placeAPI, placeBinding, placeNamespace, placeToken}
}

// Reach returns the address of the REST API and that of the binding.
func (Kind) Reach() []string { return []string{placeAPI, placeBinding} }

// Backends returns the ways to get namespaces.
func (Kind) Backends() []store.Backend {
	return []store.Backend{
		{Name: "embedded", Open: openEmbedded},
		{Name: "workerd", Open: openWorkerd},
		{Name: "account", Real: true, Open: openAccount},
	}
}

// identity is what a client of the REST API names.
type identity struct{ account, namespace, token string }

// values returns what a target needs to reach a namespace behind this address.
func (i identity) values(address string) map[string]string {
	found := map[string]string{placeAccount: i.account, placeNamespace: i.namespace, placeToken: i.token}
	if address != "" {
		found[placeAPI] = address + "/client/v4"
		_, host, _ := strings.Cut(address, "://")
		found[placeBinding] = host
	}
	return found
}

// Variables are those by which clients of Cloudflare's REST API and Workers find a namespace, each with the placeholder
// of its value.
func Variables() map[string]string {
	return map[string]string{"CLOUDFLARE_API_BASE_URL": placeAPI, "CLOUDFLARE_ACCOUNT_ID": placeAccount,
		"CLOUDFLARE_API_TOKEN": placeToken, "KV_NAMESPACE_ID": placeNamespace, "KV_BINDING_ADDRESS": placeBinding}
}
