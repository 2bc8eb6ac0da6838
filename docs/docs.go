// Package docs holds the task guides, which storespec help prints. Open README.md of the module first: it says which to
// read for what.
package docs

import "embed"

// Files is every guide, at <name>.md, whose first line is its title.
//
//go:embed *.md
var Files embed.FS
