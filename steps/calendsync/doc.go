// Package calendsync has the steps for the rules of calendsync: they write people with their sessions, calendars,
// memberships and entries directly to the table, with the keys and attributes of the design's examples.
//
// Every other step that these rules use is in the packages for all designs.
//
// Open [Words] first.
package calendsync
