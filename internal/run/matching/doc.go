// Package matching compares what was found in an answer or a row with what a table of a feature file says, and
// describes the difference in words and in parts.
//
// It knows about JSON values and cells, and nothing about requests, stores and scenarios.
//
// Open [Matches] first: it lists what a cell can say. [Difference] is what reports show.
package matching
