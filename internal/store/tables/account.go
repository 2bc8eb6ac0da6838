package tables

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/awssign"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/dynamodb"
)

// VariableAccount is the environment variable with the name of the table that stands for a real account: its items are
// deleted, and nothing else in the account is touched. Credentials and region come from AWS's own variables.
const VariableAccount = "STORESPEC_DYNAMODB_TABLE"

// accountLacks: there is one lane, with one table.
var accountLacks = map[string]string{
	IndexLag: "the lag of a real index cannot be chosen",
	Apart:    "only the table of " + VariableAccount + " belongs to storespec",
}

// openAccount uses a table of a real account, which Options.Confirm must name.
func openAccount(ctx context.Context, opts store.Options) (*store.Pool, error) {
	table := os.Getenv(VariableAccount)
	if table == "" {
		return nil, fmt.Errorf("%w: %s is not set: the name of the table whose items may be deleted",
			store.ErrUnavailable, VariableAccount)
	}
	if opts.Confirm != table {
		return nil, fmt.Errorf("all items of the table %s will be deleted: confirm it with --confirm %s", table, table)
	}
	real, address, err := realKey(os.Getenv)
	if err != nil {
		return nil, err
	}
	opts.Lanes, opts.Cold = 1, 0
	lanes, _, err := identities(opts)
	if err != nil {
		return nil, err
	}
	made := lanes[0]
	made.table, made.key.Region = table, real.Region
	transport := wire.NewTransport()
	transport.Proxy = http.ProxyFromEnvironment
	own := &client{address: address.String(), key: real, transport: transport}
	if _, err := own.describe(ctx, table); err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	n := made.namespace(newResigner(made.key, real, address, transport), own,
		func(name string) bool { return name == table })
	n.Name, n.Lacks = "table "+table, accountLacks
	n.Direct = map[string]string{placeAccessKey: real.ID, placeSecretKey: real.Secret, placeRegion: real.Region,
		placeEndpoint: own.address, placeTable: table}
	n.Secrets = append(n.Secrets, real.Secret)
	if real.Token != "" {
		n.Secrets = append(n.Secrets, real.Token)
	}
	n.Dirty = true
	s := store.NewPool(opts.Name, "DynamoDB in "+real.Region, []*store.Namespace{n}, nil)
	s.Stop = func(context.Context) error { transport.CloseIdleConnections(); return nil }
	return s, nil
}

// realKey reads AWS's variables (SDKs and Tools Reference Guide, "Settings reference").
func realKey(getenv func(string) string) (awssign.Key, *url.URL, error) {
	key := awssign.Key{ID: getenv("AWS_ACCESS_KEY_ID"), Secret: getenv("AWS_SECRET_ACCESS_KEY"),
		Token: getenv("AWS_SESSION_TOKEN"), Region: getenv("AWS_REGION"), Service: "dynamodb"}
	if key.Region == "" {
		key.Region = getenv("AWS_DEFAULT_REGION")
	}
	if key.ID == "" || key.Secret == "" || key.Region == "" {
		return key, nil, fmt.Errorf("%w: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION must be set "+
			"(aws configure export-credentials --format env prints the first two)", store.ErrUnavailable)
	}
	address := "https://dynamodb." + key.Region + ".amazonaws.com"
	for _, name := range []string{"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB"} { // the last one wins
		if given := getenv(name); given != "" {
			address = strings.TrimSuffix(given, "/")
		}
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return key, nil, fmt.Errorf("%w: the endpoint of AWS_ENDPOINT_URL is not an address", store.ErrUnavailable)
	}
	return key, parsed, nil
}

// resigner is between a gateway and a real account. A target signs with a made-up key; resigner checks that
// signature, so that no one else on the machine gains the real key's access, and signs the request again.
type resigner struct {
	real awssign.Key
	next http.RoundTripper
}

func newResigner(made, real awssign.Key, address *url.URL, next http.RoundTripper) http.Handler {
	proxy := wire.NewProxy(address, &resigner{real, next}, nil)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // the client has gone
		}
		req = wire.WithBody(req, body)
		switch {
		case awssign.KeyID(req) == "":
			dynamodb.Protocol{}.Refuse(w, req, wire.NoKey)
		case !made.Signed(req, body):
			dynamodb.Protocol{}.Refuse(w, wire.WithBody(req, body), wire.WrongKey)
		default:
			proxy.ServeHTTP(w, req)
		}
	})
}

// RoundTrip signs what the proxy sends, which is the last step: the signature covers the host.
func (r *resigner) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	out := wire.WithBody(req, body)
	out.Header = req.Header.Clone()
	r.real.Sign(out, body, time.Now())
	return r.next.RoundTrip(out)
}
