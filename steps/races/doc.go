// Package races has the steps for simultaneous requests, and for their answers.
//
// The ordering of their storage calls is in packages internal/scenario/cases and internal/scenario/schedule.
//
// Open [Words] first.
package races
