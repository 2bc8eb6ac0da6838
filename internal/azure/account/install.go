package account

import (
	"context"
	"io"

	"github.com/storespec/storespec/fixtures"
	"github.com/storespec/storespec/internal/npm"
)

// azuriteVersion is the last Azurite that runs on Node 20; 3.36 needs 21 or later. fixtures/azurite pins the same
// version.
const azuriteVersion = "3.35.0"

// azuriteMain is Azurite's entry point in an installation.
const azuriteMain = "node_modules/azurite/dist/src/azurite.js"

// azuritePackage is Azurite as npm installs it.
func azuritePackage() npm.Package {
	return npm.Package{Title: "Azurite", Name: "azurite", Version: azuriteVersion, Files: fixtures.Azurite,
		Main: azuriteMain, Instead: "STORE=container"}
}

// installAzurite returns Azurite's entry point, as npm.Package.Install does.
func installAzurite(ctx context.Context, cacheDir string, log io.Writer) (string, error) {
	return azuritePackage().Install(ctx, cacheDir, log)
}
