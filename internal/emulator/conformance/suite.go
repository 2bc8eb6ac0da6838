package conformance

import (
	"errors"
	"fmt"
	"testing"
)

// Capability is something that a service documents and that some store lacks. It is identified by its
// address: declare each one once, next to the cases that need it.
type Capability struct {
	// Documented is what the service does, as briefly as possible: "400 InvalidInput".
	Documented string
	// Source is where that is documented, as an address, or how it was verified.
	Source string
}

// Case is one behavior of the service. S is what a case needs of a store, such as an account.
type Case[S any] struct {
	Name string
	// Needs is the capability that the case tests; nil: every store is expected to pass.
	Needs *Capability
	Run   func(t *T, store S)
}

// Suite is the list of cases of one service.
type Suite[S any] []Case[S]

// Harness is what a store provides to be tested.
type Harness[S any] struct {
	// Store is its name, used as the name of its tests: embedded, azurite.
	Store string
	// Open starts the store for a test and stops it at the end of the test. It skips the test if the environment lacks
	// what the store needs.
	Open func(t *testing.T) S
	// Lacks maps what the store lacks to what it does instead. A case that needs a capability listed here has to fail.
	Lacks map[*Capability]string
}

// Run runs every case of the suite against the store of the harness, each as a test named store/case. A case that needs
// what the store lacks has to fail, and every other one has to pass.
func Run[S any](t *testing.T, suite Suite[S], harness Harness[S]) {
	t.Helper()
	if err := errors.Join(suite.check(), suite.knows(harness)); err != nil {
		t.Fatal(err)
	}
	t.Run(harness.Store, func(t *testing.T) {
		store := harness.Open(t)
		for i, c := range suite {
			t.Run(c.Name, func(t *testing.T) {
				failure := c.outcome(t, i, store)
				if err := harness.judge(c, failure); err != nil {
					t.Error(err)
				} else if failure != nil && testing.Verbose() {
					t.Logf("known difference: %.300v", failure)
				}
			})
		}
	})
}

// judge returns what is wrong with the outcome of a case, given what the store is known to lack.
func (h Harness[S]) judge(c Case[S], failure error) error {
	instead, lacks := h.Lacks[c.Needs]
	if lacks && failure == nil {
		return fmt.Errorf("%s now does what is documented, %q, and not %q: take it out of what the store lacks",
			h.Store, c.Needs.Documented, instead)
	}
	if lacks {
		return nil
	}
	return failure
}

// check returns which case has no name or a duplicate one, and which capability is incomplete.
func (s Suite[S]) check() error {
	var errs []error
	seen := map[string]bool{}
	for _, c := range s {
		if c.Name == "" || seen[c.Name] {
			errs = append(errs, fmt.Errorf("the name %q is empty or that of two cases", c.Name))
		}
		seen[c.Name] = true
		if c.Needs != nil && (c.Needs.Documented == "" || c.Needs.Source == "") {
			errs = append(errs, fmt.Errorf("what %q needs does not say what is documented, and where", c.Name))
		}
	}
	return errors.Join(errs...)
}

// knows returns which capability a store claims to lack that no case tests: the claim would go unproven.
func (s Suite[S]) knows(h Harness[S]) error {
	shown := map[*Capability]bool{}
	for _, c := range s {
		shown[c.Needs] = c.Needs != nil
	}
	var errs []error
	for capability, instead := range h.Lacks {
		if !shown[capability] || instead == "" {
			errs = append(errs, fmt.Errorf("%s lacks what no case needs, or does not say what it does instead: %+v, %q",
				h.Store, capability, instead))
		}
	}
	return errors.Join(errs...)
}
