// Package worker compares the emulator of Workers KV with miniflare's: one Worker (cases.mjs) asks both the same, on
// the real runtime, and the answers are compared. Its tests install workerd and miniflare with npm into the user's
// cache, at the versions of package-lock.json.
package worker
