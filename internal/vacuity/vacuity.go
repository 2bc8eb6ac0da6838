// Package vacuity asks whether rules can fail at all: it runs them against stubs, servers that answer
// without ever touching a store (design, "Faults, crashes and races"). A rule that a stub keeps tells
// nothing of that kind of server, and must say why that is right.
//
// The package never judges a real server, and prints nothing.
//
// Open Run first; the stubs are in stubs.go and recording.go.
package vacuity

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/steps"
)

// Lanes is how many lanes of a store Run uses at a time, where there are as many.
const Lanes = 4

// Options say which rules are asked.
type Options struct {
	Catalogue *verify.Catalogue
	System    steps.System
	Store     store.Store
	Reference target.Opener // opens the reference server, whose answers are recorded
}

// Kept is a rule that a stub keeps.
type Kept struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"` // why that is right, in the words of the feature; empty: nobody says
}

// Stub is what became of the rules on one stub.
type Stub struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Failed      int      `json:"failed"`   // rules, as they should
	Kept        []Kept   `json:"kept"`     // rules that it keeps
	Needless    []string `json:"needless"` // rules that say it keeps them, and it does not
}

// Sound reports whether every rule fails, or says why it does not.
func (s Stub) Sound() bool {
	return len(s.Needless) == 0 && !slices.ContainsFunc(s.Kept, func(k Kept) bool { return k.Reason == "" })
}

// Run runs all rules against the stubs, each stub beside the others and on a lane of its own. Errors: those of verify.Run,
// and one when the reference does not keep the rules or a stub could not be judged.
func Run(ctx context.Context, o Options) ([]Stub, error) {
	tape := &tape{ready: o.System.Ready}
	if err := o.record(ctx, tape); err != nil {
		return nil, err
	}
	servers := servers(o.System.Ready, tape)
	stubs, errs := make([]Stub, len(servers)), make([]error, len(servers))
	var running sync.WaitGroup
	for i, server := range servers {
		running.Go(func() {
			var err error
			if stubs[i], err = o.run(ctx, server); err != nil {
				errs[i] = fmt.Errorf("the stub %s: %w", server.name, err)
			}
		})
	}
	running.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return stubs, nil
}

// record runs the rules against the reference and keeps its answers. No call is broken on the way: a stub makes none that
// could be, and so it is asked no more often either.
func (o Options) record(ctx context.Context, tape *tape) error {
	result, err := o.verify(ctx, target.Reference("reference", tape.recorder(o.Reference)), tape.begins, false, steps.Proofs{Faults: steps.NoFaults})
	if err != nil {
		return err
	}
	if verdict := result.Verdict(false, false); verdict != verify.Passed {
		return fmt.Errorf("the reference, whose answers are recorded, does not keep the rules: %s", verdict)
	}
	return nil
}

func (o Options) run(ctx context.Context, server server) (Stub, error) {
	stub := Stub{Name: server.name, Description: server.description, Kept: []Kept{}, Needless: []string{}}
	result, err := o.verify(ctx, target.Reference("stub "+server.name, opener(server.handler)), server.begins, true, steps.Proofs{})
	if err != nil {
		return stub, err
	}
	for _, rule := range result.Rules {
		reason, marked := rule.Vacuous[server.name]
		switch rule.Outcome {
		case verify.Errored:
			return stub, fmt.Errorf("%s could not be judged", rule.ID)
		case verify.Passed, verify.Skipped:
			stub.Kept = append(stub.Kept, Kept{rule.ID, reason})
		default:
			stub.Failed++
			if marked {
				stub.Needless = append(stub.Needless, rule.ID)
			}
		}
	}
	return stub, nil
}

// verify runs all rules on one lane, so that a server knows whose request it answers.
func (o Options) verify(ctx context.Context, to target.Target, begins func(rule string, line int), storeless bool, proofs steps.Proofs) (*verify.Result, error) {
	result, err := verify.Run(ctx, verify.Options{
		Catalogue: o.Catalogue, System: o.System, Store: o.Store, Target: to,
		Lanes: 1, Secret: rand.Text(), Begins: begins, Storeless: storeless, Proofs: proofs,
	})
	if err != nil {
		return nil, err
	}
	if result.Interrupted {
		return nil, context.Cause(ctx)
	}
	return result, nil
}
