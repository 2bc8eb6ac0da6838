// Package telemetry has the steps for what a target reports about itself: spans that it sends to a collector, and its
// log.
//
// It never judges a storage call, and names a secret that it finds without repeating it.
//
// Open [Words] first.
package telemetry
