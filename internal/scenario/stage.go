package scenario

import (
	"fmt"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/waiting"
)

// Stage is where a scenario runs: its suite, its lane, and the step that is running.
type Stage struct {
	suite  *Suite
	lane   *lane.Lane
	cold   *lane.Lane // the lane of a cold start, created by the scenario and closed with it
	pickle *godog.Scenario
	at     int // index of the running step in the pickle, from 0
}

// Suite is what all scenarios of a run share.
type Suite struct {
	Vocabulary *Vocabulary
	Proofs     proof.Proofs
	Contract   *contract.Contract // the system's; nil: answers are not checked
	Without    []string           // capabilities that the server declares it lacks
	// OrderWithin bounds one order of requests that run at the same time; 0 is the default.
	OrderWithin time.Duration
	Repeatable  bool           // what the store contains is kept before each request, for World.Repeat
	Cases       *waiting.Meter // how long faults take; nil: it is not shown
	// Lend returns a lane that no scenario is using, with a function that returns it, or nil if all are in use. It may
	// be called concurrently. nil: scenarios share a target, so that lanes cannot be lent.
	Lend func() (l *lane.Lane, giveBack func())
}

// Lane returns where the scenario's requests go: a lane of its own after a cold start, otherwise the one it was given.
func (s *Stage) Lane() *lane.Lane {
	if s.cold != nil {
		return s.cold
	}
	return s.lane
}

// Suite returns what all scenarios of the run share.
func (s *Stage) Suite() *Suite { return s.suite }

// StartedCold reports whether the scenario has a lane of its own.
func (s *Stage) StartedCold() bool { return s.cold != nil }

// System returns the design whose rule the scenario shows.
func (s *Stage) System() system.System { return s.lane.Maker.System }

// Step returns the step that is running.
func (s *Stage) Step() *godog.Step { return s.pickle.Steps[s.at] }

// Where returns a scenario's file and line, and its name: filled examples have one line.
func Where(pickle *godog.Scenario) string {
	return fmt.Sprintf("%s:%d %s", pickle.Uri, pickle.Location.Line, pickle.Name)
}

// Where returns the scenario's file and line, and its name.
func (s *Stage) Where() string { return Where(s.pickle) }
