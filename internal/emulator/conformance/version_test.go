package conformance_test

import (
	"net/http/httptest"
	"testing"

	"github.com/storespec/storespec/internal/emulator"
	azureemulator "github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/conformance"
	"github.com/storespec/storespec/internal/emulator/conformance/azure"
)

// versioned is the harness of the emulator with --blob-versioning.
func versioned() conformance.Harness[azure.Account] {
	return conformance.Harness[azure.Account]{Store: "embedded", Open: func(t *testing.T) azure.Account {
		opened, err := emulator.Open(emulator.Options{BlobVersioning: true, Log: t.Logf})
		if err != nil {
			t.Fatal(err)
		}
		const name, key = azureemulator.DevelopmentAccount, azureemulator.DevelopmentKey
		server := httptest.NewServer(opened.Blob)
		t.Cleanup(func() {
			server.Close()
			if err := opened.Close(); err != nil {
				t.Error(err)
			}
		})
		if err := opened.AddAccount(name, key); err != nil {
			t.Fatal(err)
		}
		return azure.Account{Name: name, Key: key, Client: server.Client(),
			Connection: "DefaultEndpointsProtocol=http;AccountName=" + name + ";AccountKey=" + key + ";BlobEndpoint=" +
				server.URL + "/" + name + ";"}
	}}
}

func TestBlobVersions(t *testing.T) {
	conformance.Run(t, azure.BlobVersions(), versioned())
	conformance.Run(t, azure.BlobVersions(), azurite(azuriteLacksOfVersions()))
}
