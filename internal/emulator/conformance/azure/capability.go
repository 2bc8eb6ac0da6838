package azure

import (
	"github.com/storespec/storespec/internal/emulator/conformance"
)

// Where Azure's behavior is documented or was observed.
const (
	rest         = "https://learn.microsoft.com/rest/api/storageservices/"
	commonErrors = rest + "common-rest-api-error-codes"
	azureDocs    = "https://learn.microsoft.com/azure/storage/blobs/"
	// azblobTests are the tests of Azure's SDK for Go, whose answers were recorded from Azure.
	azblobTests = "azure-sdk-for-go, sdk/storage/azblob v1.8.1, "
	// aztablesTests are the same for tables; recorded in github.com/Azure/azure-sdk-assets.
	aztablesTests = "azure-sdk-for-go, sdk/data/aztables, as recorded: "
	pythonTests   = "azure-data-tables for Python, as recorded: "
	// recorded are those of azblobTests whose recording was read.
	recorded = "recorded by azure-sdk-for-go, sdk/storage/azblob, "
	// recordedJS are the same of the SDK for JavaScript.
	recordedJS = "recorded by azure-sdk-for-js, "
	azuriteBug = "https://github.com/Azure/Azurite/issues/"
)

func documented(what, source string) *conformance.Capability {
	return &conformance.Capability{Documented: what, Source: source}
}
