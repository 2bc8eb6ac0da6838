package account

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/storespec/storespec/fixtures"
	"github.com/storespec/storespec/internal/host/process"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// startLimit is the time limit for a start. It takes under a second on an idle machine; the rest is for a machine that
// builds and tests at the same time.
const startLimit = 60 * time.Second

// lookEvery is how often a starting child's output is checked; a start takes about 500 ms.
const lookEvery = 5 * time.Millisecond

// azuriteFlags returns the flags common to the process and the container. Azurite without --disableTelemetry calls
// home.
func azuriteFlags() []string {
	return []string{"--disableTelemetry", "--skipApiVersionCheck"}
}

// azuriteVersion is the last Azurite that runs on Node 20; 3.36 needs 21 or later. fixtures/azurite pins the same
// version.
const azuriteVersion = "3.35.0"

// azuriteEntry is Azurite's entry point in an installation.
const azuriteEntry = "node_modules/azurite/dist/src/azurite.js"

// azuritePackage is Azurite at npm.
func azuritePackage() (store.Package, error) {
	pinned, err := fs.Sub(fixtures.Azurite, "azurite")
	if err != nil {
		return store.Package{}, fmt.Errorf("read the lock file of Azurite: %w", err)
	}
	return store.Package{Name: "Azurite", Version: azuriteVersion, Pinned: pinned, Source: "fixtures/azurite",
		Entry: azuriteEntry, Instead: "use --store container"}, nil
}

// openAzurite starts Azurite as a child process on free ports.
func openAzurite(ctx context.Context, opts store.Options) (*store.Pool, error) {
	pinned, err := azuritePackage()
	if err != nil {
		return nil, err
	}
	node, err := pinned.Node()
	if err != nil {
		return nil, err
	}
	entry, err := pinned.Install(ctx, opts.CacheDir, opts.Log)
	if err != nil {
		return nil, err
	}
	accounts, err := newAccounts(opts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	child, err := startAzurite(ctx, node, entry, accounts.list())
	if err != nil {
		return nil, err
	}
	s, err := accounts.pool(ctx, opts.Name, child.table, child.blob)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w\noutput of Azurite:\n%s", err, child.process.Output()), child.stop(ctx))
	}
	s.Broken = store.Ended(child.process, fmt.Sprintf("Azurite ended at %s and %s", child.table, child.blob))
	s.Stop = child.stop
	return s, nil
}

// azuriteChild is a running Azurite and the addresses it listens on.
type azuriteChild struct {
	process     *process.Process
	dir         string // its working directory, removed at the end
	table, blob *url.URL
}

// startAzurite starts Azurite and waits until it has reported the ports the system assigned.
func startAzurite(ctx context.Context, node, entry, accounts string) (*azuriteChild, error) {
	// In-memory Azurite refuses --location, so its location is its working directory.
	dir, err := os.MkdirTemp("", "storespec-azurite-*")
	if err != nil {
		return nil, fmt.Errorf("%w: make a working directory: %w", store.ErrUnavailable, err)
	}
	child := &azuriteChild{dir: dir}
	argv := append([]string{node, entry, "--inMemoryPersistence", "--silent",
		"--blobPort", "0", "--queuePort", "0", "--tablePort", "0"}, azuriteFlags()...)
	env := process.Environ(map[string]string{"AZURITE_ACCOUNTS": accounts})
	if child.process, err = process.Start(argv, process.Options{Dir: dir, Env: env}); err != nil {
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	if err := child.listening(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: start %s: %w\noutput:\n%s", store.ErrUnavailable, entry, err,
			child.process.Output()), child.stop(ctx))
	}
	return child, nil
}

// listening waits for Azurite's messages about its ports.
func (c *azuriteChild) listening(ctx context.Context) error {
	look := time.Tick(lookEvery)
	for {
		output := c.process.Output()
		c.blob, c.table = listenAddress(output, "Blob"), listenAddress(output, "Table")
		if c.blob != nil && c.table != nil {
			return nil
		}
		select {
		case <-look:
		case <-c.process.Done():
			return errors.New(c.process.Exit())
		case <-ctx.Done():
			return fmt.Errorf("wait for its ports: %w", ctx.Err())
		}
	}
}

// listenAddress finds a service's address in Azurite's output; nil: not there yet.
func listenAddress(output, service string) *url.URL {
	m := regexp.MustCompile(`Azurite ` + service + ` service is successfully listening at (\S+)\n`).
		FindStringSubmatch(output)
	if m == nil {
		return nil
	}
	u, _ := url.Parse(m[1]) // nil on error
	return u
}

func (c *azuriteChild) stop(ctx context.Context) error {
	return errors.Join(c.process.Stop(ctx), os.RemoveAll(c.dir))
}

// accounts holds the accounts an emulator is started with.
type accounts struct{ lanes, cold []credential }

func newAccounts(opts store.Options) (accounts, error) {
	lanes, err := newCredentials(opts.Entropy, "lane", opts.Lanes)
	if err != nil {
		return accounts{}, err
	}
	if opts.Published {
		lanes[0] = credential{account: publishedAccount, key: publishedKey}
	}
	cold, err := newCredentials(opts.Entropy, "cold", opts.Cold)
	return accounts{lanes, cold}, err
}

// list returns the value of AZURITE_ACCOUNTS: account1:key1;account2:key2;…
func (a accounts) list() string {
	var b strings.Builder
	for _, c := range slices.Concat(a.lanes, a.cold) {
		b.WriteString(c.account + ":" + c.key + ";")
	}
	return b.String()
}

// pool waits for the emulator at the given addresses and creates its store.
func (a accounts) pool(ctx context.Context, name string, table, blob *url.URL) (*store.Pool, error) {
	transport := newTransport(false)
	handlers := upstream(wire.NewProxy(table, transport, azure.NamesAccount),
		wire.NewProxy(blob, transport, azure.NamesAccount))
	namespaces := func(creds []credential) []*store.Namespace {
		var list []*store.Namespace
		for _, c := range creds {
			direct := connectionString(c.account, c.key, table.String(), blob.String())
			n := namespace(c.account, c.key, direct, nil, "")
			n.Upstream = handlers
			n.Wipe = func(ctx context.Context) error { return wipe(ctx, direct, transport, "") }
			n.Drop = func(ctx context.Context) error { return drop(ctx, direct, transport) }
			list = append(list, n)
		}
		return list
	}
	lanes := namespaces(a.lanes)
	version, err := ready(ctx, lanes[0].Direct["connection"], transport)
	if err != nil {
		return nil, fmt.Errorf("%w: no answer from %s and %s: %w", store.ErrUnavailable, table, blob, err)
	}
	return store.NewPool(name, version, lanes, namespaces(a.cold)), nil
}

// ready lists the tables and containers of an account, and returns the name that the table service reports for itself.
func ready(ctx context.Context, connection string, transport http.RoundTripper) (string, error) {
	tables, blobs, err := sdkClients(connection, transport)
	if err != nil {
		return "", err
	}
	var answer *http.Response
	if _, err := tables.NewListTablesPager(nil).NextPage(policy.WithCaptureResponse(ctx, &answer)); err != nil {
		return "", fmt.Errorf("list tables: %w", terse(err))
	}
	if _, err := blobs.NewListContainersPager(nil).NextPage(ctx); err != nil {
		return "", fmt.Errorf("list containers: %w", terse(err))
	}
	return serverVersion(answer.Header.Get("Server")), nil
}

// serverVersion turns "Azurite-Table/3.35.0" into "Azurite 3.35.0" and leaves other names unchanged.
func serverVersion(server string) string {
	if v, ok := strings.CutPrefix(server, "Azurite-Table/"); ok {
		return "Azurite " + v
	}
	return server
}
