package trace

import (
	"maps"
	"strings"
)

// Variables for an account of Azure always contain a connection string that points to the gateway: they are the ones
// that the Azure CLI and its samples, Azure Functions, and the systems of storespec read.
func Variables() []string {
	return []string{"AZURE_STORAGE_CONNECTION_STRING", "AzureWebJobsStorage", "AZURE_TABLES_CONNECTION_STRING"}
}

// environment returns what to set for the command on top of own, which is storespec's environment as KEY=value:
// o.Variables, each variable that contains the given connection string, and what the fitting adds.
func (o *Options) environment(own []string, values map[string]string) map[string]string {
	env := map[string]string{}
	given := strings.TrimRight(strings.TrimSpace(o.Given), ";")
	for _, variable := range own {
		name, value, _ := strings.Cut(variable, "=")
		if name != "" && given != "" && strings.Contains(value, given) {
			env[name] = strings.ReplaceAll(value, given, strings.TrimRight(values["connection"], ";"))
		}
	}
	for name, placeholder := range o.Variables {
		env[name] = values[placeholder]
	}
	maps.Copy(env, o.Fitting.Environment(values, ""))
	return env
}

// filledIn returns a command with the values of the store in it. Other words in braces stay.
func filledIn(command []string, values map[string]string) []string {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, "{"+name+"}", value)
	}
	filler := strings.NewReplacer(pairs...)
	filled := make([]string, len(command))
	for i, word := range command {
		filled[i] = filler.Replace(word)
	}
	return filled
}
