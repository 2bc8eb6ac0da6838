package watch

import (
	"maps"
	"strings"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// Variables always hold a connection string that leads through the gateway: those that the Azure CLI and its samples,
// Azure Functions, and the systems of storespec read.
func Variables() []string {
	return []string{"AZURE_STORAGE_CONNECTION_STRING", "AzureWebJobsStorage", "AZURE_TABLES_CONNECTION_STRING"}
}

// connections is what leads to an account through a gateway.
func connections(account *store.Lease, gate *wire.Gateway) steps.Connections {
	tables, blobs := gate.Endpoint(wire.Table), gate.Endpoint(wire.Blob)
	return steps.Connections{
		Storage: account.ConnectionString(tables, blobs),
		Account: account.Account, Key: account.Key,
		Tables: tables + "/" + account.Account, Blobs: blobs + "/" + account.Account,
	}
}

// environment is what the command gets over own, the environment of storespec as KEY=value: Variables, each variable that
// holds the connection string that was given, and what the fitting adds.
func (o *Options) environment(own []string, c steps.Connections) map[string]string {
	env := map[string]string{}
	given := strings.TrimRight(strings.TrimSpace(o.Given), ";")
	for _, variable := range own {
		name, value, _ := strings.Cut(variable, "=")
		if name != "" && given != "" && strings.Contains(value, given) {
			env[name] = strings.ReplaceAll(value, given, strings.TrimRight(c.Storage, ";"))
		}
	}
	for _, name := range Variables() {
		env[name] = c.Storage
	}
	maps.Copy(env, o.Fitting.Environment(c, ""))
	return env
}
