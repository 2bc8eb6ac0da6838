package steps

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/wire"
)

// Beside gives a lane for one more scenario at the same time on l's target, namespace and surroundings. Its recorder has
// the calls that carry the trace of its own requests. The target must pass the trace on (PassesTrace), and only
// scenarios that need not be Alone may run on it.
func (l *Lane) Beside() *Lane {
	return &Lane{
		Target: l.Target, Recorder: l.Recorder.Beside(), beside: l,
		maker: l.maker, lease: l.lease, gate: l.gate, paging: l.paging, data: l.data, openai: l.openai, outbox: l.outbox, client: l.client,
	}
}

// PassesTrace asks the target for something it can only know from the store, and tells whether the storage calls of that
// carried the request's trace. An error says that the target gave no answer.
func (l *Lane) PassesTrace(ctx context.Context) (wire.Attribution, error) {
	request := l.Recorder.Begin("whether the target passes on its trace")
	defer request.End()
	err := l.needStore(ctx, l.Target.URL, request)
	if err == nil {
		err = l.Recorder.Settle(ctx)
	}
	if err != nil {
		return wire.Attribution{}, fmt.Errorf("ask whether the target passes on its trace: %w", err)
	}
	var found wire.Attribution
	for _, call := range request.Calls() {
		switch {
		case call.Provisions():
		case call.ByTrace:
			found.ByTrace++
		default:
			found.ByLane++
		}
	}
	return found, nil
}

// Company says which scenarios may run at the same time on one target.
type Company struct {
	alone  []*regexp.Regexp
	shared *regexp.Regexp // the names of tables
}

// NewCompany knows the whole vocabulary, and the tables that a system's scenarios share. A theme is here only when its steps stay with what is the scenario's own:
// people, groups, rows, blobs and requests, whose names are unique. Steps that break, delay or watch what all share, such
// as the store, OpenAI and the target's process, are in other themes.
func NewCompany(shared []string) *Company {
	var own []string
	for _, theme := range [][]Step{
		peopleSteps(), groupSteps(), appointmentSteps(), actionSteps(), valueSteps(), httpSteps(), routeSteps(), pageSteps(), tableSteps(), blobSteps(),
		schemaSteps(), budgetSteps(), hostileSteps(), repeatSteps(),
	} {
		for _, step := range theme {
			own = append(own, step.Pattern)
		}
	}
	ofAll := []string{ // what these look at is not the scenario's own
		holdsRows,
		untouchedStore, // tables are made for everybody, often outside of any request
	}
	c := Company{shared: regexp.MustCompile(`\b(` + strings.Join(append([]string{`$^`}, shared...), "|") + `)\b`)}
	for _, step := range All() {
		if !slices.Contains(own, step.Pattern) || slices.Contains(ofAll, step.Pattern) {
			c.alone = append(c.alone, regexp.MustCompile(`^`+step.Pattern+`$`))
		}
	}
	return &c
}

// Alone reports whether the scenario needs the target, its store and its surroundings to itself.
func (c *Company) Alone(pickle *godog.Scenario) bool {
	return slices.ContainsFunc(pickle.Steps, func(step *godog.Step) bool {
		return slices.ContainsFunc(c.alone, func(p *regexp.Regexp) bool { return p.MatchString(step.Text) }) || c.namesShared(step)
	})
}

// namesShared reports whether a step's text or table has the name of a shared table.
func (c *Company) namesShared(step *godog.Step) bool {
	if c.shared.MatchString(step.Text) {
		return true
	}
	if step.Argument == nil || step.Argument.DataTable == nil {
		return false
	}
	for _, row := range step.Argument.DataTable.Rows {
		for _, cell := range row.Cells {
			if c.shared.MatchString(cell.Value) {
				return true
			}
		}
	}
	return false
}
