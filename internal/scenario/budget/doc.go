// Package budget judges storage calls: whether one is covered by a line of a budget, and whether a budget holds.
//
// It makes no calls and knows nothing about scenarios: the steps of package steps/budgets pass it the lines and the
// calls. The protocol of each service defines which classes of calls there are.
//
// Open [Allowance] first. [Describe] formats a storage call as one line, for messages and reports.
package budget
