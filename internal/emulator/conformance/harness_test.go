package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/store"
)

// subject is what the suite runs against.
type subject struct {
	name         string
	account, key string
	connection   string // leads straight to it
	client       *http.Client
}

// subjects starts the emulator and Azurite. Without Node there is only the emulator, and CI must have Node.
func subjects(t *testing.T) []subject {
	t.Helper()
	var list []subject
	for _, name := range []string{"embedded", "azurite"} {
		if s, ok := open(t, name); ok {
			list = append(list, s)
		}
	}
	return list
}

func open(t *testing.T, name string) (subject, bool) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Name: name})
	if errors.Is(err, store.ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Logf("%s is left out: %v", name, err)
		return subject{}, false
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Errorf("close %s: %v", name, err)
		}
	})
	l, err := s.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: l.Transport()} // nil: by sockets
	return subject{name, l.Account, l.Key, l.Direct, client}, true
}

// failed is what check panics with: a case fails for one subject without failing the test.
type failed struct{ err error }

// check ends a case that did not go as Azure has it.
type check struct{}

func (check) failf(format string, args ...any) { panic(failed{fmt.Errorf(format, args...)}) }

// ok ends the case for an error.
func (c check) ok(err error) {
	if err != nil {
		c.failf("%v\n%s", err, debug.Stack())
	}
}

// outcome runs a case and gives what was wrong.
func outcome(run func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failed:
			err = p.err
		default:
			panic(p)
		}
	}()
	run()
	return nil
}

// judge compares an outcome with the list of differences.
func judge(t *testing.T, subject, name string, err error, differences []Difference) {
	t.Helper()
	known := subject == "azurite" && slices.ContainsFunc(differences, func(d Difference) bool { return d.Case == name })
	switch {
	case known && err == nil:
		t.Errorf("%s now does as Azure: remove %q from the differences", subject, name)
	case !known && err != nil:
		t.Errorf("%s: %v", subject, err)
	case known && testing.Verbose():
		t.Logf("difference: %.300v", err)
	}
}

// everyDifferenceHasACase: a difference whose case was renamed would go unproven.
func everyDifferenceHasACase(t *testing.T, differences []Difference, cases []string) {
	t.Helper()
	for _, d := range differences {
		if !slices.Contains(cases, d.Case) {
			t.Errorf("the difference %q names no case", d.Case)
		}
		if d.Azure == "" || d.Azurite == "" || d.Source == "" {
			t.Errorf("the difference %q does not say what it is", d.Case)
		}
	}
}
