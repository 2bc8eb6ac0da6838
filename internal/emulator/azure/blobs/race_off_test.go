//go:build !race

package blobs_test

const raceEnabled = false
