package familyscheduler

import (
	"context"
	"errors"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/reference/account"
)

// The storage files (storage.go, storage_tables.go, storage_blobs.go) are the only ones that use an SDK. Every
// operation is one storage call. A request begins with a blob (a session, the claim of a sign-in link, a gathering), so
// reading or writing one first makes sure that the tables and the container exist. "Not found" is not an error: reads
// return nil or false. Package account describes the other outcomes of a call.

// errCorrupt: a blob does not have the content that the design specifies.
var errCorrupt = errors.New("malformed blob")

// store is the account: ten tables and one container.
type store struct {
	tables      *aztables.ServiceClient
	blobs       *container.Client
	http        *http.Client
	provisioned account.Provision
}

func openStore(c Config) (*store, error) {
	options, client := account.Connect(c.Patience, c.Storage)
	s := &store{http: client}
	var err error
	s.tables, err = aztables.NewServiceClientFromConnectionString(c.TablesConnection,
		&aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		// Go SDK: its error may quote the key, here and below.
		return nil, errors.New("AZURE_TABLES_CONNECTION_STRING is not a connection string")
	}
	s.blobs, err = container.NewClientFromConnectionString(c.BlobsConnection, c.Container,
		&container.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, errors.New("AzureWebJobsStorage is not a connection string")
	}
	return s, nil
}

func (s *store) close() { s.http.CloseIdleConnections() }

func (s *store) table(name string) *aztables.Client { return s.tables.NewClient(name) }

func (s *store) blob(name string) *blockblob.Client { return s.blobs.NewBlockBlobClient(name) }

// ready creates what the design needs once per process (FS-SRV-1).
func (s *store) ready(ctx context.Context) error { return s.provisioned.Once(ctx, s.createAll) }

// createAll creates ten tables and the container in parallel.
func (s *store) createAll(ctx context.Context) error {
	names := allTables()
	return account.InParallel(len(names)+1, func(i int) error {
		if i == len(names) {
			_, err := s.blobs.Create(ctx, nil)
			return account.Created("creating the container", err)
		}
		_, err := s.table(names[i]).CreateTable(ctx, nil)
		return account.Created("creating table "+names[i], err)
	})
}
