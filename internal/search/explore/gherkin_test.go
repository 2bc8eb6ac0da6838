package explore

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/storespec/storespec/internal/scenario"
)

// TestEveryWalkIsAScenario writes the walks that a run has kept as scenarios, and reads them as feature files are read.
func TestEveryWalkIsAScenario(t *testing.T) {
	o := options(t, unchanged)
	o.Steps, o.Corpus, o.Workers = 300, t.TempDir(), 1
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	_, kept, err := openCorpus(o.Corpus, o.System.Name)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{Options: o, known: &knowledge{}, result: &Result{Skipped: map[string]string{}}}
	if err := r.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	seen := map[string]bool{}
	for i, walk := range kept {
		c := r.couples[0]
		taken, err := c.take(t.Context(), r.begin(walk, i+1), stepsOf(walk))
		if err != nil {
			t.Fatal(err)
		}
		if taken.found != nil {
			t.Fatalf("a false alarm: %s", taken.found.Text)
		}
		taken.found = &Difference{Text: "nothing"}
		text, _ := c.scenario(taken)
		for what, begin := range map[string]string{
			"a fault": "of the next request fails", "a rival": "Given before the",
			"a body that is not an object": `"""`, "a name": "of the answer is called"} {
			seen[what] = seen[what] || strings.Contains(text, begin)
		}
		_, steps, _ := strings.Cut(text, "\n")
		prepared, err := scenario.Prepare(steps)
		if err == nil {
			err = c.suite.Vocabulary.CheckAll(o.System, prepared)
		}
		unsaid := strings.Contains(text, "\xff") || twoHeaders.MatchString(text) // steps cannot say these
		if err != nil && !unsaid {
			t.Errorf("%s\n%s", err, text)
		}
	}
	for _, what := range []string{"a fault", "a rival", "a body that is not an object", "a name"} {
		if !seen[what] {
			t.Errorf("no walk has %s", what)
		}
	}
}

// A request with several headers has them in a table, and what ends a cell does not end a value.
func TestSeveralHeadersAreATable(t *testing.T) {
	o := options(t, unchanged)
	w := &writer{}
	w.send(&Step{Person: "Ana", Method: http.MethodPost, Path: "/api/group/create",
		Header: map[string]string{"If-Match": `"a|b"`, "Idempotency-Key": `c\d`}})
	want := "    When Ana sends POST /api/group/create with the headers\n" +
		"      | Idempotency-Key | c\\\\d |\n      | If-Match | \"a\\|b\" |\n"
	if got := w.b.String(); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	prepared, err := scenario.Prepare(w.b.String())
	if err == nil {
		err = o.Vocabulary.CheckAll(o.System, prepared)
	}
	if err != nil {
		t.Error(err)
	}
}

// twoHeaders matches a request with more than one header that is sent in between, or has a body that is not an object.
var twoHeaders = regexp.MustCompile(`with the header .* with the header`)

// losesItself answers as if there were nothing after it has once answered that the store was not available.
func losesItself(next http.Handler) http.Handler {
	var lost atomic.Bool
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &kept{header: http.Header{}}
		if lost.Swap(false) {
			r = r.Clone(r.Context())
			r.Method, r.URL.Path = http.MethodGet, "/nothing"
		}
		next.ServeHTTP(answer, r)
		if answer.status == http.StatusServiceUnavailable {
			lost.Store(true)
		}
		for name, values := range answer.header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.body)
	})
}

func TestAFaultIsWrittenAsAStep(t *testing.T) {
	var wrapped http.Handler
	o := options(t, func(next http.Handler) http.Handler {
		if wrapped == nil {
			wrapped = losesItself(next)
		}
		return wrapped
	})
	o.First, o.Workers = true, 1
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Findings) != 1 {
		t.Fatalf("%d findings, not repeatable: %q", len(result.Findings), result.Unrepeated)
	}
	f := result.Findings[0]
	if !strings.Contains(f.Scenario, "of the next request ") || f.Unproven != "" {
		t.Errorf("%s: unproven: %q\n%s\n%s", f.Kind, f.Unproven, f.Scenario, f.Beside)
	}
}
