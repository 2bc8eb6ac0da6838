package verify

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/reference"
	"github.com/storespec/storespec/steps"
)

// keeping compares the names that steps give to values with those that they declare (scenario.Step.Keeps).
type keeping struct {
	steps *scenario.Vocabulary

	mu         sync.Mutex
	running    map[*scenario.World]int             // steps, one from within another
	within     map[*scenario.World]map[string]bool // what those within another have named
	undeclared map[string]bool                     // by the pattern of the step, and the name
	kept       map[string]map[string]bool          // what was declared, by the pattern: whether some step named it
}

// newKeeping returns a keeping whose steps are those of the themes, observed.
func newKeeping(themes []scenario.Theme) *keeping {
	k := &keeping{running: map[*scenario.World]int{}, within: map[*scenario.World]map[string]bool{},
		undeclared: map[string]bool{}, kept: map[string]map[string]bool{}}
	for _, theme := range themes {
		for i := range theme.Steps {
			step := &theme.Steps[i]
			run, pattern := reflect.ValueOf(step.Run), step.Pattern
			in := []reflect.Type{reflect.TypeFor[context.Context](), reflect.TypeFor[*scenario.World]()}
			for own := range run.Type().Ins() {
				in = append(in, own)
			}
			in = slices.Delete(in, 2, 3) // its own context
			observed := reflect.FuncOf(in, []reflect.Type{reflect.TypeFor[error]()}, false)
			step.Run = reflect.MakeFunc(observed, func(args []reflect.Value) []reflect.Value {
				return k.observe(pattern, args[1].Interface().(*scenario.World),
					func() []reflect.Value { return run.Call(slices.Delete(args, 1, 2)) })
			}).Interface()
		}
	}
	k.steps = scenario.NewVocabulary(themes)
	return k
}

func (k *keeping) observe(pattern string, w *scenario.World, run func() []reflect.Value) []reflect.Value {
	k.mu.Lock()
	k.running[w]++
	inner := k.running[w] > 1
	k.mu.Unlock()
	before, _ := w.Names.Known()
	result := run()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running[w]--
	after, people := w.Names.Known()
	if inner {
		if k.within[w] == nil {
			k.within[w] = map[string]bool{}
		}
		for _, name := range after {
			k.within[w][name] = true
		}
		return result
	}
	declared := k.steps.Keeps(w.Stage.Step())
	for _, name := range after {
		if name != "i" && !slices.Contains(before, name) && !k.within[w][name] &&
			!slices.ContainsFunc(declared, func(d string) bool { return isNamed(name, d) }) {
			k.undeclared[pattern+": "+name] = true
		}
	}
	if !result[0].IsNil() {
		return result // it may have ended before it kept anything
	}
	for i, d := range declared {
		if k.kept[pattern] == nil {
			k.kept[pattern] = map[string]bool{}
		}
		number := string(rune('1' + i))
		k.kept[pattern][number] = k.kept[pattern][number] ||
			slices.ContainsFunc(slices.Concat(after, people), func(name string) bool { return isNamed(name, d) })
	}
	return result
}

// isNamed reports whether a name is the declared one, in which a # at the end stands for a number.
func isNamed(name, declared string) bool {
	prefix, numbered := strings.CutSuffix(declared, "#")
	return name == declared || numbered && strings.HasPrefix(name, prefix) && name != prefix &&
		strings.Trim(name[len(prefix):], "0123456789") == ""
}

// A mistake in what a step declares would refuse rules that can run, or let some run that cannot.
func TestStepsKeepWhatTheyDeclare(t *testing.T) {
	t.Parallel() // with tests that wait
	offers := system.Offers{Companions: companion.Names(), Placeholders: lane.Placeholders(),
		References: reference.Names(), Contract: reference.Contract}
	for _, kind := range stores.Kinds() {
		offers.Stores = append(offers.Stores,
			system.Store{Name: kind.Name(), Placeholders: kind.Placeholders(), Reach: kind.Reach()})
	}
	shipped, err := offers.Shipped(features.Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, design := range shipped {
		t.Run(design.Name, func(t *testing.T) {
			k := newKeeping(steps.Themes())
			runObserved(t, design, k)
			for undeclared := range k.undeclared {
				t.Errorf("undeclared: %s", undeclared)
			}
			for pattern, names := range k.kept {
				for number, kept := range names {
					if !kept {
						t.Errorf("name %s that %s declares was never given", number, pattern)
					}
				}
			}
			if len(k.kept) == 0 {
				t.Error("no step gave a name")
			}
		})
	}
}

func runObserved(t *testing.T, design system.System, k *keeping) {
	t.Helper()
	catalogue, err := Load(features.Files, design)
	if err != nil {
		t.Fatal(err)
	}
	catalogue.steps = k.steps
	first := firstExamples(catalogue)
	opened, err := stores.OpenFirst(t.Context(), design.Store, store.Options{Lanes: 4, Cold: 16})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opened.Close(context.WithoutCancel(t.Context())) }() // only its memory is lost
	_, err = Run(t.Context(), Options{Catalogue: catalogue, System: design, Lanes: 4,
		Select: func(at Place) bool { return first[at] },
		Secret: "a-secret-that-cannot-be-guessed", Reference: true,
		Store:  opened,
		Proofs: proof.Proofs{Faults: proof.NoFaults, Orders: 1, Stateless: true},
		Target: target.Reference("reference",
			func(getenv func(string) string, storage http.RoundTripper, _ io.Writer) (target.Handler, error) {
				return reference.Open(design.Reference, getenv, storage, slog.New(slog.DiscardHandler))
			})})
	if err != nil {
		t.Fatal(err)
	}
}

// firstExamples returns the places of all scenarios, of an outline only that of its first example: the others have the
// same steps.
func firstExamples(catalogue *Catalogue) map[Place]bool {
	first, known := map[Place]bool{}, map[string]bool{}
	for _, document := range catalogue.Documents {
		for _, pickle := range document.Pickles {
			if outline := document.Tree.Uri + "#" + pickle.AstNodeIds[0]; !known[outline] {
				known[outline] = true
				first[placeOf(pickle)] = true
			}
		}
	}
	return first
}
