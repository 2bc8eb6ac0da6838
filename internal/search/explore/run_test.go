package explore

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	servers "github.com/storespec/storespec/reference"
	"github.com/storespec/storespec/steps"
)

// broken is a reference server with something before it.
type broken struct {
	target.Handler
	before func(next http.Handler) http.Handler
}

func (b broken) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.before(b.Handler).ServeHTTP(w, r)
}

// server is the reference server of a system, with something before it.
func server(name string, before func(next http.Handler) http.Handler) target.Target {
	return target.Reference("reference", func(getenv func(string) string, storage http.RoundTripper,
		log io.Writer) (target.Handler, error) {
		opened, err := servers.Open(name, getenv, storage, slog.New(slog.NewJSONHandler(log, nil)))
		if err != nil {
			return nil, err
		}
		return broken{opened, before}, nil
	})
}

func unchanged(next http.Handler) http.Handler { return next }

// options returns what explores calendsync.
func options(t testing.TB, before func(next http.Handler) http.Handler) Options {
	return optionsOf(t, "calendsync", before)
}

// optionsOf returns what explores a system, the reference server against itself with something before it.
func optionsOf(t testing.TB, name string, before func(next http.Handler) http.Handler) Options {
	t.Helper()
	var kinds []system.Store
	for _, kind := range stores.Kinds() {
		kinds = append(kinds, system.Store{Name: kind.Name(), Placeholders: kind.Placeholders(), Reach: kind.Reach()})
	}
	offers := system.Offers{Companions: companion.Names(), Placeholders: lane.Placeholders(),
		References: servers.Names(),
		Contract:   servers.Contract, Stores: kinds}
	s, err := offers.Read(features.Files, "", name)
	if err != nil {
		t.Fatal(err)
	}
	s.Tool = func(context.Context, map[string]string, []string) (int, string) { return 0, "" }
	vocabulary := scenario.NewVocabulary(steps.Themes())
	spec, err := ReadSpec(features.Files, "", system.System{Name: name}, vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	spec.Reference()
	choice := stores.Choose(t.Context(), s.Store, "embedded")
	opened, err := store.Open(t.Context(), []store.Kind{choice.Kind},
		store.Options{Name: choice.Backend, Lanes: 4, Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close(context.Background()) })
	return Options{System: s, Spec: spec, Vocabulary: vocabulary, Store: opened, Subject: server(name, before),
		Oracle: server(name, unchanged), Local: true, Secret: rand.Text(), Seed: 5, Steps: 2000, Faults: true,
		Workers: 2, Shrinking: 10 * time.Minute}
}

func TestReferenceAgainstItself(t *testing.T) {
	o := options(t, unchanged)
	o.Steps = 600
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		t.Errorf("a false alarm: %s\n%s", f.Kind, f.Scenario)
	}
	if result.Steps < o.Steps || result.Kept == 0 {
		t.Errorf("%d steps, %d walks kept", result.Steps, result.Kept)
	}
}

// removesNobody answers that a member was removed, and does nothing.
func removesNobody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete && strings.Contains(r.URL.Path, "/members/") {
			r = r.Clone(r.Context())
			r.Method = http.MethodGet
			r.URL.Path = r.URL.Path[:strings.LastIndexByte(r.URL.Path, '/')]
			answer := &kept{header: http.Header{}}
			if next.ServeHTTP(answer, r); answer.status == http.StatusOK {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			for name, values := range answer.header {
				w.Header()[name] = values
			}
			w.WriteHeader(answer.status)
			_, _ = w.Write(answer.body)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// kept is an answer that is recorded instead of sent.
type kept struct {
	header http.Header
	status int
	body   []byte
}

func (k *kept) Header() http.Header { return k.header }

func (k *kept) WriteHeader(status int) { k.status = status }

func (k *kept) Write(p []byte) (int, error) {
	k.body = append(k.body, p...)
	return len(p), nil
}

func TestFindsShrinksAndRepeats(t *testing.T) {
	o := options(t, removesNobody)
	o.First = true
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Findings) != 1 {
		t.Fatalf("%d findings", len(result.Findings))
	}
	f := result.Findings[0]
	if last := f.Walk.Steps[len(f.Walk.Steps)-1]; len(f.Walk.Steps) > 1 || last.Method != http.MethodDelete ||
		!strings.Contains(f.Scenario, "sends DELETE /api/calendars/") {
		t.Errorf("%d steps:\n%s", len(f.Walk.Steps), f.Scenario)
	}
	if f.Unproven != "" {
		t.Errorf("the scenario does not show it: %s\n%s", f.Unproven, f.Scenario)
	}
	again := options(t, removesNobody)
	if again.Replay, err = Parse(f.Walk.Token()); err != nil {
		t.Fatal(err)
	}
	repeated, err := Run(t.Context(), again)
	if err != nil {
		t.Fatal(err)
	}
	if len(repeated.Findings) != 1 || repeated.Findings[0].Kind != f.Kind {
		t.Errorf("the replay finds %v, not %s", repeated.Findings, f.Kind)
	}
}

// mistakes answers that a group is not there where it is a gathering, both of which the contract lists.
func mistakes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &kept{header: http.Header{}}
		next.ServeHTTP(answer, r)
		for name, values := range answer.header {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		w.WriteHeader(answer.status)
		_, _ = w.Write(bytes.ReplaceAll(answer.body, []byte(`"ignite_not_found"`), []byte(`"group_not_found"`)))
	})
}

func TestAnotherCodeIsFound(t *testing.T) {
	o := optionsOf(t, "familyscheduler", mistakes)
	o.First, o.Unshrunk, o.Workers = true, true, 1
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Findings) != 1 || !strings.HasSuffix(result.Findings[0].Kind, "answered 404 with another code") {
		t.Errorf("%d findings: %+v", len(result.Findings), result.Findings)
	}
}

func TestASeedTakesTheSameWalks(t *testing.T) {
	run := func(seed uint64) *Result {
		o := options(t, removesNobody) // what is found must not change which walks follow
		o.Seed, o.Steps = seed, 30
		result, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	first, second, other := run(3), run(3), run(4)
	if !maps.Equal(first.Asked, second.Asked) || first.Steps != second.Steps || first.Walks != second.Walks {
		t.Errorf("%d steps in %d walks, and then %d in %d", first.Steps, first.Walks, second.Steps, second.Walks)
	}
	if len(first.Findings) == 0 || len(first.Findings) != len(second.Findings) {
		t.Errorf("%d findings, and then %d", len(first.Findings), len(second.Findings))
	}
	if maps.Equal(first.Asked, other.Asked) {
		t.Error("another seed takes the same walks")
	}
}

func TestCorpusIsTakenFirst(t *testing.T) {
	o := options(t, unchanged)
	o.Steps, o.Corpus = 200, t.TempDir()
	first, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	again := options(t, unchanged)
	again.Steps, again.Corpus, again.Seed = 1, o.Corpus, 99
	second, err := Run(t.Context(), again)
	if err != nil {
		t.Fatal(err)
	}
	if second.Kept == 0 || first.Kept == 0 {
		t.Errorf("%d walks are kept, and %d again", first.Kept, second.Kept)
	}
}
