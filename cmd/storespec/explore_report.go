package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/explore"
	"github.com/storespec/storespec/internal/system"
)

// showWalks shows how far a run of explore is.
func (l *progressLine) showWalks(p explore.Progress) {
	l.write("%s: %d steps in %d walks; %d kept, %d found", l.system, p.Steps, p.Walks, p.Kept, p.Findings)
}

// tellWalks reports the result and turns it into an exit status.
func (a *app) tellWalks(s system.System, r *explore.Result, o exploreOptions) error {
	text := walksText(s, r, o)
	if o.json {
		document, err := walksJSON(s, r, o)
		if err != nil {
			return err
		}
		text = document
	}
	if _, err := fmt.Fprint(a.stdout, text); err != nil {
		return err
	}
	switch {
	case r.Interrupted:
		return ended(statusInterrupted)
	case len(r.Findings) > 0:
		return ended(statusBroken)
	}
	return nil
}

func walksText(s system.System, r *explore.Result, o exploreOptions) string {
	var text strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&text, "%s\n%s\n%s\n", f.Kind, f.Scenario, f.Beside)
		if f.Unproven != "" {
			fmt.Fprintf(&text, "  the replay shows it, the scenario does not: %s\n", f.Unproven)
		}
		fmt.Fprintf(&text, "  again: storespec explore %s --replay %s\n\n", s.Name, f.Walk.Token())
	}
	for _, one := range r.Unrepeated {
		fmt.Fprintf(&text, "not repeatable, and so not counted: %s\n", one)
	}
	if o.replay == nil {
		text.WriteString(reached(r))
	}
	fmt.Fprintf(&text, "%s: %s in %s, %.0f a second; %d things seen, %s kept; ", s.Name, counted(r.Steps, "step"),
		counted(r.Walks, "walk"), float64(r.Steps)/max(r.Duration.Seconds(), 0.001), r.Seen, counted(r.Kept, "walk"))
	if r.Apart > 0 {
		fmt.Fprintf(&text, "%s cut short, since a fault met different calls; ", counted(r.Apart, "walk"))
	}
	fmt.Fprintf(&text, "%d found\n", len(r.Findings))
	return text.String()
}

// counted formats a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// reached returns a table of the routes, and for each status how often it was answered to whom.
func reached(r *explore.Result) string {
	var text strings.Builder
	width := 0
	for _, route := range r.Routes {
		width = max(width, len(route))
	}
	for _, route := range r.Routes {
		fmt.Fprintf(&text, "  %-*s ", width, route)
		if why, skipped := r.Skipped[route]; skipped {
			fmt.Fprintf(&text, " not asked: %s\n", why)
			continue
		}
		statuses := map[int]map[string]int{}
		for one, count := range r.Asked {
			if one.Route == route {
				if statuses[one.Status] == nil {
					statuses[one.Status] = map[string]int{}
				}
				statuses[one.Status][one.Person] += count
			}
		}
		for _, status := range slices.Sorted(maps.Keys(statuses)) {
			total := 0
			for _, count := range statuses[status] {
				total += count
			}
			people := slices.Sorted(maps.Keys(statuses[status]))
			fmt.Fprintf(&text, " %d ×%d %s;", status, total, strings.Join(people, " "))
		}
		text.WriteString("\n")
	}
	return text.String()
}

// walksJSON returns the result as one JSON document.
func walksJSON(s system.System, r *explore.Result, o exploreOptions) (string, error) {
	type finding struct {
		Kind     string `json:"kind"`
		Text     string `json:"text"`
		Scenario string `json:"scenario"`
		Beside   string `json:"beside"`
		Unproven string `json:"unproven,omitempty"`
		Steps    int    `json:"steps"`
		Replay   string `json:"replay"`
	}
	type asked struct {
		Route  string `json:"route"`
		Person string `json:"person"`
		Status int    `json:"status"`
		Count  int    `json:"count"`
	}
	findings, asks := []finding{}, []asked{}
	for _, f := range r.Findings {
		findings = append(findings, finding{f.Kind, f.Text, f.Scenario, f.Beside, f.Unproven, len(f.Walk.Steps), f.Walk.Token()})
	}
	for one, count := range r.Asked {
		asks = append(asks, asked{one.Route, one.Person, one.Status, count})
	}
	slices.SortFunc(asks, func(a, b asked) int {
		return strings.Compare(fmt.Sprint(a.Route, a.Status, a.Person), fmt.Sprint(b.Route, b.Status, b.Person))
	})
	document, err := json.MarshalIndent(map[string]any{
		"system": s.Name, "seed": o.seed, "steps": r.Steps, "walks": r.Walks, "kept": r.Kept, "seen": r.Seen,
		"cutShort": r.Apart, "seconds": r.Duration.Seconds(), "interrupted": r.Interrupted, "findings": findings,
		"notRepeatable": append([]string{}, r.Unrepeated...), "asked": asks, "skipped": r.Skipped,
	}, "", "  ")
	return string(document) + "\n", err
}
