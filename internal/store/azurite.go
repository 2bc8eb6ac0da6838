package store

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/storespec/storespec/internal/process"
	"github.com/storespec/storespec/internal/wire"
)

// startLimit bounds a start. It takes under a second on an idle machine; the rest is for a machine
// that builds and tests at the same time.
const startLimit = 60 * time.Second

// lookEvery is how often a starting child's output is looked at; a start takes some 500 ms.
const lookEvery = 5 * time.Millisecond

// azuriteFlags are common to the process and the container. Azurite without --disableTelemetry
// calls home.
func azuriteFlags() []string {
	return []string{"--disableTelemetry", "--skipApiVersionCheck"}
}

// openAzurite starts Azurite as a child process on free ports.
func openAzurite(ctx context.Context, opts Options) (*pooled, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("%w: node is not in PATH; install Node 20 or later with npm "+
			"(https://nodejs.org, or apt-get install nodejs npm), or use STORE=container", ErrUnavailable)
	}
	entry, err := installAzurite(ctx, opts.CacheDir, opts.Log)
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
	s.broken = func() error {
		select {
		case <-child.process.Done():
			return fmt.Errorf("%w: Azurite ended at %s and %s: %s\n%s", ErrUnavailable, child.table, child.blob, child.process.Exit(), child.process.Output())
		default:
			return nil
		}
	}
	s.stop = child.stop
	return s, nil
}

// azuriteChild is a running Azurite and where it listens.
type azuriteChild struct {
	process     *process.Process
	dir         string // its working directory, removed at the end
	table, blob *url.URL
}

// startAzurite starts it and waits until it has said which ports the system gave it.
func startAzurite(ctx context.Context, node, entry, accounts string) (*azuriteChild, error) {
	// In-memory Azurite refuses --location, so its location is its working directory.
	dir, err := os.MkdirTemp("", "storespec-azurite-*")
	if err != nil {
		return nil, fmt.Errorf("%w: make a working directory: %w", ErrUnavailable, err)
	}
	child := &azuriteChild{dir: dir}
	argv := append([]string{
		node, entry, "--inMemoryPersistence", "--silent",
		"--blobPort", "0", "--queuePort", "0", "--tablePort", "0",
	}, azuriteFlags()...)
	env := process.Environ(map[string]string{"AZURITE_ACCOUNTS": accounts})
	if child.process, err = process.Start(argv, process.Options{Dir: dir, Env: env}); err != nil {
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := child.listening(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: start %s: %w\noutput:\n%s", ErrUnavailable, entry, err, child.process.Output()), child.stop(ctx))
	}
	return child, nil
}

// listening waits for Azurite's messages about its ports.
func (c *azuriteChild) listening(ctx context.Context) error {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		output := c.process.Output()
		c.blob, c.table = listenAddress(output, "Blob"), listenAddress(output, "Table")
		if c.blob != nil && c.table != nil {
			return nil
		}
		select {
		case <-look.C:
		case <-c.process.Done():
			return errors.New(c.process.Exit())
		case <-ctx.Done():
			return fmt.Errorf("wait for its ports: %w", ctx.Err())
		}
	}
}

// listenAddress finds a service's address in Azurite's output; nil: it is not there yet.
func listenAddress(output, service string) *url.URL {
	m := regexp.MustCompile(`Azurite ` + service + ` service is successfully listening at (\S+)\n`).FindStringSubmatch(output)
	if m == nil {
		return nil
	}
	u, err := url.Parse(m[1])
	if err != nil {
		return nil
	}
	return u
}

func (c *azuriteChild) stop(ctx context.Context) error {
	return errors.Join(c.process.Stop(ctx), os.RemoveAll(c.dir))
}

// accounts are the accounts an emulator is started with.
type accounts struct{ lanes, cold []credential }

func newAccounts(opts Options) (accounts, error) {
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

// list is the value of AZURITE_ACCOUNTS: account1:key1;account2:key2;…
func (a accounts) list() string {
	var b strings.Builder
	for _, c := range append(a.lanes[:len(a.lanes):len(a.lanes)], a.cold...) {
		b.WriteString(c.account + ":" + c.key + ";")
	}
	return b.String()
}

// pool waits for the emulator at the given addresses and makes its store.
func (a accounts) pool(ctx context.Context, name string, table, blob *url.URL) (*pooled, error) {
	transport := newTransport(false)
	upstream := map[wire.Service]http.Handler{
		wire.Table: wire.NewProxy(table, transport),
		wire.Blob:  wire.NewProxy(blob, transport),
	}
	namespaces := func(creds []credential) []*namespace {
		var list []*namespace
		for _, c := range creds {
			direct := connectionString(c.account, c.key, table.String(), blob.String())
			list = append(list, &namespace{
				account: c.account, key: c.key, direct: direct, upstream: upstream,
				wipe: func(ctx context.Context) error { return wipe(ctx, direct, transport, "") },
			})
		}
		return list
	}
	lanes := namespaces(a.lanes)
	version, err := ready(ctx, lanes[0].direct, transport)
	if err != nil {
		return nil, fmt.Errorf("%w: no answer from %s and %s: %w", ErrUnavailable, table, blob, err)
	}
	return newPooled(name, version, lanes, namespaces(a.cold)), nil
}

// ready lists the tables and the containers of an account, and returns what the table service
// calls itself.
func ready(ctx context.Context, connection string, transport http.RoundTripper) (string, error) {
	w, err := newWiper(connection, transport)
	if err != nil {
		return "", err
	}
	var answer *http.Response
	tables := w.tables.NewListTablesPager(nil)
	if _, err := tables.NextPage(policy.WithCaptureResponse(ctx, &answer)); err != nil {
		return "", fmt.Errorf("list tables: %w", terse(err))
	}
	containers := w.blobs.NewListContainersPager(nil)
	if _, err := containers.NextPage(ctx); err != nil {
		return "", fmt.Errorf("list containers: %w", terse(err))
	}
	return serverVersion(answer.Header.Get("Server")), nil
}

// serverVersion makes "Azurite 3.35.0" of "Azurite-Table/3.35.0" and leaves other names alone.
func serverVersion(server string) string {
	if v, ok := strings.CutPrefix(server, "Azurite-Table/"); ok {
		return "Azurite " + v
	}
	return server
}
