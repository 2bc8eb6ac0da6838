package steps

import (
	"slices"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/steps/actions"
	"github.com/storespec/storespec/steps/budgets"
	"github.com/storespec/storespec/steps/c4lendar"
	"github.com/storespec/storespec/steps/cache"
	"github.com/storespec/storespec/steps/calendsync"
	"github.com/storespec/storespec/steps/commands"
	"github.com/storespec/storespec/steps/familyscheduler"
	"github.com/storespec/storespec/steps/faults"
	"github.com/storespec/storespec/steps/identity"
	"github.com/storespec/storespec/steps/objects"
	"github.com/storespec/storespec/steps/pages"
	"github.com/storespec/storespec/steps/races"
	"github.com/storespec/storespec/steps/rows"
	"github.com/storespec/storespec/steps/services"
	"github.com/storespec/storespec/steps/surroundings"
	"github.com/storespec/storespec/steps/telemetry"
	"github.com/storespec/storespec/steps/web"
)

// Themes returns the vocabulary: first the steps for every design, then those for the rules of one system.
func Themes() []scenario.Theme {
	return slices.Concat([]scenario.Theme{
		{Name: "requests and answers", Steps: slices.Concat(web.Requests(), web.Answers(), web.Headers()),
			Shares: true},
		{Name: "rows", Steps: rows.Words(), Shares: true},
		{Name: "blobs", Steps: objects.Words(), Shares: true},
		{Name: "keys", Steps: objects.Keys(), Shares: true},
		{Name: "columns and tables of the whole store", Steps: rows.Columns(), Shares: true},
		{Name: "budgets", Steps: budgets.Words(), Shares: true},
		{Name: "storage calls that fail", Steps: faults.Words()},
		{Name: "requests that are sent again", Steps: web.Repeats(), Shares: true},
		{Name: "how long answers take", Steps: web.Pace()},
		{Name: "requests at the same time", Steps: races.Words()},
		{Name: "starts, outages and other services", Steps: slices.Concat(surroundings.Outages(), services.OpenAI())},
		{Name: "services that the server calls", Steps: services.Words()},
		{Name: "hostile input", Steps: web.Hostile(), Shares: true},
		{Name: "traces", Steps: telemetry.Words()},
		{Name: "pages for a browser", Steps: pages.Words(), Shares: true},
		{Name: "gated routes", Steps: web.Routes(), Shares: true},
		{Name: "parts that a server may lack", Steps: web.Capabilities()},
		{Name: "names for values", Steps: web.Values(), Shares: true},
		{Name: "how the server runs", Steps: surroundings.Instances()},
		{Name: "a cache", Steps: cache.Words()},
		{Name: "a managed identity", Steps: identity.Words()},
		{Name: "storespec's own commands", Steps: commands.Words()},
	}, familyscheduler.Words(), actions.Words(), c4lendar.Words(), calendsync.Words())
}
