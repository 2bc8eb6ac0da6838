// Package azure is what Azure documents of its tables and blobs, as conformance suites: [Tables] and [Blobs]. Each case
// is what the REST documentation says, or what the recorded tests of Azure's own SDKs expect. It is sent by the
// official SDKs and, where an SDK cannot say it, by a raw request.
//
// The package knows neither the emulator nor Azurite. Where stores are known to differ, a case names the capability it
// needs: tables_capabilities.go and blobs_capabilities.go list them, with their sources.
//
// Open account.go first, which says what a case has to work with, then a file of cases.
package azure
