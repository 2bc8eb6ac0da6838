//go:build race

package blobs_test

// raceEnabled: the detector makes a gigabyte take minutes.
const raceEnabled = true
