package tables

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/awssign"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/dynamodb"
)

// Kind is DynamoDB and its emulators.
type Kind struct{}

// Name returns "dynamodb".
func (Kind) Name() string { return "dynamodb" }

// Protocols returns the protocol of DynamoDB.
func (Kind) Protocols() []wire.Protocol { return []wire.Protocol{dynamodb.Protocol{}} }

// The placeholders: what AWS's SDKs need, and the name of the table that a lane may use where it is not alone.
const (
	placeAccessKey = "access-key"
	placeEndpoint  = "endpoint"
	placeRegion    = "region"
	placeSecretKey = "secret-key"
	placeTable     = "table"
)

// Placeholders returns what a target can be given.
func (Kind) Placeholders() []string {
	return []string{placeAccessKey, placeEndpoint, placeRegion, placeSecretKey, placeTable}
}

// Reach returns the address.
func (Kind) Reach() []string { return []string{placeEndpoint} }

// What a store may lack of what DynamoDB does.
const (
	// Transactions are TransactGetItems and TransactWriteItems, with the reasons for their cancellation.
	Transactions = "transactions"
	// IndexLag is that reads of global secondary indexes can be made not to see the last writes.
	IndexLag = "index lag"
	// Statements are those of PartiQL.
	Statements = "statements"
	// Capacity is that the units of every call are those that DynamoDB would count.
	Capacity = store.Units
	// Apart is that a namespace holds any number of tables, of any name.
	Apart = "tables of any name"
)

// Backends returns the ways to get namespaces.
func (Kind) Backends() []store.Backend {
	return []store.Backend{
		{Name: "embedded", Open: openEmbedded},
		{Name: "dynalite", Open: openDynalite},
		{Name: "dynamodb-local", Open: openLocal},
		{Name: "account", Real: true, Open: openAccount},
	}
}

// Variables are those by which AWS's SDKs and command line find DynamoDB, each with the placeholder of its value.
func Variables() map[string]string {
	return map[string]string{"AWS_ENDPOINT_URL": placeEndpoint, "AWS_ENDPOINT_URL_DYNAMODB": placeEndpoint,
		"AWS_REGION": placeRegion, "AWS_DEFAULT_REGION": placeRegion, "AWS_ACCESS_KEY_ID": placeAccessKey,
		"AWS_SECRET_ACCESS_KEY": placeSecretKey}
}

// defaultRegion is that of stores of this machine, which have but one.
const defaultRegion = "us-east-1"

// identity is what a client of a lane names.
type identity struct {
	key   awssign.Key
	table string
}

// newIdentity makes the access key of a lane. Its id has letters and digits only: AWS's DynamoDB Local refuses others.
func newIdentity(entropy io.Reader, lane string, number int) (identity, error) {
	var random [15]byte
	if _, err := io.ReadFull(entropy, random[:]); err != nil {
		return identity{}, fmt.Errorf("make an access key: %w", err)
	}
	return identity{table: fmt.Sprintf("storespec-%s%d", lane, number), key: awssign.Key{
		ID: fmt.Sprintf("STORESPEC%s%d", lane, number), Secret: fmt.Sprintf("%x", random), Region: defaultRegion,
		Service: "dynamodb"}}, nil
}

// identities makes those of the lanes, and of the namespaces that are used once.
func identities(opts store.Options) (lanes, cold []identity, err error) {
	for i := range opts.Lanes + opts.Cold {
		name := "lane"
		if i >= opts.Lanes {
			name = "cold"
		}
		one, err := newIdentity(opts.Entropy, name, i+1)
		if err != nil {
			return nil, nil, err
		}
		if i < opts.Lanes {
			lanes = append(lanes, one)
		} else {
			cold = append(cold, one)
		}
	}
	return lanes, cold, nil
}

// values returns what a target needs to reach a namespace behind this address.
func (i identity) values(address string) map[string]string {
	found := map[string]string{placeAccessKey: i.key.ID, placeSecretKey: i.key.Secret, placeRegion: i.key.Region,
		placeTable: i.table}
	if address != "" {
		found[placeEndpoint] = address
	}
	return found
}

// sign signs a request as a client of the lane would.
func (i identity) sign(req *http.Request) {
	var body []byte
	if req.Body != nil && req.Body != http.NoBody {
		body, _ = io.ReadAll(req.Body) // at hand
		req.Body = io.NopCloser(bytes.NewReader(body))
	}
	i.key.Sign(req, body, time.Now())
}

// trusted passes requests with the lane's signature to a handler that may change them, and signs them again. Others go
// to the service as they are: it refuses them, or not, as it would without a gateway.
func (i identity) trusted(changing, service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // the client has gone
		}
		req = wire.WithBody(req, body)
		if !i.key.Signed(req, body) {
			service.ServeHTTP(w, req)
			return
		}
		changing.ServeHTTP(w, req)
	})
}

// namespace returns the namespace of a lane before a service. The harness itself reaches it by own; owns says which of
// its tables are the namespace's.
func (i identity) namespace(service http.Handler, own *client, owns func(table string) bool) *store.Namespace {
	known := &dynamodb.Tables{Sign: i.sign, Describe: own.schema}
	protocol := dynamodb.Protocol{Of: known}
	data := rows{own, owns}
	return &store.Namespace{
		Name:     "access key " + i.key.ID,
		Values:   func(at map[wire.Service]string) map[string]string { return i.values(at[dynamodb.Service]) },
		Direct:   i.values(own.address),
		Secrets:  []string{i.key.Secret},
		Upstream: map[wire.Protocol]http.Handler{protocol: i.trusted(protocol.Metered(service), service)},
		Sign:     func(_ wire.Service, req *http.Request) { i.sign(req) },
		Rows:     data, Wipe: data.wipe,
	}
}

// all is for a namespace to which every table belongs that its access key can see.
func all(string) bool { return true }

// named is for a namespace that shares its tables with others: its own is called table, or begins with that and a dash.
func (i identity) named(table string) bool {
	return table == i.table || strings.HasPrefix(table, i.table+"-")
}
