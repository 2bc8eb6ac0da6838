// Package cache has the steps for a target's Redis, which can go down or hang.
//
// What that cache may contain is checked by each system's own steps: [Redis] gives them the server.
//
// Open [Words] first.
package cache
