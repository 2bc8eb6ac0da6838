package emulator

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/azure/blobs"
	"github.com/storespec/storespec/internal/emulator/azure/tables"
	"github.com/storespec/storespec/internal/emulator/dynamodb"
	"github.com/storespec/storespec/internal/emulator/engine"
	"github.com/storespec/storespec/internal/emulator/kv"
)

// Options configure an emulator.
type Options struct {
	// Dir is the data directory, created if missing; empty: memory.
	Dir string
	// NoSync acknowledges a write to Dir before it is on disk, and Wipe deletes what Dir holds first.
	NoSync, Wipe bool
	// NoAuth treats every request as authorized by the account's key.
	NoAuth bool
	// OAuth lets Azure's services take bearer tokens over https. Their signature is not checked.
	OAuth bool
	// BlobVersioning keeps a previous version of each Azure blob that a write replaces.
	BlobVersioning bool
	// KVToken is the API token that Cloudflare's REST API asks for; empty, or with NoAuth: any will do.
	KVToken string
	// DynamoDBKeys are the secrets of DynamoDB's access keys by their ids.
	DynamoDBKeys map[string]string
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Log receives errors of the emulator itself; nil: they are not logged.
	Log func(format string, args ...any)
}

// Emulator runs the services of a set of accounts. Its handlers may be used until Close is called.
type Emulator struct {
	// Table and Blob are Azure's; DynamoDB is DynamoDB with its streams.
	Table, Blob, DynamoDB http.Handler
	KV                    *kv.Service
	// Dynamo is what DynamoDB serves.
	Dynamo *dynamodb.Service

	engine   *engine.Engine
	accounts *azure.Accounts
	open     sync.RWMutex // every request holds it for reading
	closed   bool
}

// Open returns an emulator without accounts. The errors are those of engine.Open.
func Open(o Options) (*Emulator, error) {
	e, err := engine.Open(engine.Options{Dir: o.Dir, NoSync: o.NoSync, Wipe: o.Wipe})
	if err != nil {
		return nil, fmt.Errorf("open the emulator's data: %w", err)
	}
	accounts := azure.NewAccounts(e)
	table := tables.New(tables.Options{Engine: e, Now: o.Now, Log: o.Log})
	blob := blobs.New(blobs.Options{ServiceOptions: azure.ServiceOptions{Engine: e, Now: o.Now, Log: o.Log},
		Versioning: o.BlobVersioning})
	front := azure.Options{Accounts: accounts, NoAuth: o.NoAuth, OAuth: o.OAuth, Now: o.Now, Log: o.Log}
	forTable, forBlob := front, front
	forTable.Service, forTable.Policies = azure.Table, table.Policies
	forBlob.Service, forBlob.Policies, forBlob.Public = azure.Blob, blob.Policies, blob.Public
	opened := &Emulator{engine: e, accounts: accounts}
	token := o.KVToken
	if o.NoAuth {
		token = ""
	}
	opened.KV = kv.New(kv.Options{Engine: e, Token: token, Now: o.Now, Log: o.Log})
	opened.Dynamo = dynamodb.New(dynamodb.Options{Engine: e, Keys: o.DynamoDBKeys, NoAuth: o.NoAuth, Now: o.Now,
		Log: o.Log})
	opened.DynamoDB = opened.whileOpen(opened.Dynamo)
	opened.Table = opened.whileOpen(azure.NewFront(forTable, table.Serve))
	opened.Blob = opened.whileOpen(azure.NewFront(forBlob, blob.Serve))
	return opened, nil
}

// Namespace creates a namespace of Workers KV unless it exists, and returns its handler: both dialects, the REST API
// for all namespaces.
func (e *Emulator) Namespace(id, title string) (*kv.Namespace, http.Handler, error) {
	n, err := e.KV.Add(id, title)
	return n, e.whileOpen(e.KV.Handler(id)), err
}

// whileOpen keeps the engine open during a request, and cuts the connection of one that arrives after Close.
func (e *Emulator) whileOpen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.open.RLock()
		defer e.open.RUnlock()
		if e.closed {
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(w, r)
	})
}

// AddAccount creates an account, or replaces the keys of an existing one. There are one or two, in base64. The error
// wraps azure.ErrAccount.
func (e *Emulator) AddAccount(name string, keys ...string) error {
	_, err := e.accounts.Add(name, keys...)
	return err
}

// Reset deletes all entities and blobs of an account, in well under a millisecond, and keeps its
// tables and containers.
func (e *Emulator) Reset(account string) error { return e.engine.Account(account).Reset() }

// Drop is Reset, and deletes the tables and containers as well.
func (e *Emulator) Drop(account string) error { return e.engine.Account(account).Drop() }

// Snapshot captures what Reset would delete, so that it can be restored any number of times, with the same ETags and
// times. Nothing may write to the account meanwhile. Discard it when it is no longer needed.
func (e *Emulator) Snapshot(account string) (*engine.Snapshot, error) {
	return e.engine.Account(account).Snapshot()
}

// Close waits for the requests in flight and shuts down the emulator. Data in memory is lost. It is safe to call twice.
func (e *Emulator) Close() error {
	e.open.Lock()
	defer e.open.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	return e.engine.Close()
}
