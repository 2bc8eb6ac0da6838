// Package objects has the steps for blobs of a design's container: whether they exist and what they contain.
//
// It bypasses the gateway to reach the store, so that its calls are never counted. It never judges a storage call:
// package budgets does.
//
// Open [Words] first.
package objects
