package namespace

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/kv"
)

// The environment variables with which the account store finds a namespace, named as Cloudflare's own tools name them.
const (
	VariableBase      = "CLOUDFLARE_API_BASE_URL" // optional
	VariableAccount   = "CLOUDFLARE_ACCOUNT_ID"
	VariableToken     = "CLOUDFLARE_API_TOKEN"
	VariableNamespace = "KV_NAMESPACE_ID"
)

// cloudflareAPI is what VariableBase is without being set.
const cloudflareAPI = "https://api.cloudflare.com/client/v4"

// openAccount opens the namespace that the environment names. It deletes nothing.
func openAccount(ctx context.Context, opts store.Options) (*store.Pool, error) {
	values := map[string]string{}
	var missing []string
	for _, name := range []string{VariableAccount, VariableNamespace, VariableToken} {
		if values[name] = strings.TrimSpace(os.Getenv(name)); values[name] == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: %s not set; a namespace made for tests, its account, and an API token that may "+
			"edit Workers KV are needed", store.ErrUnavailable, strings.Join(missing, ", "))
	}
	id := identity{account: values[VariableAccount], namespace: values[VariableNamespace], token: values[VariableToken]}
	return openAccountAt(ctx, cmp.Or(os.Getenv(VariableBase), cloudflareAPI), id, opts)
}

// openAccountAt is openAccount for a base address.
func openAccountAt(ctx context.Context, api string, id identity, opts store.Options) (*store.Pool, error) {
	base, err := url.Parse(strings.TrimSuffix(api, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" ||
		!strings.HasSuffix(base.Path, "/client/v4") {
		return nil, fmt.Errorf("%w: %s is not an address such as %s", store.ErrUnavailable, VariableBase, cloudflareAPI)
	}
	if opts.Confirm != id.namespace {
		return nil, fmt.Errorf("%w: all keys of namespace %s will be deleted; confirm with --confirm %[2]s",
			store.ErrUnavailable, id.namespace)
	}
	transport := wire.NewTransport()
	transport.Proxy = http.ProxyFromEnvironment
	keys := &remote{api: base.String(), id: id, client: &http.Client{Transport: transport}, keep: LeaseKey}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	held, err := holdNamespace(ctx, keys)
	if err != nil {
		return nil, err
	}
	shown := id
	if shown.token, err = newToken(opts.Entropy); err != nil {
		return nil, errors.Join(err, held.stop(ctx))
	}
	upstream := *base
	upstream.Path = strings.TrimSuffix(base.Path, "/client/v4")
	handler := dialects(id, signed(shown.token, id.token, wire.NewProxy(&upstream, transport, nil)),
		http.HandlerFunc(noBinding))
	n := &store.Namespace{
		Name: "namespace " + id.namespace, Secrets: []string{id.token, shown.token}, Objects: keys, Wipe: keys.wipe,
		Values: func(at map[wire.Service]string) map[string]string { return shown.values(at[kv.Service]) },
		Direct: map[string]string{placeAPI: base.String(), placeAccount: id.account,
			placeNamespace: id.namespace, placeToken: id.token},
		Upstream: map[wire.Protocol]http.Handler{kv.Protocol{}: handler},
		Dirty:    true, // by earlier users
	}
	s := store.NewPool(opts.Name, "Cloudflare at "+base.Host, []*store.Namespace{n}, nil)
	s.Broken, s.Stop = held.lost, held.stop
	return s, nil
}

// signed lets only requests with the token of the run pass, and gives them the real one.
func signed(shown, real string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if subtle.ConstantTimeCompare([]byte(token), []byte(shown)) != 1 {
			kv.Protocol{}.Refuse(w, r, wire.WrongKey)
			return
		}
		out := r.Clone(r.Context())
		out.Header.Set("Authorization", "Bearer "+real)
		next.ServeHTTP(w, out)
	})
}

// noBinding refuses the protocol of a Worker's binding: Cloudflare's network speaks it only to its own runtime.
func noBinding(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "a namespace at Cloudflare is reached by its REST API only: a Worker's binding needs --store "+
		"embedded or --store workerd", http.StatusNotImplemented)
}
