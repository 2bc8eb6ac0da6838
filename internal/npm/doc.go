// Package npm installs programs of Node that storespec starts, each pinned by a lock file in package fixtures.
//
// Open [Package.Install].
package npm
