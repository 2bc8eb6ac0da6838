// Package faults has the steps for storage calls that fail, and for those that are held until another request has been
// answered.
//
// It says what happens to which request. How calls fail, and how a request is run once for each of them, is in package
// internal/scenario/cases.
//
// Open [Words] first.
package faults
