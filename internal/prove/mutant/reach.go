package mutant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/prove/mutation"
	"github.com/storespec/storespec/internal/verify"
)

// reached is what a scenario reaches of the unmutated server.
type reached struct {
	verify.Place
	file  string
	where string // its file and line, and its name if others are there
	sites []byte // one for each of the program; 1: reached
	took  time.Duration
}

// byPlace returns scenarios by where they are; nil for none.
func byPlace(scenarios []reached) map[verify.Place]reached {
	if scenarios == nil {
		return nil
	}
	places := map[verify.Place]reached{}
	for _, one := range scenarios {
		places[one.Place] = one
	}
	return places
}

// tracer reads which sites the scenarios of one run reach. Before the first one it is the start of the server.
type tracer struct {
	file    *os.File
	current verify.Place
	sites   map[verify.Place][]byte
	err     error
}

func newTracer(name string, size int) (*tracer, error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return &tracer{file: file, sites: map[verify.Place][]byte{}}, file.Truncate(int64(size))
}

// begins ends the current scenario and begins another.
func (t *tracer) begins(scenario verify.Place) {
	t.collect()
	t.current = scenario
}

func (t *tracer) collect() {
	info, err := t.file.Stat()
	if err != nil {
		t.err = errors.Join(t.err, err)
		return
	}
	seen := make([]byte, info.Size())
	_, read := t.file.ReadAt(seen, 0)
	_, written := t.file.WriteAt(make([]byte, len(seen)), 0)
	t.err = errors.Join(t.err, read, written)
	known := t.sites[t.current]
	if known == nil {
		known = make([]byte, len(seen))
		t.sites[t.current] = known
	}
	for i := range seen {
		known[i] |= seen[i]
	}
}

// trace runs rules on the unmutated server, in several runs at once, and returns what each scenario reaches. What the
// start of the server reaches, each scenario does. The error is a *BaselineError if a rule is broken.
func (r *run) trace(ctx context.Context, rules []string, sites int) ([]reached, error) {
	var mu sync.Mutex
	var all []reached
	var broken []string
	var errs []error
	var running sync.WaitGroup
	for i, share := range r.shares(rules) {
		running.Go(func() {
			found, failed, err := r.traceShare(ctx, filepath.Join(r.builder.directory, fmt.Sprintf("reached-%d", i)),
				sites, rules, share)
			mu.Lock()
			defer mu.Unlock()
			all, broken, errs = append(all, found...), append(broken, failed...), append(errs, err)
		})
	}
	running.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("run the reference server: %w", err)
	}
	if len(broken) > 0 {
		return nil, &BaselineError{Broken: firstOfEach(broken)}
	}
	slices.SortFunc(all, func(a, b reached) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	return all, nil
}

// firstOfEach returns the first line of each rule, of lines as brokenIn returns them.
func firstOfEach(broken []string) []string {
	slices.Sort(broken)
	rule := func(line string) string { id, _, _ := strings.Cut(line, ":"); return id }
	return slices.CompactFunc(broken, func(a, b string) bool { return rule(a) == rule(b) })
}

// shares divides the scenarios of rules among as many runs as may run at once. The long ones of a rule come into
// different shares.
func (r *run) shares(rules []string) []map[verify.Place]reached {
	var places []verify.Place
	for _, rule := range r.options.Verify.Catalogue.Rules {
		if !slices.Contains(rules, rule.ID) {
			continue
		}
		for _, one := range rule.Scenarios {
			places = append(places, verify.Place{Rule: rule.ID, Line: one.Line, Name: one.Name})
		}
	}
	shares := make([]map[verify.Place]reached, min(r.options.Parallel, len(places)))
	for i := range shares {
		shares[i] = map[verify.Place]reached{}
	}
	for i, place := range places {
		shares[i%len(shares)][place] = reached{Place: place}
	}
	return shares
}

func (r *run) traceShare(ctx context.Context, file string, sites int, rules []string,
	share map[verify.Place]reached) ([]reached, []string, error) {
	tracing, err := newTracer(file, sites)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = tracing.file.Close() }()
	on := r.together.original()
	on.env = map[string]string{mutation.Trace: file}
	result, err := r.verify(ctx, on, asking{rules: rules, only: share, lanes: 1, begins: tracing.begins,
		restores: true})
	if err != nil {
		return nil, nil, err
	}
	tracing.collect()
	var all []reached
	for _, rule := range result.Rules {
		for _, one := range rule.Results {
			at := one.Place()
			found := reached{at, one.File, rule.Where(one), tracing.sites[at], one.Duration}
			if found.sites == nil {
				continue // skipped
			}
			for i, seen := range tracing.sites[verify.Place{}] {
				found.sites[i] |= seen
			}
			found.sites[0] = 1
			all = append(all, found)
		}
	}
	return all, brokenIn(result), tracing.err
}

// brokenIn returns the rules that a run of the unmutated server breaks, each with the first scenario that shows it.
func brokenIn(result *verify.Result) (broken []string) {
	for _, rule := range result.Rules {
		if kill := Killing(rule); kill != nil {
			broken = append(broken, fmt.Sprintf("%s: %s %s", rule.ID, kill.Where, kill.Reason))
		} else if rule.Outcome == verify.Errored {
			broken = append(broken, fmt.Sprintf("%s: %v", rule.ID, unjudged(rule)))
		}
	}
	return broken
}
