package main

import (
	"io"
	"log/slog"
	"net/http"
	"regexp"

	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/reference"
	"github.com/storespec/storespec/steps"
)

// systems is every design storespec knows, with what its contract promises an implementation.
func systems() []steps.System { return []steps.System{familyschedulerSystem(), actionsSystem()} }

// familyschedulerSystem is the design of groups and their appointments.
func familyschedulerSystem() steps.System {
	return steps.System{
		Name:         "familyscheduler",
		Ready:        "/api/health",
		NeedsStore:   "/api/me/groups",
		Container:    "state",
		Session:      steps.Session{Header: "x-session-id", Cookie: "fs_session"},
		ErrorCode:    "error",
		TraceID:      "traceId",
		NotInKeys:    steps.EMail(),
		SecretBlobs:  regexp.MustCompile(`(sessions|magic-links)/[\w.-]+`),
		Contract:     []byte(reference.Contract("familyscheduler")),
		Capabilities: familyschedulerCapabilities(),
		Shared:       []string{"DailyMetrics", "DailyUsageByModel"},
		Environment: func(c steps.Connections) map[string]string {
			// With the SDK's default back-off a broken store costs seconds per call.
			timeout := "2s"
			if c.Hangs {
				timeout = "250ms"
			}
			return map[string]string{
				"AZURE_TABLES_CONNECTION_STRING": c.Storage,
				"AzureWebJobsStorage":            c.Storage,
				"STATE_CONTAINER":                c.Container,
				"OPENAI_BASE_URL":                c.OpenAI,
				"OPENAI_API_KEY":                 "storespec",     // the harness's own server asks for none
				"OPENAI_MODEL":                   "gpt-4o/2024#1", // no key may hold it as it is
				"MAGIC_LINK_SECRET":              c.Secret,
				"MAGIC_LINK_OUTBOX":              c.Outbox,
				"BUILD_SHA":                      "storespec",
				"STORAGE_RETRY_DELAY":            "1ms",
				"STORAGE_TRY_TIMEOUT":            timeout,
			}
		},
	}
}

// referenceTarget is the system's reference server in this process.
func referenceTarget(system string) target.Target {
	return target.Reference("reference", referenceOpener(system))
}

// referenceOpener opens the system's reference server. It logs everything it can, so that its log can be held to the rules.
func referenceOpener(system string) target.Opener {
	return func(getenv func(string) string, storage http.RoundTripper, log io.Writer) (target.Handler, error) {
		logger := slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		return reference.Open(system, getenv, storage, logger)
	}
}
