// Package worker compares the emulator of Workers KV with miniflare's: one Worker (cases.mjs) asks both the same, on
// the real runtime, and the answers are compared. Cloudflare's own client (rest.mjs) asks the REST API. Its tests install
// workerd, miniflare and the client with npm into the user's
// cache, at the versions of package-lock.json.
package worker
