// Package c4lendar has the steps that only the rules of the system c4lendar use: tokens as they are stored.
//
// The packages of steps for every design know nothing about it.
//
// Open words.go first: it lists the steps.
package c4lendar
