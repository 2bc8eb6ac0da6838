package lovehunt

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/reference/account"
)

// The storage files (storage.go, storage_tables.go, storage_blobs.go) are the only ones that use an SDK. Every
// operation is one storage call. "Not found" is not an error: reads return nil. Package account describes the other
// outcomes of a call.

// store is an account: four tables and one container. A phase that never uses one of the two services makes no call to
// it, not even to create anything.
type store struct {
	tables     *aztables.ServiceClient
	blobs      *container.Client // nil in tables-only
	http       *http.Client
	breaker    *breaker
	log        *slog.Logger // nil: operations are not logged
	tablesMade account.Provision
	blobsMade  account.Provision
}

func openStore(c Config, b *breaker, log *slog.Logger) (*store, error) {
	options, client := account.Connect(c.Patience, c.Storage)
	s := &store{http: client, breaker: b}
	if c.Verbose {
		s.log = log
	}
	var err error
	if s.tables, err = openTables(c, &aztables.ClientOptions{ClientOptions: options}); err != nil {
		return nil, err
	}
	if c.Phase == tablesOnly && !c.tools {
		return s, nil
	}
	s.blobs, err = container.NewClientFromConnectionString(c.Connection, c.Container,
		&container.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, errors.New("AZURE_STORAGE_CONNECTION_STRING is not a connection string with a blob service")
	}
	return s, nil
}

// openTables returns the client of the tables, which has the account's key or a managed identity.
func openTables(c Config, options *aztables.ClientOptions) (*aztables.ServiceClient, error) {
	if c.Connection == "" {
		return aztables.NewServiceClient(c.Tables, c.Identity, options)
	}
	tables, err := aztables.NewServiceClientFromConnectionString(c.Connection, options)
	if err != nil {
		// Go SDK: its error may quote the key, here and in openStore.
		return nil, errors.New("AZURE_STORAGE_CONNECTION_STRING is not a connection string")
	}
	return tables, nil
}

func (s *store) close() { s.http.CloseIdleConnections() }

// inTables runs one call of a table through the circuit breaker, after the tables have been created, once per process
// (LH-PRV-1). what describes the operation; do returns the SDK's error, and whether it is the ordinary answer that
// there is no such row.
func (s *store) inTables(ctx context.Context, what, table string, do func(*aztables.Client) (err error,
	absent bool)) (found bool, err error) {
	err = s.breaker.run(func() error {
		if err := s.tablesMade.Once(ctx, s.createTables); err != nil {
			return err
		}
		failed, absent := do(s.tables.NewClient(table))
		found = failed == nil
		if failed != nil && !absent {
			return account.Failed(what+" "+table, failed)
		}
		return nil
	})
	s.logged(what, table, err)
	return found, err
}

func (s *store) createTables(ctx context.Context) error {
	all := allTables()
	return account.InParallel(len(all), func(i int) error {
		_, err := s.tables.NewClient(all[i]).CreateTable(ctx, nil)
		return account.Created("creating the table "+all[i], err)
	})
}

func (s *store) createContainer(ctx context.Context) error {
	_, err := s.blobs.Create(ctx, nil)
	return account.Created("creating the container", err)
}

// logged writes the line of an operation that AZURE_LOG_LEVEL=verbose asks for: no key and no data.
func (s *store) logged(what, on string, err error) {
	if s.log == nil {
		return
	}
	outcome := "done"
	if err != nil {
		outcome, _, _ = strings.Cut(err.Error(), "\n")
	}
	s.log.Info("storage", "operation", what, "on", on, "outcome", outcome)
}
