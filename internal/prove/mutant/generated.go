package mutant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/prove/mutation"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/verify"
)

// NotReached is the verdict for a generated mutant whose change no scenario reaches.
const NotReached Verdict = "not reached"

// NotRun is the verdict for a generated mutant that does not become ready: no scenario can be asked, so it does not
// count in the score.
const NotRun Verdict = "does not run"

// TimedOut is the outcome of a scenario that a mutant does not let end. The unmutated server takes far less.
const TimedOut verify.Outcome = "timeout"

// Generation specifies which generated mutants are run.
type Generation struct {
	Sample  int      // how many, chosen by Seed; 0: all
	Seed    uint64   // of Sample
	Only    []string // names, or the beginnings of names; empty: all
	Excuses *Excuses
	// Home is whether this system is also asked about the code that several servers share. One system is.
	Home bool
}

// Generated is the result of one generated mutant.
type Generated struct {
	*mutation.Mutant
	Verdict Verdict `json:"verdict"` // Killed, Survived, NotReached, NotRun or Errored
	Rule    string  `json:"rule,omitempty"`
	Kill    *Kill   `json:"kill,omitempty"`   // the first scenario that detected it, of Rule
	Excuse  *Excuse `json:"excuse,omitempty"` // why it may survive
	Diff    string  `json:"diff,omitempty"`   // unless it was killed
	Err     error   `json:"-"`
	// Asked is how many scenarios reach the change
	Asked    int           `json:"scenarios"`
	Duration time.Duration `json:"-"`
}

func (g Generated) verdict() Verdict { return g.Verdict }

// Score is the results of the generated mutants of a system.
type Score struct {
	Mutants []Generated // in the order of the source; after an interruption, only those that were judged
	Total   int         // mutants that there are, of which a sample may have been judged
	// Unlinked are mutants of functions that are not in the server, or that several servers share: one system judges
	// those that it calls.
	Unlinked int
	Wrong    []string // what is wrong with the excuses
	Ending
}

// Counts returns the number of mutants with each verdict, and of those that have an excuse for it.
func (s *Score) Counts() (counts map[Verdict]int, excused int) {
	counts = map[Verdict]int{}
	for _, one := range s.Mutants {
		if counts[one.Verdict]++; one.Excuse != nil && one.Verdict != Killed {
			excused++
		}
	}
	return counts, excused
}

// Percent returns how many of the mutants were killed, of those that run and have no excuse.
func (s *Score) Percent() float64 {
	counts := map[Verdict]int{}
	scored := 0
	for _, one := range s.Mutants {
		if one.Verdict == Killed || one.Verdict != NotRun && one.Excuse == nil {
			counts[one.Verdict]++
			scored++
		}
	}
	if scored == 0 {
		return 100
	}
	return 100 * float64(counts[Killed]) / float64(scored)
}

// Generate makes mutants of a system's reference server by the operators of package mutation, runs each under the
// scenarios that reach its change until one detects it, and scores them. Of o it ignores Patches, Rules and Full.
// Errors: *BaselineError, *UnknownMutantError, and anything that prevents building or running the unmutated server.
func Generate(ctx context.Context, o Options, g Generation) (*Score, error) {
	s := &Score{}
	o.Verify.Proofs.Orders = fewOrders
	return s, o.within(ctx, &s.Ending, func(r *run) error {
		return (&generation{run: r, choice: g, killers: map[string][]verify.Place{}}).score(ctx, s)
	})
}

// generation is the state of one Generate.
type generation struct {
	*run
	choice  Generation
	program *mutation.Program

	mu      sync.Mutex
	killers map[string][]verify.Place // by function
}

func (g *generation) score(ctx context.Context, s *Score) (err error) {
	if g.program, err = g.builder.load(ctx); err != nil {
		return fmt.Errorf("read the reference server: %w", err)
	}
	all, err := g.program.Generate(folder + "/" + g.options.Verify.System.Name)
	if err != nil {
		return fmt.Errorf("make mutants: %w", err)
	}
	linked, err := g.builder.linked(ctx, g.program, all)
	if err != nil {
		return fmt.Errorf("build the reference server: %w", err)
	}
	s.Total, s.Unlinked = len(linked), len(all)-len(linked)
	wanted, err := g.choice.of(linked)
	if err != nil {
		return err
	}
	g.program.Keep(wanted)
	if g.together, err = g.builder.build(ctx, g.program); err != nil {
		return fmt.Errorf("build the reference server: %w", err)
	}
	if g.scenarios, err = g.trace(ctx, g.options.Verify.Catalogue.IDs(), g.program.Sites()); err != nil {
		return err
	}
	wanted = slices.DeleteFunc(wanted, func(m *mutation.Mutant) bool { return g.others(m, s) })
	s.Mutants = each(ctx, g.run, wanted, g.one, Generated.verdict)
	if g.choice.Excuses != nil {
		s.Wrong = g.choice.Excuses.wrong(linked, s.Mutants)
	}
	return nil
}

// others reports, and counts, that a mutant is one for another system to judge, or of a function that the server never
// calls.
func (g *generation) others(m *mutation.Mutant, s *Score) bool {
	begins := g.program.Beginning(m)
	called := func(s reached) bool { return s.sites[begins] != 0 }
	if !m.Shared(folder+"/"+g.options.Verify.System.Name) || g.choice.Home && slices.ContainsFunc(g.scenarios, called) {
		return false
	}
	s.Unlinked++
	return true
}

// UnknownMutantError says that no generated mutant has a name.
type UnknownMutantError struct{ Name string }

func (e *UnknownMutantError) Error() string { return fmt.Sprintf("no mutant is called %q", e.Name) }

// of returns the mutants that are wanted, in their order. The caller may change the slice; all stays as it is.
func (g Generation) of(all []*mutation.Mutant) ([]*mutation.Mutant, error) {
	for _, name := range g.Only {
		if !slices.ContainsFunc(all, func(m *mutation.Mutant) bool { return strings.HasPrefix(m.Name, name) }) {
			return nil, &UnknownMutantError{name}
		}
	}
	all = slices.DeleteFunc(slices.Clone(all), func(m *mutation.Mutant) bool {
		return len(g.Only) > 0 &&
			!slices.ContainsFunc(g.Only, func(name string) bool { return strings.HasPrefix(m.Name, name) })
	})
	return chosen(all, g.Sample, g.Seed), nil
}

// reaching returns the scenarios that reach a mutant's change, the quickest first.
func (g *generation) reaching(m *mutation.Mutant) []reached {
	site := g.program.Site(m)
	return g.quickest(func(s reached) bool { return s.sites[site] != 0 })
}

// one judges a mutant. There is no verdict if ctx ended before there was one.
func (g *generation) one(ctx context.Context, m *mutation.Mutant) Generated {
	start := time.Now()
	result := Generated{Mutant: m, Verdict: NotReached}
	if g.choice.Excuses != nil {
		result.Excuse = g.choice.Excuses.of(m.Name)
	}
	reaching := g.reaching(m)
	result.Asked = len(reaching)
	for _, batch := range g.worth(result.Excuse, batches(reaching, g.killersOf(m))) {
		if result.Verdict, result.Err = g.ask(ctx, batch, &result); result.Verdict != Survived {
			break
		}
	}
	if ctx.Err() != nil && result.Verdict != Killed {
		result.Verdict = ""
	}
	if result.Verdict == Killed {
		g.remember(&result)
	} else {
		result.Diff = m.Diff()
	}
	result.Duration = time.Since(start)
	return result
}

// batches divides scenarios into those that are tried first and the others: most mutants are killed by any of them, so
// that a few quick ones are tried before the rest. known are those that have killed a mutant of the same function.
func batches(all []reached, known []verify.Place) (divided [][]reached) {
	var total, done time.Duration
	for _, one := range all {
		total += one.took
	}
	var batch, rest []reached
	for _, one := range all {
		if slices.Contains(known, one.Place) {
			batch = append(batch, one)
		} else {
			rest = append(rest, one)
		}
	}
	shares := []time.Duration{total / 25, total / 4} // of the time, when a batch ends
	for _, one := range rest {
		if done += one.took; len(shares) > 0 && done > shares[0] && len(batch) > 2 {
			divided, batch, shares = append(divided, batch), nil, shares[1:]
		}
		batch = append(batch, one)
	}
	if len(batch) == 0 {
		return divided
	}
	return append(divided, batch)
}

// worth returns the batches that a mutant is worth: for one with an excuse, which is expected to survive, the first,
// unless it is asked for by name.
func (g *generation) worth(excuse *Excuse, all [][]reached) [][]reached {
	if excuse != nil && len(g.choice.Only) == 0 && len(all) > 1 {
		return all[:1]
	}
	return all
}

// remember keeps which scenario killed a mutant of a function.
func (g *generation) remember(result *Generated) {
	if result.Kill == nil || result.Rule == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	name := result.File + " " + result.Function
	killer := verify.Place{Rule: result.Rule, Line: result.Kill.Line, Name: result.Kill.Scenario}
	if !slices.Contains(g.killers[name], killer) {
		g.killers[name] = append(g.killers[name], killer)
	}
}

// killersOf returns the scenarios that killed the last mutants of a function.
func (g *generation) killersOf(m *mutation.Mutant) []verify.Place {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.killers[m.File+" "+m.Function]
	return slices.Clone(all[max(0, len(all)-3):])
}

// ask runs scenarios on a mutant until one detects it.
func (g *generation) ask(ctx context.Context, batch []reached, result *Generated) (Verdict, error) {
	running, stop := context.WithCancel(ctx)
	defer stop()
	on := g.together.numbered(result.Number())
	watch := newWatch(batch, func() { stop(); on.started.kill() })
	a := asking{lanes: 1, begins: watch.begins, only: watch.scenarios, restores: !result.Caches(), enough: notices}
	for _, one := range batch {
		if !slices.Contains(a.rules, one.Rule) {
			a.rules = append(a.rules, one.Rule)
		}
	}
	ran, err := g.verify(running, on, a)
	late := watch.end()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case late != nil && late.Rule == "":
		return NotRun, fmt.Errorf("the server was not ready within %s", limit(late.took).Round(time.Second))
	case late != nil:
		result.Rule, result.Kill = late.Rule, tooLate(late)
		return Killed, nil
	}
	return result.read(ran, err)
}

// tooLate is a scenario that detected a mutant by not ending.
func tooLate(late *reached) *Kill {
	waited := limit(late.took).Round(time.Second)
	return &Kill{Scenario: late.Name, File: late.file, Line: late.Line, Where: late.where, Outcome: TimedOut,
		Reason: fmt.Sprintf("it did not end within %s; on the unmutated server it takes %s", waited,
			late.took.Round(time.Millisecond))}
}

// read extracts from a run whether a scenario detected the mutant. An error does not, unless the server could not be
// started again.
func (r *Generated) read(ran *verify.Result, err error) (Verdict, error) {
	if ran != nil {
		for _, rule := range ran.Rules {
			if kill := Killing(rule); kill != nil {
				r.Rule, r.Kill = rule.ID, kill
				return Killed, nil
			}
		}
	}
	switch {
	case errors.As(err, new(*verify.NoCallsError)): // these scenarios hold without a call; others may not
		return Survived, nil
	case errors.As(err, new(*target.StartError)):
		return NotRun, err
	case err != nil:
		return Errored, err
	}
	return Survived, nil
}
