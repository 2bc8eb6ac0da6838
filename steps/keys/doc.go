// Package keys has the steps for a store of keys and values, such as Workers KV: what a key holds, when it expires,
// which keys there are, and how a distant store behaves.
//
// It bypasses the gateway to reach the store, so that its calls are never counted.
//
// Open [Words] first.
package keys
