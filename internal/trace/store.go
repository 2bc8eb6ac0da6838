package trace

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/account"
	"github.com/storespec/storespec/internal/store/namespace"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/internal/store/tables"
)

// Store is a kind of store that can be traced.
type Store struct {
	Variables map[string]string // that the command gets, each with the placeholder of its value

	kind   store.Kind
	unseen string // what helps if no call is seen
}

// Azure is an account of Azure Storage.
func Azure() Store {
	variables := map[string]string{}
	for _, name := range Variables() {
		variables[name] = "connection"
	}
	return Store{variables, account.Kind{}, "the program must use the connection string exactly as given, endpoints " +
		"included, in " + strings.Join(Variables(), ", ") +
		", or under another name with --env NAME={connection}; for " +
		"DynamoDB use --dynamodb, for Workers KV --kv"}
}

// KV is a namespace of Workers KV.
func KV() Store {
	return Store{namespace.Variables(), namespace.Kind{}, "a Worker reaches the gateway as an external service at " +
		"{kv-binding}, a client of the REST API at CLOUDFLARE_API_BASE_URL"}
}

// DynamoDB is DynamoDB, without tables at first.
func DynamoDB() Store {
	return Store{tables.Variables(), tables.Kind{}, "an SDK of AWS finds the gateway in AWS_ENDPOINT_URL, unless the " +
		"program names an endpoint itself: give it {endpoint} by --env NAME={endpoint} or in the command"}
}

// Placeholders returns those of verify's placeholders that locate the store.
func (s Store) Placeholders() []string {
	return slices.Sorted(slices.Values(append(s.kind.Placeholders(), "ca")))
}

// Placeholders returns those of verify's placeholders that locate a store of any kind.
func Placeholders() (all []string) {
	for _, s := range []Store{Azure(), KV(), DynamoDB()} {
		all = append(all, s.Placeholders()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Open opens an emulator in this process with some content (nil: none). release ends it.
func (s Store) Open(ctx context.Context, content *store.Content, log io.Writer) (
	lease *store.Lease, release func() error, err error) {
	opened, err := stores.OpenFirst(ctx, s.kind.Name(), store.Options{Published: true, Log: log})
	if err != nil {
		return nil, nil, err
	}
	lease, err = opened.Lease(ctx)
	if err == nil && content != nil {
		err = store.Lay(ctx, lease, content)
	}
	if err != nil {
		return nil, nil, errors.Join(err, stores.Close(ctx, opened))
	}
	return lease, func() error { return stores.Close(ctx, opened) }, nil
}

// Advice says what to do when nothing useful was seen, after a hint on a line of its own; "" if something was.
func (s Store) Advice(seen Summary) string {
	switch {
	case seen.Calls == 0:
		return "no storage call was seen\nhint: " + s.unseen
	case seen.Unanswered == seen.Calls:
		return "no storage call was answered\nhint: does the account of --azure exist, and does its emulator run?"
	}
	return ""
}
