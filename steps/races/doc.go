// Package races has the steps for simultaneous requests, and for their answers.
//
// The ordering of their storage calls is in packages internal/cases and internal/schedule.
//
// Open [Words] first.
package races
