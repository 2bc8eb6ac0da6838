// Package vacuity checks whether rules can fail at all: it runs them against stubs, servers that answer without ever
// touching a store (design, "Faults, crashes and races"). A rule that passes on a stub says nothing about that kind of
// server, and must state why that is right.
//
// The package never judges a real server, and prints nothing.
//
// Open Run first; the stubs are in stubs.go and recording.go.
package vacuity

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify"
)

// Most of a scenario's time is waiting to see whether another storage call comes, so that several run at once: the
// rules are run in batches, each with a reference and stubs of its own.
const batches = 4

// Lanes is how many lanes of a store Run uses at a time, if there are as many: one for each stub of each batch.
const Lanes = 4 * batches

// Options specify which rules are checked.
type Options struct {
	Catalogue *verify.Catalogue
	System    system.System
	Store     store.Store
	Reference target.Opener // opens the reference server, whose answers are recorded
	Fitting   lane.Fitting  // of the reference and of the stubs, which are in this process
}

// Kept is a rule that passes on a stub.
type Kept struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"` // why that is right, in the words of the feature; empty: no reason given
}

// Stub is the result of the rules on one stub.
type Stub struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Failed      int      `json:"failed"`                // number of rules, as they should
	Unprepared  int      `json:"notPrepared,omitempty"` // of these, the ones that only failed to prepare
	Kept        []Kept   `json:"kept"`                  // rules that pass on it
	Needless    []string `json:"needless"`              // rules that claim to pass on it, but do not
	NotJudged   []string `json:"notJudged,omitempty"`   // rules without a scenario that could be judged
}

// Sound reports whether every rule was judged, and fails or states why it does not.
func (s Stub) Sound() bool {
	return len(s.Needless) == 0 && len(s.NotJudged) == 0 &&
		!slices.ContainsFunc(s.Kept, func(k Kept) bool { return k.Reason == "" })
}

// Run runs all rules against the stubs, concurrently and each stub on lanes of its own. It returns the first error: one
// of verify.Run, or one if the reference breaks the rules or a stub could not be judged.
func Run(ctx context.Context, o Options) ([]Stub, error) {
	ids := o.Catalogue.IDs()
	batch := make([][]string, max(1, min(batches, len(ids))))
	for i, id := range ids {
		batch[i%len(batch)] = append(batch[i%len(batch)], id)
	}
	judged, err := atOnce(ctx, batch, o.judge)
	if err != nil {
		return nil, err
	}
	stubs := judged[0]
	for i := range stubs {
		for _, other := range judged[1:] {
			stubs[i].add(other[i])
		}
		stubs[i].sort(ids)
	}
	return stubs, nil
}

// atOnce calls a function for each element at the same time. The first error ends the other calls.
func atOnce[From, To any](ctx context.Context, list []From, do func(context.Context, From) (To, error)) ([]To, error) {
	made := make([]To, len(list))
	group, ctx := errgroup.WithContext(ctx)
	for i, one := range list {
		group.Go(func() (err error) {
			made[i], err = do(ctx, one)
			return err
		})
	}
	return made, group.Wait()
}

// add adds the rules of another batch.
func (s *Stub) add(o Stub) {
	s.Failed += o.Failed
	s.Unprepared += o.Unprepared
	s.Kept = append(s.Kept, o.Kept...)
	s.Needless = append(s.Needless, o.Needless...)
	s.NotJudged = append(s.NotJudged, o.NotJudged...)
}

// sort puts the rules in the order of their ids in a catalogue.
func (s *Stub) sort(ids []string) {
	at := func(a, b string) int { return cmp.Compare(slices.Index(ids, a), slices.Index(ids, b)) }
	slices.SortFunc(s.Kept, func(a, b Kept) int { return at(a.Rule, b.Rule) })
	slices.SortFunc(s.Needless, at)
	slices.SortFunc(s.NotJudged, at)
}

// judge runs a batch of rules against the stubs.
func (o Options) judge(ctx context.Context, rules []string) ([]Stub, error) {
	tape := &tape{ready: o.System.Ready, answers: map[asked][]answer{}}
	recorded, err := o.record(ctx, rules, tape)
	if err != nil {
		return nil, err
	}
	quick := quickest(recorded)
	return atOnce(ctx, servers(o.System.Ready, tape), func(ctx context.Context, stub server) (Stub, error) {
		judged, err := o.run(ctx, rules, stub, quick)
		if err != nil {
			err = fmt.Errorf("the stub %s: %w", stub.name, err)
		}
		return judged, err
	})
}

// record runs the rules against the reference and records its answers. No faults are injected: a stub makes no calls
// that could be broken, so it gets no retried requests either. Rules that this machine cannot run are not judged.
func (o Options) record(ctx context.Context, rules []string, tape *tape) ([]verify.RuleResult, error) {
	result, err := o.verify(ctx, part{rules: rules, to: target.Reference("reference", tape.recorder(o.Reference)),
		begins: tape.begins, proofs: proof.Proofs{Faults: proof.NoFaults}})
	if err != nil {
		return nil, err
	}
	if verdict := result.Verdict(false, false); verdict != verify.Passed && verdict != verify.Skipped {
		return nil, fmt.Errorf("the reference, whose answers are recorded, does not keep the rules: %s", verdict)
	}
	return result.Rules, nil
}

// quickest returns a few scenarios of each rule: those that took least time.
func quickest(rules []verify.RuleResult) map[verify.Place]bool {
	found := map[verify.Place]bool{}
	for _, rule := range rules {
		byTime := slices.DeleteFunc(slices.Clone(rule.Results), func(s verify.ScenarioResult) bool {
			return s.Outcome != verify.Passed
		})
		slices.SortFunc(byTime, func(a, b verify.ScenarioResult) int { return cmp.Compare(a.Duration, b.Duration) })
		for _, one := range byTime[:min(len(byTime), 3)] {
			found[verify.Place{Rule: rule.ID, Line: one.Line, Name: one.Name}] = true
		}
	}
	return found
}

// run runs the quick scenarios on a stub first, and then the rules that none of them failed.
func (o Options) run(ctx context.Context, rules []string, server server, quick map[verify.Place]bool) (Stub, error) {
	stub := Stub{Name: server.name, Description: server.description, Kept: []Kept{}, Needless: []string{}}
	on := part{
		rules:  rules,
		to:     target.Reference("stub "+server.name, opener(server.handler)),
		begins: server.begins, storeless: true,
		only: func(place verify.Place) bool { return quick[place] },
	}
	first, err := o.verify(ctx, on)
	if err != nil {
		return stub, err
	}
	decided := map[string]verify.RuleResult{}
	for _, rule := range first.Rules {
		if rule.Noticed() && rule.Outcome != verify.NotPrepared {
			decided[rule.ID] = rule
		}
	}
	on.only = func(place verify.Place) bool { _, known := decided[place.Rule]; return !known }
	whole, err := o.verify(ctx, on)
	if err != nil && !errors.Is(err, verify.ErrNothingSelected) {
		return stub, err
	}
	if whole != nil {
		for _, rule := range whole.Rules {
			if _, known := decided[rule.ID]; !known {
				decided[rule.ID] = rule
			}
		}
	}
	for _, known := range o.Catalogue.Rules {
		rule, ran := decided[known.ID]
		if !ran {
			continue
		}
		reason, marked := rule.Vacuous[server.name]
		switch {
		case rule.Noticed():
			stub.Failed++
			if rule.Outcome == verify.NotPrepared {
				stub.Unprepared++
			}
			if marked {
				stub.Needless = append(stub.Needless, rule.ID)
			}
		case rule.Outcome == verify.Passed:
			stub.Kept = append(stub.Kept, Kept{rule.ID, reason})
		default:
			stub.NotJudged = append(stub.NotJudged, rule.ID)
		}
	}
	return stub, nil
}

// part is which scenarios run on which server.
type part struct {
	rules     []string // ids
	to        target.Target
	begins    func(verify.Place)
	storeless bool
	proofs    proof.Proofs
	only      func(verify.Place) bool // of these rules; nil: all
}

// verify runs scenarios on one lane, so that a server knows which scenario's request it answers.
func (o Options) verify(ctx context.Context, p part) (*verify.Result, error) {
	result, err := verify.Run(ctx, verify.Options{
		Catalogue: o.Catalogue, System: o.System, Store: o.Store, Target: p.to, Rules: p.rules, Select: p.only,
		Fitting: o.Fitting, Lanes: 1, Secret: rand.Text(), Begins: p.begins, Storeless: p.storeless, Proofs: p.proofs,
		Reference: true, // what is asked of the reference alone must be able to fail too
	})
	if err != nil {
		return nil, err
	}
	if result.Interrupted {
		return nil, context.Cause(ctx)
	}
	return result, nil
}
