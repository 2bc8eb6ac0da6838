package explore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/scenario"
)

// The limits of shrinking one finding.
const (
	mostShrinking   = 600 // walks
	shrinkingWithin = 20 * time.Second
)

// shrinker looks for the shortest walk that ends with the same kind of difference.
type shrinker struct {
	run    *run
	couple *couple
	kind   string
	best   *outcome
	left   int
	until  time.Time
}

// found confirms a difference, shrinks its walk, and makes it a finding. A difference that cannot be reproduced is
// recorded as such.
func (r *run) found(ctx context.Context, c *couple, o *outcome) error {
	kind, text := o.found.Kind, c.scrub(o.found.Text)
	known := slices.ContainsFunc(r.result.Findings, func(f Finding) bool { return f.Kind == kind })
	if known || r.refuted[kind] >= mostRefuted {
		return nil
	}
	s := &shrinker{run: r, couple: c, kind: kind, left: mostShrinking,
		until: time.Now().Add(cmp.Or(r.Shrinking, shrinkingWithin))}
	again := true
	for range confirmations {
		var err error
		if again, err = s.try(ctx, o.walk); err != nil {
			return err
		} else if !again {
			break
		}
	}
	if again && !r.Unshrunk {
		var err error
		if again, err = s.shrink(ctx); err != nil {
			return err
		}
	}
	if !again {
		if r.refuted[kind]++; r.refuted[kind] == 1 {
			r.result.Unrepeated = append(r.result.Unrepeated, text+" (--replay "+o.walk.Token()+")")
		}
		return nil
	}
	return r.add(ctx, s.couple, s.best)
}

// add makes an outcome a finding. It must be that of the last walk that the couple has taken.
func (r *run) add(ctx context.Context, c *couple, o *outcome) (err error) {
	f := Finding{Difference: *o.found, Walk: o.walk}
	f.Scenario, f.Beside = c.scenario(o)
	f.Kind, f.Text = c.scrub(f.Kind), c.scrub(f.Text)
	if !r.Unshrunk {
		if f.Unproven, err = c.prove(ctx, f.Scenario); err != nil {
			return err
		}
	}
	r.result.Findings = append(r.result.Findings, f)
	return nil
}

// try takes a walk, and keeps it if it ends with the same difference. Only the couple's last walk can be printed, so
// the best one is taken again at the end.
func (s *shrinker) try(ctx context.Context, w *Walk) (bool, error) {
	if s.best != nil && (w.reusesKey(s.run.Spec) || w.dangles() && !s.best.walk.dangles()) {
		return false, nil // that would be another cause
	}
	s.left--
	s.run.trials++
	o, err := s.couple.take(ctx, s.run.begin(w, firstTrial+s.run.trials), stepsOf(w))
	if _, is := errors.AsType[*beginError](err); is && ctx.Err() == nil {
		return false, nil // a step of the beginning needs one that was left out
	}
	if err != nil || o.found == nil || o.found.Kind != s.kind {
		return false, err
	}
	if s.best != nil && o.missed && !s.best.missed {
		return false, nil // it uses a value that no answer has given
	}
	s.best = o
	return true, nil
}

func (s *shrinker) spent() bool { return s.left <= 0 || time.Now().After(s.until) }

// mostRefuted is how many irreproducible walks it takes to ignore a kind of difference.
const mostRefuted = 3

// confirmations is how often a walk must end with the same difference, on fresh accounts, before it is believed.
const confirmations = 2

// shrink makes the best walk shorter, and then simpler. again reports whether what is left still shows the difference.
func (s *shrinker) shrink(ctx context.Context) (again bool, err error) {
	for _, pass := range []func(context.Context) error{
		s.chunks, s.beginning, s.plain, s.chunks, s.people, s.values, s.chunks, s.less} {
		if err := pass(ctx); err != nil {
			return false, err
		}
	}
	return s.try(ctx, s.best.walk) // its answers are what is printed
}

// chunks removes runs of steps: half of the walk first, then smaller runs, then single steps.
func (s *shrinker) chunks(ctx context.Context) error {
	for size := len(s.best.walk.Steps) / 2; size > 0; size /= 2 {
		for from := 0; from < len(s.best.walk.Steps)-1 && !s.spent(); {
			shorter := s.best.walk.clone()
			shorter.Steps = slices.Delete(shorter.Steps, from, min(from+size, len(shorter.Steps)-1))
			better, err := s.try(ctx, shorter)
			if err != nil {
				return err
			}
			if !better {
				from += size
			}
		}
	}
	return nil
}

// firstTrial numbers the walks of shrinking apart from the others, so that what is found does not change which walks
// follow.
const firstTrial = 1 << 30

// begin returns what stands before the steps of a walk, with people of its own.
func (r *run) begin(w *Walk, n int) Walk {
	return Walk{System: w.System, Tag: tagOf(r.Seed, n), Some: w.Some, Less: w.Less, Env: w.Env}
}

// beginning leaves out steps that the walk begins with.
func (s *shrinker) beginning(ctx context.Context) error {
	for i := 0; i < len(s.best.walk.Some) && !s.spent(); {
		shorter := s.best.walk.clone()
		shorter.Some = slices.Delete(shorter.Some, i, i+1)
		better, err := s.try(ctx, shorter)
		if err != nil {
			return err
		}
		if !better {
			i++
		}
	}
	return nil
}

// less removes steps of the beginning, the last one first, since later steps depend on earlier ones.
func (s *shrinker) less(ctx context.Context) error {
	for i := len(s.run.Spec.beginning(&Walk{Some: s.best.walk.Some})) - 1; i >= 0 && !s.spent(); i-- {
		shorter := s.best.walk.clone()
		shorter.Less = append(shorter.Less, i)
		if _, err := s.try(ctx, shorter); err != nil {
			return err
		}
	}
	return nil
}

// people lets the first person do what another does.
func (s *shrinker) people(ctx context.Context) error {
	if len(s.run.Spec.People) == 0 {
		return nil
	}
	for i := 0; i < len(s.best.walk.Steps) && !s.spent(); i++ {
		simpler := s.best.walk.clone()
		step := &simpler.Steps[i]
		if step.Person == s.run.Spec.People[0] || !step.requests() {
			continue
		}
		step.Person = s.run.Spec.People[0]
		if _, err := s.try(ctx, simpler); err != nil {
			return err
		}
	}
	return nil
}

// plain writes the usual value of a name instead of another, and instead of a reference to what an answer said: the
// step that gave that answer may then be left out.
func (s *shrinker) plain(ctx context.Context) error { return s.simpler(ctx, s.usual, false) }

// values leaves out members, parameters, faults and rivals.
func (s *shrinker) values(ctx context.Context) error { return s.simpler(ctx, simplifications, true) }

// simpler tries simplifications of each step, one after the other. shorter: one that helped is gone from the list.
func (s *shrinker) simpler(ctx context.Context, of func(*Step) []func(), shorter bool) error {
	for i := 0; i < len(s.best.walk.Steps) && !s.spent(); i++ {
		for at := 0; !s.spent() && i < len(s.best.walk.Steps); at++ {
			simpler := s.best.walk.clone()
			things := of(&simpler.Steps[i])
			if at >= len(things) {
				break
			}
			things[at]()
			better, err := s.try(ctx, simpler)
			if err != nil {
				return err
			}
			if better && shorter {
				at--
			}
		}
	}
	return nil
}

// usual returns what sets each value of a step to the first of its pool.
func (s *shrinker) usual(step *Step) (things []func()) {
	spec := s.run.Spec
	pool := func(name string) []any {
		if own := spec.Values[step.route()+" "+name]; len(own) > 0 {
			return own
		}
		return spec.Values[name]
	}
	for _, values := range []map[string]string{step.At, step.Query} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if usual := pool(name); len(usual) > 0 && values[name] != asText(usual[0]) {
				things = append(things, func() { values[name] = asText(usual[0]) })
			}
		}
	}
	object, _ := step.Body.(map[string]any)
	inner := []map[string]any{object}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if deeper, is := object[name].(map[string]any); is {
			inner = append(inner, deeper)
		}
	}
	for _, members := range inner {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if usual := pool(name); len(usual) > 0 && compact(members[name]) != compact(usual[0]) {
				things = append(things, func() { members[name] = usual[0] })
			}
		}
	}
	return things
}

// simplifications returns what leaves something out of a step.
func simplifications(step *Step) (things []func()) {
	if step.Fault != nil {
		things = append(things, func() { step.Fault = nil })
	}
	if step.Meanwhile != nil {
		things = append(things, func() { step.Meanwhile = nil })
	}
	for _, values := range []map[string]string{step.Header, step.Query} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if name != scenario.IdempotencyKey || step.Fault == nil || step.Fault.Left { // else it is another request
				things = append(things, func() { delete(values, name) })
			}
		}
	}
	object, _ := step.Body.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		things = append(things, func() { delete(object, name) })
		inner, _ := object[name].(map[string]any)
		for _, member := range slices.Sorted(maps.Keys(inner)) {
			things = append(things, func() { delete(inner, member) })
		}
		if list, is := object[name].([]any); is && len(list) > 1 {
			things = append(things, func() { object[name] = list[:len(list)/2] })
		}
	}
	return things
}

// replay takes a single walk unchanged.
func (r *run) replay(ctx context.Context) error {
	c := r.couples[0]
	o, err := c.take(ctx, r.begin(r.Replay, 1), stepsOf(r.Replay))
	if err != nil {
		return err
	}
	r.count(o)
	if o.found == nil {
		return nil
	}
	return r.add(ctx, c, o)
}

// compact returns a JSON value on one line.
func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
