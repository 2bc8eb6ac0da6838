package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/search/explore"
)

// Explored is what random walks through a system have found.
type Explored struct {
	*explore.Result

	System  string
	Seed    uint64
	Replay  bool     // one walk was taken again
	Flags   []string // that a replay needs too; what is confidential is masked
	Command []string // of the server under test, likewise; empty: it was not started by a command
}

// again returns the command that repeats a finding.
func (e Explored) again(f explore.Finding) string {
	return again([]string{"storespec", "explore", e.System, "--replay", f.Walk.Token()}, e.Flags, e.Command)
}

// summary says in a line how much was walked.
func (e Explored) summary() string {
	parts := []string{fmt.Sprintf("%s in %s, %.0f a second", several(e.Steps, "step"), several(e.Walks, "walk"),
		float64(e.Steps)/max(e.Duration.Seconds(), 0.001)),
		fmt.Sprintf("%d things seen, %s kept", e.Seen, several(e.Kept, "walk"))}
	if e.Diverged > 0 {
		parts = append(parts, several(e.Diverged, "walk")+" cut short: the two servers made different storage calls")
	}
	if e.NotSent > 0 {
		parts = append(parts, several(e.NotSent, "request")+" not sent: the server lacks what they need")
	}
	if e.Slow > 0 {
		parts = append(parts, fmt.Sprintf("%s took %s or longer, the slowest %.1f s: %s", several(e.Slow, "answer"),
			explore.SlowAfter, e.Slowest.Took.Seconds(), e.Slowest.Route))
	}
	return e.System + ": " + strings.Join(append(parts, fmt.Sprintf("%d found", len(e.Findings))), "; ")
}

// ExploredText writes every finding with its scenario, then what was reached, then a summary.
func ExploredText(w io.Writer, e Explored) error {
	var text strings.Builder
	for _, f := range e.Findings {
		fmt.Fprintf(&text, "%s\n%s\n%s\n", f.Kind, f.Scenario, f.Beside)
		if f.Unproven != "" {
			fmt.Fprintf(&text, "  the replay shows it, the scenario does not: %s\n", f.Unproven)
		}
		fmt.Fprintf(&text, "  again: %s\n\n", e.again(f))
	}
	for _, one := range e.Unrepeated {
		fmt.Fprintf(&text, "not reproducible, not counted: %s\n", one)
	}
	if !e.Replay {
		e.reached(&text)
	}
	text.WriteString(e.summary() + "\n")
	_, err := io.WriteString(w, text.String())
	return err
}

// reached writes the routes, and for each status how often it was answered, and to whom.
func (e Explored) reached(text *strings.Builder) {
	width := 0
	for _, route := range e.Routes {
		width = max(width, len(route))
	}
	for _, route := range e.Routes {
		fmt.Fprintf(text, "  %-*s ", width, route)
		if why, skipped := e.Skipped[route]; skipped {
			fmt.Fprintf(text, " not asked: %s\n", why)
			continue
		}
		answers := e.answers(route)
		for _, status := range slices.Sorted(maps.Keys(answers)) {
			fmt.Fprintf(text, " %d ×%d %s;", status, answers[status].Count, strings.Join(answers[status].People, " "))
		}
		text.WriteString("\n")
	}
}

// reach is how often a route was answered with a status, and to whom.
type reach struct {
	Count  int
	People []string // in alphabetical order
}

func (e Explored) answers(route string) map[int]reach {
	found := map[int]reach{}
	for one, count := range e.Asked {
		if one.Route == route {
			was := found[one.Status]
			found[one.Status] = reach{was.Count + count, append(was.People, one.Person)}
		}
	}
	for _, one := range found {
		slices.Sort(one.People)
	}
	return found
}

// ExploredJSON writes one document with every finding, its scenario and its token, and what was reached.
func ExploredJSON(w io.Writer, e Explored, version string) error {
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
	for _, f := range e.Findings {
		findings = append(findings, finding{f.Kind, f.Text, f.Scenario, f.Beside, f.Unproven, len(f.Walk.Steps),
			f.Walk.Token()})
	}
	for one, count := range e.Asked {
		asks = append(asks, asked{one.Route, one.Person, one.Status, count})
	}
	slices.SortFunc(asks, func(a, b asked) int {
		return strings.Compare(fmt.Sprint(a.Route, a.Status, a.Person), fmt.Sprint(b.Route, b.Status, b.Person))
	})
	return WriteJSON(w, map[string]any{
		"storespec": version, "system": e.System, "seed": e.Seed, "steps": e.Steps, "walks": e.Walks, "kept": e.Kept,
		"seen": e.Seen, "cutShort": e.Diverged, "notSent": e.NotSent, "slow": e.Slow,
		"milliseconds": e.Duration.Milliseconds(),
		"interrupted":  e.Interrupted, "findings": findings, "notRepeatable": append([]string{}, e.Unrepeated...),
		"asked": asks, "skipped": e.Skipped,
	})
}
