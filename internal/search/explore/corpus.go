package explore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/storespec/storespec/internal/host/atomicfile"
)

// corpus is the walks that have shown something new, and everything that was shown.
type corpus struct {
	directory string // where they are kept; "": nowhere
	walks     []*Walk
	seen      map[string]int
}

// mostKept bounds the corpus: walks are replaced from its beginning.
const mostKept = 400

func openCorpus(directory, system string) (*corpus, []*Walk, error) {
	c := &corpus{directory: directory, seen: map[string]int{}}
	if directory == "" {
		return c, nil, nil
	}
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return nil, nil, fmt.Errorf("the corpus: %w", err)
	}
	names, err := filepath.Glob(filepath.Join(directory, "*.json"))
	if err != nil {
		return nil, nil, fmt.Errorf("the corpus: %w", err)
	}
	var kept []*Walk
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, fmt.Errorf("the corpus: %w", err)
		}
		walk, err := decodeWalk(text)
		if err != nil {
			return nil, nil, &CorpusError{name, err}
		}
		if walk.System != system {
			return nil, nil, &CorpusError{name, fmt.Errorf("it is a walk of %q, not of %s", walk.System, system)}
		}
		kept = append(kept, walk)
	}
	return c, kept, nil
}

// CorpusError is a file of a corpus that is not a walk.
type CorpusError struct {
	Name string
	err  error
}

func (e *CorpusError) Error() string { return e.Name + ": " + e.err.Error() }

// add keeps a walk if it has shown something new, up to the last step that did.
func (c *corpus) add(o *outcome) error {
	last := -1
	for i, shown := range o.seen {
		for _, one := range shown {
			if c.seen[one]++; c.seen[one] == 1 {
				last = i
			}
		}
	}
	if last < 0 {
		return nil
	}
	kept := (&Walk{System: o.walk.System, Some: o.walk.Some, Env: o.walk.Env, Steps: o.walk.Steps[:last+1]}).clone()
	if len(c.walks) == mostKept {
		c.walks = c.walks[1:]
	}
	c.walks = append(c.walks, kept)
	return c.write(kept)
}

func (c *corpus) write(w *Walk) error {
	if c.directory == "" {
		return nil
	}
	text, err := json.MarshalIndent(w, "", "  ")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	name := filepath.Join(c.directory, hex.EncodeToString(sum[:8])+".json")
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	file, err := atomicfile.Create(name)
	if err != nil {
		return err
	}
	return file.Put(func(to io.Writer) error {
		_, err := to.Write(append(text, '\n'))
		return err
	})
}

// walkLength is how many steps a walk has. One costs as much to begin as a few steps.
const walkLength = 30

// fresh returns the steps of a walk that was not taken before.
func (g *generator) fresh() stepper {
	var last *Step
	taken := 0
	return func(context.Context) *Step {
		if last != nil {
			g.learn(last)
		}
		if taken++; taken > walkLength {
			return nil
		}
		last = g.step()
		return copyOf(last)
	}
}

// copyOf returns a step that shares no values with another.
func copyOf(step *Step) *Step {
	return &(&Walk{Steps: []Step{*step}}).clone().Steps[0]
}

// mutate returns the steps of a walk of the corpus, with changes, and some more.
func (g *generator) mutate(of *Walk) stepper {
	g.next = of.next()
	left := of.clone().Steps
	var last *Step
	taken := 0
	return func(context.Context) *Step {
		if last != nil {
			g.learn(last)
		}
		if taken++; taken > walkLength+10 || len(left) == 0 && taken > walkLength && taken > len(of.Steps)+8 {
			return nil
		}
		last = g.mutant(&left)
		return copyOf(last)
	}
}

// mutant returns the next step of a walk, or another one in its place.
func (g *generator) mutant(left *[]Step) *Step {
	for len(*left) > 0 {
		step := &(*left)[0]
		if g.chance(15) { // insert
			return g.step()
		}
		if g.chance(20) { // duplicate, as another request
			again := copyOf(step)
			g.renewKey(again)
			return g.give(again)
		}
		*left = (*left)[1:]
		if g.chance(20) { // delete
			continue
		}
		if g.chance(8) {
			g.change(step)
		}
		g.steps = append(g.steps, step)
		return step
	}
	return g.step()
}

// change changes one thing of a step: who takes it, or a value.
func (g *generator) change(step *Step) {
	if !step.requests() || step.Again != 0 {
		return
	}
	defer g.renewKey(step)
	if g.chance(3) {
		step.Person = g.person(step)
		return
	}
	if g.faults && g.chance(4) && step.ID != 0 {
		step.Fault, step.Meanwhile = nil, nil
		if g.disturb(step); step.Meanwhile != nil {
			step.Meanwhile.Step.ID = g.next
			g.next++
		}
		return
	}
	object, _ := step.Body.(map[string]any)
	names := slices.Sorted(maps.Keys(object))
	if len(names) == 0 || g.chance(3) {
		for _, values := range []map[string]string{step.At, step.Query} {
			for _, name := range slices.Sorted(maps.Keys(values)) {
				if g.chance(2) {
					values[name] = asText(g.value(step.route(), name, nil))
				}
			}
		}
		return
	}
	name := pick(g, names)
	if inner, is := object[name].(map[string]any); is && len(inner) > 0 {
		at := pick(g, slices.Sorted(maps.Keys(inner)))
		inner[at] = g.another(step.route(), at, inner[at])
		return
	}
	object[name] = g.another(step.route(), name, object[name])
}

// another returns another value for a name, if there are any to choose from.
func (g *generator) another(route, name string, value any) any {
	if len(g.spec.Values[name])+len(g.spec.Values[route+" "+name])+len(g.references(route, name)) == 0 {
		return value
	}
	return g.value(route, name, nil)
}

// splice joins the beginning of one walk and the end of another.
func splice(a, b *Walk, from, to int) *Walk {
	joined := (&Walk{System: a.System, Some: a.Some, Steps: a.Steps[:from]}).clone()
	offset := joined.next()
	tail := (&Walk{Steps: b.Steps[to:]}).clone()
	for i := range tail.Steps {
		tail.Steps[i].renumber(offset)
	}
	joined.Steps = append(joined.Steps, tail.Steps...)
	return joined
}

// renumber adds to a step's ID and to those that it refers to.
func (s *Step) renumber(offset int) {
	s.ID += offset
	s.renumberKey(offset)
	if s.Again != 0 {
		s.Again += offset
	}
	if s.Meanwhile != nil {
		s.Meanwhile.Step.ID += offset
		s.Meanwhile.Step.renumberKey(offset)
	}
	s.texts(func(text string) string {
		r, ok := readReference(text)
		if !ok {
			return text
		}
		r.step += offset
		return r.String()
	})
}
