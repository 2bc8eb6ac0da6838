// Package conformance is one suite for what the emulator and Azurite both claim to be: the same cases
// run against both in one run, by the official SDKs and, where an SDK cannot say it, by raw requests.
//
// The emulator has to pass every case. Azurite has to pass all but those in the lists of
// differences (BlobDifferences), and those it has to fail: a difference that has gone is an error, so
// docs/emulators.md cannot grow stale. Each case is what Azure documents, or what the
// recorded tests of Azure's own SDKs expect of it.
//
// Open harness_test.go first, then a file of cases.
package conformance
