package main

import (
	"bytes"
	"context"
	"errors"
	"regexp"

	"github.com/storespec/storespec/reference"
	"github.com/storespec/storespec/steps"
)

// actionsSystem is the design of GitHub Actions records.
func actionsSystem() steps.System {
	const table, container = "GitHubActions", "archive" // no server may know them by heart
	return steps.System{
		Name:         "actions",
		Ready:        "/api/health",
		NeedsStore:   "/api/actions/nobody/nothing",
		Container:    container,
		ErrorCode:    "errorCode",
		TraceID:      "correlationId",
		Names:        map[string]string{"actions": table, "container": container},
		Contract:     []byte(reference.Contract("actions")),
		Capabilities: actionsCapabilities(),
		Shared:       []string{`api/actions/stats`, `api/actions/list\?limit`}, // look at the records of all owners
		Tool:         runStorespec,
		Environment: func(c steps.Connections) map[string]string {
			// With the SDK's default back-off a broken store costs seconds per call.
			timeout := "2s"
			if c.Hangs {
				timeout = "250ms"
			}
			return map[string]string{
				"ACTIONS_TABLE_CONNECTION": c.Storage,
				"AzureWebJobsStorage":      c.Storage,
				"ACTIONS_TABLE_NAME":       table,
				"BUILD_SHA":                "storespec",
				"STORAGE_RETRY_DELAY":      "1ms",
				"STORAGE_TRY_TIMEOUT":      timeout,
			}
		},
	}
}

// runStorespec runs a command of this program in this process.
func runStorespec(ctx context.Context, getenv func(string) string, args []string) (status int, said string) {
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &out, getenv: getenv}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if said := statusError(0); err != nil && !errors.As(err, &said) {
		a.explain(err)
	}
	return a.status(ctx, err), out.String()
}

// actionsCapabilities are the parts of the design that a server may come without.
func actionsCapabilities() []steps.Capability {
	return []steps.Capability{
		{Name: "batch", Description: "POST /api/ActionsUpsert/batch: up to 100 records at once", Shown: regexp.MustCompile(`/ActionsUpsert/batch\b`)},
		{Name: "list", Description: "GET /api/actions/list: the records of an owner, page by page", Shown: regexp.MustCompile(`/api/actions/list\b`)},
		{Name: "stats", Description: "GET /api/actions/stats: how many records and owners there are", Shown: regexp.MustCompile(`/api/actions/stats\b`)},
		{Name: "history", Description: "ACTIONS_HISTORY_CONTAINER: what is replaced is archived first", Shown: regexp.MustCompile(`\bACTIONS_HISTORY_CONTAINER\b`)},
		{Name: "cache", Description: "REDIS_URL: reads are served from Redis", Shown: regexp.MustCompile(`\bRedis\b`)},
		{Name: "load", Description: "POST /api/ActionsUpsert/batch as storespec actions load needs it", Shown: regexp.MustCompile(`\bactions load\b`)},
		{Name: "purge", Description: "storespec actions purge, whose archives go beside the table", Shown: regexp.MustCompile(`\bactions purge\b`)},
	}
}
