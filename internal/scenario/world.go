package scenario

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/lane"
)

// World is the state of one scenario: its parts, each with its own state. Begin makes it ready.
type World struct {
	Stage    *Stage
	People   *People
	Names    *Names
	Storage  *Storage
	Requests *Requests
	Report   *Report
	Cases    *Cases

	packages map[reflect.Type]any // what packages of steps store here
	log      *lane.Log            // of the scenario and all its cases
}

// newWorld returns a world whose parts know each other.
func newWorld(stage *Stage, tag string) *World {
	people := &People{stage: stage, tag: tag, byName: map[string]*Person{}}
	names := &Names{stage: stage, people: people, kept: map[string]string{}}
	storage := &Storage{stage: stage}
	requests := &Requests{stage: stage, names: names, storage: storage}
	w := &World{Stage: stage, People: people, Names: names, Storage: storage, Requests: requests,
		Report: &Report{stage: stage, names: names, requests: requests}, packages: map[reflect.Type]any{}}
	w.Cases = &Cases{world: w}
	return w
}

// Begin returns a world that is ready for a scenario. The lane must belong to the scenario alone until Finish.
func Begin(suite *Suite, l *lane.Lane, pickle *godog.Scenario) *World {
	// its last character is a digit, so that whatever contains it is recognized as an id (package cause)
	w := newWorld(&Stage{suite: suite, lane: l, pickle: pickle}, strings.ToLower(rand.Text()[:8])+"7")
	w.log = l.Watch()
	return w
}

// Part returns what a package of steps stores in a world, one value of each type. It is created on first use, closed
// with the world if it is an io.Closer, and cloned into the worlds of cases if it has a method Clone.
func Part[T any](w *World) *T { return w.stored(reflect.TypeFor[*T]()).Interface().(*T) }

// part returns what a step's function takes: the world or one of its parts, also as an interface; the newest request;
// or else what its package stores in the world.
func (w *World) part(kind reflect.Type) (reflect.Value, error) {
	for _, part := range []any{w, w.Stage, w.People, w.Names, w.Storage, w.Requests, w.Report, w.Cases} {
		if reflect.TypeOf(part).AssignableTo(kind) {
			return reflect.ValueOf(part), nil
		}
	}
	if kind == reflect.TypeFor[*RoundTrip]() {
		last, err := w.Requests.Last()
		return reflect.ValueOf(last), err
	}
	return w.stored(kind), nil
}

// stored returns what a package stores under a pointer type.
func (w *World) stored(pointer reflect.Type) reflect.Value {
	kind := pointer.Elem()
	if _, there := w.packages[kind]; !there {
		w.packages[kind] = reflect.New(kind).Interface()
	}
	return reflect.ValueOf(w.packages[kind])
}

// Finish checks what must hold after every scenario and ends what the scenario started. Its error is the scenario's
// outcome if no step failed before. Nothing is checked when the context has ended: the target may still be calling a
// store that is gone, and nothing waits for the result.
func (w *World) Finish(ctx context.Context) error {
	var err error
	if ctx.Err() == nil {
		err = w.invariants(ctx)
	}
	return cmp.Or(err, w.Leave(context.WithoutCancel(ctx)))
}

// Leave ends what the scenario started.
func (w *World) Leave(ctx context.Context) error {
	w.Stage.lane.Restore()
	var closed error
	for _, part := range w.packages {
		if closer, ok := part.(io.Closer); ok {
			closed = errors.Join(closed, closer.Close())
		}
	}
	if w.Stage.cold == nil {
		return closed
	}
	err := errors.Join(closed, w.Stage.cold.Close(ctx))
	w.Stage.lane.Count(w.Stage.cold)
	w.Stage.cold = nil
	return err
}

// Reach notes that a step is about to run.
func (w *World) Reach(step *godog.Step) {
	w.Stage.at = slices.IndexFunc(w.Stage.pickle.Steps, func(s *godog.Step) bool { return s.Id == step.Id })
	if step.Type != messages.PickleStepType_CONTEXT && !w.Storage.begun {
		w.Storage.begin()
	}
}
