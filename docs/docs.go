// Package docs holds the guides, which storespec help prints. Open README.md of the module first: it says which to read
// for what.
package docs

import "embed"

// Files is every guide, at <folder>/<name>.md, whose first line is its title. architecture.md is not among them: it is
// for people who have the source.
//
//go:embed start rules run designs notes
var Files embed.FS

// Folder is a group of guides for the same readers.
type Folder struct {
	Name, Title string
	Guides      []string // without ".md", in the order in which to read them
}

// Folders lists all guides, in the order in which help does.
var Folders = []Folder{
	{"start", "Start", []string{"first-ten-minutes", "what-it-finds", "trace", "explore", "single-table",
		"worker-budget"}},
	{"rules", "Your own rules", []string{"own-design", "write-a-rule", "budgets", "faults-and-orders", "mutants"}},
	{"run", "Runs", []string{"verify-your-server", "reports", "compare", "stores", "emulators", "troubleshooting"}},
	{"designs", "Built-in designs", []string{"familyscheduler", "familyscheduler-contract", "actions",
		"actions-contract", "lovehunt", "lovehunt-contract", "c4lendar", "c4lendar-contract", "calendsync",
		"calendsync-contract"}},
	{"notes", "Notes", []string{"benchmarks", "dependencies"}},
}
