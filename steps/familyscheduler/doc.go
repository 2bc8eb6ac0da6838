// Package familyscheduler has the steps that only the rules of the system familyscheduler use: people and their
// sessions, groups, appointments.
//
// It writes rows and documents as that design stores them. The packages of steps for every design know nothing about
// it.
//
// Open words.go first: it lists the themes.
package familyscheduler
