package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify"
)

// Cause is what several scenarios failed for, as far as their messages say.
type Cause struct {
	Outcome   verify.Outcome `json:"outcome"`
	Reason    string         `json:"reason"` // the first line of that of its first scenario
	Scenarios int            `json:"scenarios"`
	Rules     []string       `json:"rules"`
	First     string         `json:"first"` // file and line of its first scenario, and its name if others are there
	// Missing is the route of the contract that the server does not seem to have, if that is the cause.
	Missing string `json:"missing,omitempty"`

	key string
}

// causes groups the scenarios of a result that must be shown by their cause: first those by a route that the server
// does not seem to have, then the others, the largest group first.
func causes(result *verify.Result) []*Cause {
	var list []*Cause
	known := map[string]*Cause{}
	for rule, scenario := range result.All() {
		if !broken(scenario.Outcome) || scenario.Outcome == verify.Fixed {
			continue
		}
		key := causeKey(scenario)
		found := known[key]
		if found == nil {
			found = &Cause{Outcome: scenario.Outcome, Reason: headline(scenario), First: rule.Where(scenario),
				key: key}
			if scenario.Missing != nil {
				found.Reason, found.Missing = scenario.Missing.String(), scenario.Missing.Route
			}
			list, known[key] = append(list, found), found
		}
		found.Outcome = verify.Worse(found.Outcome, scenario.Outcome)
		found.Scenarios++
		if !slices.Contains(found.Rules, rule.ID) {
			found.Rules = append(found.Rules, rule.ID)
		}
	}
	slices.SortStableFunc(list, func(a, b *Cause) int {
		if (a.Missing == "") != (b.Missing == "") {
			return cmp.Compare(b.Missing, a.Missing)
		}
		return cmp.Compare(b.Scenarios, a.Scenarios)
	})
	return list
}

// mappingOf returns what a mapping (--map) says of the routes that the server of a run does not seem to have, and of
// error codes that it only spells differently, in YAML, with what introduces it; "" if the causes name neither. Of a
// run that could not be judged the error says more, and in a part of the scenarios all requests to a route may rightly
// be answered 404.
func mappingOf(run events.Run, list []*Cause) (about, lines string) {
	routes, codes := "", ""
	if !run.Judged() {
		return "", ""
	}
	for _, cause := range list {
		if cause.Missing != "" && !run.Asked.Limited() {
			routes += fmt.Sprintf("  %s: missing\n", cause.Missing)
		}
		of := otherCode.FindStringSubmatch(cause.Reason)
		if of == nil || source.Plain(of[1]) != source.Plain(of[2]) {
			continue
		}
		if line := fmt.Sprintf("  %s: %s\n", of[1], of[2]); !strings.Contains(codes, line) {
			codes += line
		}
	}
	switch {
	case routes != "" && codes != "":
		return aboutRoutes + " " + aboutCodes, "routes:\n" + routes + "codes:\n" + codes
	case routes != "":
		return aboutRoutes, "routes:\n" + routes
	case codes != "":
		return aboutCodes, "codes:\n" + codes
	}
	return "", ""
}

// What introduces the lines of a mapping.
const (
	aboutRoutes = "If the server lacks these routes on purpose, --map FILE with these lines leaves them out; if it " +
		"has them under other names, say which (storespec help verify-your-server, storespec probe):"
	aboutCodes = "If these are the server's own error codes, --map FILE with these lines says so (storespec help " +
		"verify-your-server):"
)

// otherCode matches that a server answered one error code instead of another.
var otherCode = regexp.MustCompile(` answered \d+ with the error code "(\w[\w.:-]*)", not "(\w+)"$`)

// shared returns the causes of a run if they say more than its scenarios do: some have one in common.
func (r *Run) shared() []*Cause {
	if slices.ContainsFunc(r.Causes, func(c *Cause) bool { return c.Scenarios > 1 || c.Missing != "" }) {
		return r.Causes
	}
	return nil
}

func causeKey(scenario verify.ScenarioResult) string {
	if scenario.Missing != nil {
		return "missing\n" + scenario.Missing.Route
	}
	return string(scenario.Outcome) + "\n" + scenario.Kind()
}

// Of returns the rules of a cause for people: the first few of them.
func (c *Cause) Of() string {
	const most = 3
	if len(c.Rules) <= most {
		return strings.Join(c.Rules, ", ")
	}
	return fmt.Sprintf("%s and %s", strings.Join(c.Rules[:most], ", "), several(len(c.Rules)-most, "more rule"))
}
