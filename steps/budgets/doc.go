// Package budgets has the steps for storage calls: which a request may make, how many, and how much they may return and
// change.
//
// It judges what the gateway has recorded, and never looks into the store. Package internal/scenario/budget defines
// what a line of a budget covers.
//
// Open budgets.go first; calls.go has the checks on calls that need no budget.
package budgets
