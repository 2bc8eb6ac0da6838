// Package features holds the built-in designs, one folder per system: feature files, and system.yaml, which says what
// storespec must know to start a server of the design (docs/rules/own-design.md). Every Rule is tagged with its id and
// quotes its clause of the design in lines that start with ">".
//
// The files are for people first: open one. What the steps mean is in package steps.
package features

import "embed"

// Files is every feature file, at <system>/<name>.feature, each <system>/system.yaml and what that names, and each
// <system>/explore.yaml.
//
//go:embed */*.feature */system.yaml */*.json */explore.yaml
var Files embed.FS
