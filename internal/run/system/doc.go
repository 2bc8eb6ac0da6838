// Package system describes designs: what storespec must know about one to start a server of it and to talk to it. A
// design's own folder describes it in a file, system.yaml, whether the design is built in or a team's;
// docs/rules/own-design.md documents its keys.
//
// The package never reads feature files and never starts anything. Open [System] first, then [Offers].
package system
