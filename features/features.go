// Package features holds the rules of the designs, one folder of feature files per system. Every
// Rule is tagged with its id and quotes its clause of the design in lines that start with ">".
//
// The files are for people first: open one. What the steps mean is in package steps.
package features

import "embed"

// Files is every feature file, at <system>/<name>.feature.
//
//go:embed */*.feature
var Files embed.FS
