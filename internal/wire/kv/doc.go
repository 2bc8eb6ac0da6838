// Package kv is the protocol of Workers KV for package wire: it reads a call from a request of Cloudflare's REST API,
// of the protocol with which workerd reaches a binding, or of miniflare's form of that. Whatever the dialect, the call
// is the same: get, put, delete, list, page, bulk get, bulk put, bulk delete.
//
// Open protocol.go first. address.go distinguishes the dialects; decode.go reads a call; body.go reads the bodies that
// name keys or list them; paging.go and distort.go change calls for short pages and for mutants at the wire.
//
// Workers KV has no conditional write, so no write of it is judged by whether it was blind.
package kv
