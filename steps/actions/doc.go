// Package actions has the steps that only the rules of the system actions use: records as they are stored, and what its
// cache may contain.
//
// The packages of steps for every design know nothing about it.
//
// Open words.go first: it lists the themes.
package actions
