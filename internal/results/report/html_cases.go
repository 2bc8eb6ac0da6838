package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/scenario/cause"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// pageCases is the faults or the orders that broke a scenario, those that broke it alike together.
type pageCases struct {
	Line  string // such as "4 of 9 orders broke it"
	Cases []pageCase
}

// pageCase is a case, and those that broke the scenario in the same way.
type pageCase struct {
	Name, Step, Reason, Command string
	Differences                 []matching.Difference
	Lanes                       []pageLane // of an order: its requests
	Turns                       []pageTurn
	Alike                       []pageCase // with a name and a command only
}

// Meets reports whether requests of an order meet anywhere.
func (c pageCase) Meets() bool {
	return slices.ContainsFunc(c.Turns, func(t pageTurn) bool { return t.Meets })
}

// Answered reports whether the answers to the requests of an order are known.
func (c pageCase) Answered() bool {
	return slices.ContainsFunc(c.Lanes, func(l pageLane) bool { return l.Status != 0 })
}

// pageLane is one of the requests that meet in an order.
type pageLane struct {
	Letter, Who, Line string
	Status            int // of its answer; 0: not known
}

// pageTurn is one step of an order.
type pageTurn struct {
	Lane          int
	What, On, Key string
	Status        int
	Writes, Meets bool // Meets: another request touches the same, and one of them writes it
	place         string
}

// cases returns the cases that broke a scenario.
func (w *ruleWriter) cases(result *verify.ScenarioResult) *pageCases {
	shown := &pageCases{Line: fmt.Sprintf("%d of the %ss broke it", len(result.Broken), result.Broken[0].Kind)}
	for _, c := range result.Cases {
		if c.Kind == result.Broken[0].Kind {
			shown.Line = fmt.Sprintf("%d of %s broke it", len(result.Broken), several(c.Run, c.Kind))
		}
	}
	at := map[string]int{}
	for i, broken := range result.Broken {
		key := broken.Step + "\n" + cause.Of(broken.Reason)
		one := pageCase{Name: broken.Name, Command: w.run.replayCommand(broken)}
		if first, known := at[key]; known {
			shown.Cases[first].Alike = append(shown.Cases[first].Alike, one)
			continue
		}
		one.Step, one.Reason, one.Differences = broken.Step, broken.Reason, broken.Differences
		if i == 0 && w.stream.Of(result) != nil {
			one.Step = "" // it is shown where it stands
		}
		if len(one.Differences) == 1 && short(one.Differences[0]) {
			one.Differences = nil // the sentence says the same
		}
		if len(broken.Order) > 0 {
			one.Lanes, one.Turns = w.lanes(result, broken, i == 0), turnsOf(broken.Order)
		}
		at[key] = len(shown.Cases)
		shown.Cases = append(shown.Cases, one)
	}
	return shown
}

// lanes names the requests of an order, with their answers if the result has the requests of this case.
func (w *ruleWriter) lanes(result *verify.ScenarioResult, broken cases.BrokenCase, has bool) (lanes []pageLane) {
	for _, turn := range broken.Order {
		for len(lanes) <= turn.Request {
			lanes = append(lanes, pageLane{Letter: string(rune('a' + len(lanes)))})
		}
		lanes[turn.Request].Who = turn.Who
	}
	var step events.Step
	at := 0
	if scenario := w.stream.Of(result); scenario != nil {
		if at = failedStep(scenario.Steps, result); at >= 0 {
			step = scenario.Steps[at]
		}
	}
	for i := range lanes {
		if i+1 < len(step.Table) {
			row := step.Table[i+1]
			header := step.Table[0]
			lanes[i].Line = strings.TrimSpace(columnOf(header, row, "method") + " " + columnOf(header, row, "path"))
		}
	}
	n := 0
	for _, request := range result.Requests {
		if has && request.Step == at+1 && n < len(lanes) {
			lanes[n].Status = request.Status
			n++
		}
	}
	return lanes
}

// columnOf returns the cell of a row below a header; "" if there is none.
func columnOf(header, row []string, name string) string {
	if i := slices.Index(header, name); i >= 0 && i < len(row) {
		return row[i]
	}
	return ""
}

// numbered matches what distinguishes equal calls of a request.
var numbered = regexp.MustCompile(` \(number \d+\)$`)

func turnsOf(order []cases.Turn) []pageTurn {
	turns := make([]pageTurn, len(order))
	for i, turn := range order {
		one := pageTurn{Lane: turn.Request, What: turn.Call, Status: turn.Status}
		if what, place, is := strings.Cut(turn.Call, " on "); is {
			one.What, one.Writes = what, writes(what)
			one.place = numbered.ReplaceAllString(place, "")
			one.On, one.Key, _ = strings.Cut(place, " ")
			one.Key = shortened(one.Key)
		}
		turns[i] = one
	}
	for i := range turns {
		turns[i].Meets = slices.ContainsFunc(turns, func(other pageTurn) bool {
			return other.place != "" && other.place == turns[i].place && other.Lane != turns[i].Lane &&
				(other.Writes || turns[i].Writes)
		})
	}
	return turns
}

// writes reports whether a kind of call, such as "table insert", changes what it names.
func writes(what string) bool {
	service, class, _ := strings.Cut(what, " ")
	protocol := stores.Protocol(wire.Service(service))
	if protocol == nil {
		return false
	}
	return slices.ContainsFunc(protocol.Classes(), func(c wire.Class) bool {
		return (c.Name == class || c.Name == what) && c.Effect == wire.Writes
	})
}
