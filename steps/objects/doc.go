// Package objects has the steps for what a store keeps whole: the blobs of a design's container, and the keys of a
// store of keys and values, such as Workers KV. They say whether something exists, what it contains and when it
// expires, and how a distant store behaves.
//
// It bypasses the gateway to reach the store, so that its calls are never counted. It never judges a storage call:
// package budgets does.
//
// Open [Words] and [Keys] first.
package objects
