package conformance_test

import (
	"flag"
	"net/http"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/conformance"
	"github.com/storespec/storespec/internal/emulator/conformance/azure"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/storetest"
)

var update = flag.Bool("update", false, "rewrite the lists of differences in docs/run/emulators.md")

// requestLimit bounds a request. The longest take some 100 ms; the rest is for a busy machine.
const requestLimit = time.Minute

// account is what the Azure suites need of a lease.
func account(lease *store.Lease) azure.Account {
	direct := lease.Direct()
	return azure.Account{Name: direct["account"], Key: direct["key"], Connection: direct["connection"],
		Client: &http.Client{Transport: lease.Transport(), Timeout: requestLimit}} // a nil transport: by sockets
}

// embedded is the harness of the emulator in this process, which lacks nothing that the suites know of.
func embedded() conformance.Harness[azure.Account] {
	return conformance.Harness[azure.Account]{Store: "embedded", Open: func(t *testing.T) azure.Account {
		return account(storetest.Lease(t))
	}}
}

func TestTables(t *testing.T) {
	conformance.Run(t, azure.Tables(), embedded())
	conformance.Run(t, azure.Tables(), azurite(azuriteLacksOfTables()))
}

func TestBlobs(t *testing.T) {
	conformance.Run(t, azure.Blobs(), embedded())
	conformance.Run(t, azure.Blobs(), azurite(azuriteLacksOfBlobs()))
}

// references are the REST references of the services.
func references(t *testing.T) map[string]referenced {
	t.Helper()
	found := map[string]referenced{}
	for name, load := range map[string]func() (*azure.Reference, conformance.Suite[azure.Account], error){
		"tables": azure.TableReference, "blobs": azure.BlobReference,
	} {
		list, suite, err := load()
		if err != nil {
			t.Fatal(err)
		}
		found[name] = referenced{list, suite}
	}
	return found
}

type referenced struct {
	list  *azure.Reference
	suite conformance.Suite[azure.Account]
}

// TestReference shows that of what the lists of the REST references have nothing is accepted in silence; what they do
// not have may be ignored. Azurite is not held to them.
func TestReference(t *testing.T) {
	for name, r := range references(t) {
		t.Run(name, func(t *testing.T) { conformance.Run(t, r.suite, embedded()) })
	}
}

// TestDocumentation keeps the lists that users read what the suites show.
func TestDocumentation(t *testing.T) {
	const documented = "Azure, and this emulator"
	refused := references(t)
	conformance.Document(t, "../../../docs/run/emulators.md", *update, map[string]string{
		"refused of tables": refused["tables"].list.Refusals(),
		"refused of blobs":  refused["blobs"].list.Refusals(),
		"tables": azure.Tables().Table(documented,
			conformance.Column{Heading: azuriteVersion, Lacks: azuriteLacksOfTables()}),
		"versions of blobs": azure.BlobVersions().Table(documented,
			conformance.Column{Heading: azuriteVersion, Lacks: azuriteLacksOfVersions()}),
		"blobs": azure.Blobs().Table(documented,
			conformance.Column{Heading: azuriteVersion, Lacks: azuriteLacksOfBlobs()}),
	})
}
