// Package web has the steps for HTTP: requests and their answers, repeats, hostile input, gated routes, parts that a
// server may lack, and names for values.
//
// Each function that returns steps, such as [Requests], is one theme of the vocabulary; its steps are in the file of
// the same name, and the comparisons are in answers.go and pairs.go. The package never looks into a store.
//
// Open requests.go first.
package web
