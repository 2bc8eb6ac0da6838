// Package kv is Workers KV as an http.Handler: Cloudflare's REST API, the protocol with which a Worker on workerd
// reaches its binding, and miniflare's form of that, all on the same namespaces.
//
// # What to open first
//
// Service (service.go) holds the namespaces and selects the dialect. Namespace (namespace.go) is what a namespace
// does: get, put, delete, list, with expiry, limits, and, if a test wants them, stale reads and the limit of one write
// a second for each key (weather.go). rest.go and binding.go say how the two dialects ask for it and how they are
// answered. limits.go has every limit with its source.
//
// # What it never does
//
// It has no conditional write and no transaction, since Workers KV has none. It never answers a read from a cache
// unless a test has asked for stale reads.
package kv
