package conformance

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
)

// T is a running case. A case that does not go as documented ends, but does not fail the test by itself: its store may
// be known to lack what the case needs.
type T struct {
	// Number distinguishes the cases of a suite, for the names of what each creates in a shared store.
	Number int

	test    *testing.T
	failure error
}

// Context ends with the test of the case.
func (t *T) Context() context.Context { return t.test.Context() }

// Fatalf ends the case: the store did not do what is documented. It must be called by the goroutine that runs the case.
func (t *T) Fatalf(format string, args ...any) {
	t.failure = fmt.Errorf(format, args...)
	runtime.Goexit()
}

// OK ends the case if err is not nil.
func (t *T) OK(err error) {
	if err != nil {
		t.Fatalf("%w\n%s", err, debug.Stack())
	}
}

// outcome runs a case and returns what went wrong; nil: it passed.
func (c Case[S]) outcome(test *testing.T, number int, store S) error {
	t := &T{Number: number, test: test}
	ended := make(chan struct{})
	go func() { // a separate one, so that Fatalf can end it
		defer close(ended)
		c.Run(t, store)
	}()
	<-ended
	return t.failure
}
