package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/steps"
)

// familyschedulerCapabilities are the parts of the design that a server may come without, each of
// which the rest can do without. docs/validate-your-server.md lists them for people.
func familyschedulerCapabilities() []steps.Capability {
	return []steps.Capability{
		{Name: "chat", Description: "POST /api/chat, which asks OpenAI, and the counting of it", Shown: regexp.MustCompile(`/api/chat\b`)},
		{Name: "usage", Description: "GET /api/usage: what a person used", Shown: regexp.MustCompile(`/api/usage\b`)},
		{Name: "scan", Description: "pictures of appointments", Shown: regexp.MustCompile(`/api/appointment/scan\b`)},
		{Name: "ignite", Description: "ignite sessions, their pictures and their guests", Shown: regexp.MustCompile(`/api/ignite/(start|close|meta|join|photo)\b|\bguest of\b`)},
		{Name: "spinoff", Description: "POST /api/ignite/spinoff: a group made out of another", Shown: regexp.MustCompile(`/api/ignite/spinoff\b`)},
		{Name: "participants", Description: "who takes part in an appointment", Shown: regexp.MustCompile(`assign_participant`)},
		{Name: "sign-in", Description: "sign-in by a link", Shown: regexp.MustCompile(`/api/auth/|sign-in link|signs in by link`)},
		{Name: "pages", Description: "the pages for a browser", Shown: regexp.MustCompile(` opens /| opens the sign-in link|asks for a sign-in link|\bthe page\b|sends GET / `)},
		{Name: "telemetry", Description: "spans over OTLP", Shown: regexp.MustCompile(`\bcollector\b`)},
		{Name: "idempotency-key", Description: "the header Idempotency-Key: a request that is sent again is done once", Shown: regexp.MustCompile(
			`with the key \w+$|Idempotency-Key|^key$` + // the column of requests that run at the same time
				// Under faults, what is made may be made twice without the key, and what is counted be counted twice.
				`|(/group/create|/ignite/spinoff|create_appointment).*, and any one storage call fails$` +
				`|^(newUsers|newGroups|newAppointments|invitesSent|invitesAccepted)$`)},
	}
}

// lackable refuses a name that is no capability of any of the systems.
func lackable(list []steps.System, without []string) error {
	var names, lines []string
	for _, system := range list {
		for _, c := range system.Capabilities {
			names = append(names, c.Name)
			lines = append(lines, fmt.Sprintf("  %-16s %s", c.Name, c.Description))
		}
	}
	for _, name := range without {
		if len(names) == 0 {
			return &usageError{"--without " + name + ": the design names no part that a server may lack", "capabilities in system.yaml does: storespec help own-design"}
		}
		if !slices.Contains(names, name) {
			return &usageError{fmt.Sprintf("unknown capability %q", name), "--without takes\n" + strings.Join(lines, "\n")}
		}
	}
	return nil
}
