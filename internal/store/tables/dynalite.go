package tables

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/storespec/storespec/fixtures"
	"github.com/storespec/storespec/internal/store"
)

// dynaliteVersion is the last one; fixtures/dynalite pins the same version.
const dynaliteVersion = "4.0.0"

// dynaliteLacks is from its own README ("Status") and its list of operations.
var dynaliteLacks = map[string]string{
	Transactions: "dynalite answers UnknownOperationException to TransactGetItems and TransactWriteItems",
	Statements:   "dynalite answers UnknownOperationException to ExecuteStatement",
	IndexLag:     "dynalite's indexes are always current",
	Capacity:     "dynalite counts the units of the table alone",
	Apart:        "dynalite shows all tables to every access key, so a lane is the name of a table",
}

// openDynalite starts dynalite as a child process. It has one set of tables: a lane is the name of a table.
func openDynalite(ctx context.Context, opts store.Options) (*store.Pool, error) {
	files, err := fs.Sub(fixtures.Dynalite, "dynalite")
	if err != nil {
		return nil, fmt.Errorf("read the lock file of dynalite: %w", err)
	}
	pinned := store.Package{Name: "dynalite", Version: dynaliteVersion, Pinned: files, Source: "fixtures/dynalite",
		Entry: "node_modules/dynalite/cli.js", Instead: "use --store embedded"}
	node, err := pinned.Node()
	if err != nil {
		return nil, err
	}
	entry, err := pinned.Install(ctx, opts.CacheDir, opts.Log)
	if err != nil {
		return nil, err
	}
	c := &child{title: "dynalite", lacks: dynaliteLacks, byTable: true, argv: func(port string) []string {
		return []string{node, entry, "--host", "127.0.0.1", "--port", port, "--createTableMs", "1",
			"--deleteTableMs", "1",
			"--updateTableMs", "1"}
	}}
	return c.open(ctx, opts, "dynalite "+dynaliteVersion)
}
