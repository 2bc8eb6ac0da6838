package watch

import (
	"maps"
	"strings"
)

// Variables always contain a connection string that points to the gateway: they are the ones that the Azure CLI and its
// samples, Azure Functions, and the systems of storespec read.
func Variables() []string {
	return []string{"AZURE_STORAGE_CONNECTION_STRING", "AzureWebJobsStorage", "AZURE_TABLES_CONNECTION_STRING"}
}

// environment returns what to set for the command on top of own, which is storespec's environment as KEY=value:
// Variables, each variable that contains the given connection string, and what the fitting adds.
func (o *Options) environment(own []string, values map[string]string) map[string]string {
	env := map[string]string{}
	given := strings.TrimRight(strings.TrimSpace(o.Given), ";")
	for _, variable := range own {
		name, value, _ := strings.Cut(variable, "=")
		if name != "" && given != "" && strings.Contains(value, given) {
			env[name] = strings.ReplaceAll(value, given, strings.TrimRight(values["connection"], ";"))
		}
	}
	for _, name := range Variables() {
		env[name] = values["connection"]
	}
	maps.Copy(env, o.Fitting.Environment(values, ""))
	return env
}
