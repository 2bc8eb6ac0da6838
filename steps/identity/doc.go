// Package identity has the steps for a target in Azure that has a managed identity and no key to its store.
//
// The tokens are issued and recognized by companion.Identity.
//
// Open [Words] first.
package identity
