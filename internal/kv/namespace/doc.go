// Package namespace is the kind of store "kv": namespaces of Workers KV. Each lane has one of its own.
//
// Open kind.go first: what a target is given. embedded.go is the emulator in this process; data.go is the harness's own
// access to keys.
package namespace
