// Package npm installs a program from npm into the user's cache, once for each lock file.
//
// It never runs a package's scripts, and never leaves half an installation. Open [Package] first.
package npm
