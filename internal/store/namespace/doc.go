// Package namespace is the kind of store "kv": namespaces of Workers KV. Each lane has one of its own.
//
// The backends of [Kind] differ in how they start and stop:
//
//   - embedded: the emulator of internal/emulator/kv in this process, in memory
//   - workerd: miniflare's Workers KV on the real runtime as a child process, installed at first use
//   - account: a real namespace at Cloudflare; one lease at a time, only by the REST API
//
// Only the first has a clock, a lag and a write rate that a scenario can set. remote.go is the harness's own access to
// keys by the REST API, data.go that to the emulator; hold.go keeps two runs from wiping a real namespace at once.
//
// The package never prints to standard output, never includes a token or a key's value in an error or a log, and never
// wipes a real namespace that has no key [LeaseKey].
//
// Open kind.go first: what a target is given.
package namespace
