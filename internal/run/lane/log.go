package lane

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/target"
)

// printedWithin is how long after its last answer a server may still write about a request: a runtime hands its output
// over when it gets to it, often only after the answer.
const printedWithin = 250 * time.Millisecond

// overlap is how much of what was searched before is searched again, in bytes: a secret may have arrived in two parts.
const overlap = 4 << 10

// Log is what a lane's targets write while a scenario runs, and a moment longer. It knows the secrets of the scenario
// and of its cases, so that what is printed late is charged to no other scenario.
type Log struct {
	read    map[*target.Instance]*reading
	secrets map[string]secret
	found   map[string]bool // what each found secret is; true: it was reported
}

// reading is how far the output of an instance was searched.
type reading struct{ from, to int64 }

// secret is a value that must not be printed.
type secret struct {
	what string
	last time.Time // when the case that it is of was over
}

// Watch begins to read the lane's log. What was written before is of other scenarios, unless it was never read.
func (l *Lane) Watch() *Log {
	log := &Log{map[*target.Instance]*reading{}, map[string]secret{}, map[string]bool{}}
	if l.watched == nil {
		l.watched = map[*target.Instance]bool{}
	}
	for _, one := range l.instances() {
		if l.watched[one.Instance] {
			now := one.Written()
			log.read[one.Instance] = &reading{now, now}
		}
		l.watched[one.Instance] = true
	}
	return log
}

// Look searches what the lane's targets have written so far for the secrets of a scenario or case, and for those of
// earlier cases that are not long over.
func (g *Log) Look(l *Lane, secrets map[string]string) {
	for _, one := range l.instances() {
		if g.read[one.Instance] == nil {
			g.read[one.Instance] = &reading{}
		}
	}
	now := time.Now()
	maps.DeleteFunc(g.secrets, func(_ string, s secret) bool { return now.Sub(s.last) > printedWithin })
	for value, what := range secrets {
		g.secrets[strings.ToLower(value)] = secret{what, now}
	}
	g.search()
}

func (g *Log) search() {
	for instance, r := range g.read {
		text, now, _ := instance.OutputSince(max(r.from, r.to-overlap))
		r.to = now
		text = strings.ToLower(text)
		for value, s := range g.secrets {
			if _, known := g.found[s.what]; !known && strings.Contains(text, value) {
				g.found[s.what] = false
			}
		}
	}
}

// Visible reports whether storespec sees what the targets write.
func (g *Log) Visible() bool { return g.any((*target.Instance).Visible) }

// Lags reports whether what the targets write arrives later than their answers.
func (g *Log) Lags() bool { return g.any((*target.Instance).Lags) }

func (g *Log) any(is func(*target.Instance) bool) bool {
	for instance := range g.read {
		if is(instance) {
			return true
		}
	}
	return false
}

// Await waits until everything should have arrived, or until ctx ends, and searches it.
func (g *Log) Await(ctx context.Context) {
	if g.Lags() {
		select {
		case <-time.After(printedWithin):
		case <-ctx.Done():
		}
	}
	g.search()
}

// Leaks describes the secrets that were found and not reported before.
func (g *Log) Leaks() (names []string) {
	for _, what := range slices.Sorted(maps.Keys(g.found)) {
		if !g.found[what] {
			names = append(names, what)
			g.found[what] = true
		}
	}
	return names
}

// Leaked describes the secrets that a text contains, or returns "".
func Leaked(text string, secrets map[string]string) string {
	lower := strings.ToLower(text)
	found := map[string]bool{}
	for value, what := range secrets {
		if strings.Contains(lower, strings.ToLower(value)) {
			found[what] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), ", ")
}

// Lines returns the lines that the lane's targets have written since the scenario began, as far as they were kept,
// those of instances that have been started since included. known is false if storespec sees the output of none.
func (g *Log) Lines(l *Lane) (lines []string, known bool) {
	g.Look(l, nil)
	for instance, r := range g.read {
		text, _, visible := instance.OutputSince(r.from)
		known = known || visible
		lines = append(lines, strings.Split(text, "\n")...)
	}
	return lines, known
}
