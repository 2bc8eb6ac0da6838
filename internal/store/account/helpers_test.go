package account

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// needNode skips without Node and npm, but not in CI, where their absence is a mistake.
func needNode(t *testing.T) {
	t.Helper()
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not in PATH, and CI must run these tests", name)
		}
		t.Skipf("%s is not in PATH", name)
	}
}

// needDocker skips unless STORESPEC_TEST_DOCKER=1 asks for Docker; then its absence fails the test.
func needDocker(t *testing.T) {
	t.Helper()
	if os.Getenv("STORESPEC_TEST_DOCKER") != "1" {
		t.Skip("needs Docker: set STORESPEC_TEST_DOCKER=1 to run")
	}
}

// kinds is the kind that is tested here.
func kinds() []store.Kind { return []store.Kind{Kind{}} }

// connected is the connection string of a target whose gateway listens there.
func connected(l *store.Lease, table, blob string) string {
	return l.Values(map[wire.Service]string{azure.Table: table, azure.Blob: blob})["connection"]
}

func openStore(t *testing.T, opts store.Options) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), kinds(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

// closeStore has a context of its own, since a test's ends before its cleanups run.
func closeStore(t *testing.T, s store.Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
}

func mustLease(t *testing.T, s store.Store) *store.Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	l, err := s.Lease(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// clients are what a target has.
type clients struct {
	tables *aztables.ServiceClient
	blobs  *azblob.Client
}

func newClients(t *testing.T, connection string, transport http.RoundTripper) clients {
	t.Helper()
	opts := azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}
	if transport != nil {
		opts.Transport = &http.Client{Transport: transport}
	}
	tables, err := aztables.NewServiceClientFromConnectionString(connection,
		&aztables.ClientOptions{ClientOptions: opts})
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := azblob.NewClientFromConnectionString(connection, &azblob.ClientOptions{ClientOptions: opts})
	if err != nil {
		t.Fatal(err)
	}
	return clients{tables, blobs}
}

// gateway listens on loopback for a lease's upstreams, as the harness does, and returns the clients
// of a target behind it.
func gateway(t *testing.T, l *store.Lease) clients {
	t.Helper()
	upstream := l.Upstream()
	table, blob := httptest.NewServer(upstream[azure.Tables{}]), httptest.NewServer(upstream[azure.Blobs{}])
	t.Cleanup(table.Close)
	t.Cleanup(blob.Close)
	return newClients(t, connected(l, table.URL, blob.URL), nil)
}

// awkwardKeys are keys that need care in an address, a filter or a signature.
func awkwardKeys() []string {
	return []string{"plain", "with space", "it's", "a|b", "grün€", "100%", "a;b&c=d+e", "semi;colon", `"quoted"`,
		"100%41", "(paren)", "a,b:c@d!$*", strings.Repeat("k", 200)}
}

// awkwardBlobs are the same for blob names, which may have slashes.
func awkwardBlobs() []string {
	return append(awkwardKeys(), "dir/file.txt", "dir//file", "?query", "#fragment", "trailing.dot.txt", "[brackets]",
		"~tilde^caret`tick", "{brace}", "日本語.json")
}

func createTable(t *testing.T, c clients, name string) {
	t.Helper()
	if _, err := c.tables.CreateTable(t.Context(), name, nil); err != nil && status(err) != http.StatusConflict {
		t.Fatal(err)
	}
}

func createContainer(t *testing.T, c clients, name string) {
	t.Helper()
	if _, err := c.blobs.CreateContainer(t.Context(), name, nil); err != nil && status(err) != http.StatusConflict {
		t.Fatal(err)
	}
}

func query(t *testing.T, table *aztables.Client, filter string) (rows int) {
	t.Helper()
	opts := &aztables.ListEntitiesOptions{}
	if filter != "" {
		opts.Filter = &filter
	}
	pager := table.NewListEntitiesPager(opts)
	for pager.More() {
		page, err := pager.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		rows += len(page.Entities)
	}
	return rows
}

func blobNames(t *testing.T, c clients, container string) (names []string) {
	t.Helper()
	pager := c.blobs.NewListBlobsFlatPager(container, nil)
	for pager.More() {
		page, err := pager.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Segment.BlobItems {
			names = append(names, *item.Name)
		}
	}
	slices.Sort(names)
	return names
}

// status is the status of an SDK's error; 0: there was no answer.
func status(err error) int {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return response.StatusCode
	}
	return 0
}
