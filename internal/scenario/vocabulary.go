package scenario

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strconv"
	"sync"

	"github.com/cucumber/godog"
)

// Vocabulary is the set of all steps, indexed by text. It is safe for concurrent use.
type Vocabulary struct {
	steps   []known
	facts   []Fact
	secrets map[string]string // Theme.Secrets
	index   index
	found   sync.Map // *match, by the texts of steps
	named   sync.Map // []string, the names of placeholders, by the texts that have them
}

// known is a step and its requirements.
type known struct {
	Step
	pattern               *regexp.Regexp
	groups                int // the parameter of its function that takes the first group of the pattern
	takesTable, takesText bool
	theme, of             string // Theme.Name and Theme.Of
	needsAll              bool   // of the target: no other scenario may use it
}

// NewVocabulary returns the steps of themes, compiled.
func NewVocabulary(themes []Theme) *Vocabulary {
	v := &Vocabulary{secrets: map[string]string{}}
	for _, theme := range themes {
		v.facts = append(v.facts, theme.Facts...)
		maps.Copy(v.secrets, theme.Secrets)
		for _, step := range theme.Steps {
			pattern := regexp.MustCompile(`^` + step.Pattern + `$`)
			run, groups := reflect.TypeOf(step.Run), 1 // after the context
			for ; run.NumIn() > groups && isPart(run.In(groups)); groups++ {
				if run.In(groups) == reflect.TypeFor[*RoundTrip]() {
					step.after = max(step.after, 1)
				}
			}
			below := groups + pattern.NumSubexp()
			more := run.NumIn() > below
			table := more && run.In(below) == reflect.TypeFor[*godog.Table]()
			v.steps = append(v.steps, known{step, pattern, groups, table, more && !table, theme.Name, theme.Of,
				!theme.Shares || step.alone})
		}
	}
	v.index = newIndex(v.steps)
	return v
}

// isPart reports whether a parameter of a step's function is a part of the world (World.part).
func isPart(kind reflect.Type) bool {
	return kind.Kind() == reflect.Interface || kind.Kind() == reflect.Pointer &&
		kind != reflect.TypeFor[*godog.Table]() && kind != reflect.TypeFor[*godog.DocString]()
}

// call calls a step's function in a world. args are the context, the groups of the pattern and what stands below the
// step.
func (k known) call(w *World, args []reflect.Value) []reflect.Value {
	w.People.meet(texts(args))
	run, before := reflect.ValueOf(k.Run), args[:1:1]
	for len(before) < k.groups {
		part, err := w.part(run.Type().In(len(before)))
		if err != nil {
			return []reflect.Value{reflect.ValueOf(&err).Elem()}
		}
		before = append(before, part)
	}
	result := run.Call(append(before, args[1:]...))
	if k.after > 0 && k.requests == 0 && result[0].IsNil() {
		w.Requests.expect(k.after)
	}
	return result
}

// texts are what the groups of a step matched, and the cells or the text below it.
func texts(args []reflect.Value) (all []string) {
	for _, arg := range args {
		switch said := arg.Interface().(type) {
		case string:
			all = append(all, said)
		case *godog.Table:
			for _, row := range said.Rows {
				for _, cell := range row.Cells {
					all = append(all, cell.Value)
				}
			}
		case *godog.DocString:
			all = append(all, said.Content)
		}
	}
	return all
}

// match is the step that matches a text.
type match struct {
	known
	text string
	at   []int // where the pattern and its groups match
}

// said returns what the groups of the pattern match.
func (m *match) said() []string {
	groups := make([]string, len(m.at)/2-1)
	for i := range groups {
		if from := m.at[2*i+2]; from >= 0 {
			groups[i] = m.text[from:m.at[2*i+3]]
		}
	}
	return groups
}

// find returns the one step of the vocabulary that matches a step's text.
func (v *Vocabulary) find(step *godog.Step) (*match, error) {
	found, matches := v.lookUp(step.Text)
	switch matches {
	case 0:
		return nil, v.unknown(step.Text)
	case 1:
		return found, nil
	default:
		return nil, fmt.Errorf("%d steps read %q", matches, step.Text)
	}
}

// lookUp counts the steps that match a text. It returns the step if exactly one does, and nil otherwise. Unlike find,
// it does not search for a similar step.
func (v *Vocabulary) lookUp(text string) (found *match, matches int) {
	if before, ok := v.found.Load(text); ok {
		return before.(*match), 1
	}
	matching := v.index.matching(text)
	if len(matching) != 1 {
		return nil, len(matching)
	}
	found = &match{matching[0], text, matching[0].pattern.FindStringSubmatchIndex(text)}
	v.found.Store(text, found)
	return found, 1
}

// Described returns the step that a text is, and the name of its theme.
func (v *Vocabulary) Described(text string) (theme string, step Step, found bool) {
	k, _ := v.lookUp(text)
	if k == nil {
		return "", Step{}, false
	}
	return k.theme, k.Step, true
}

// Waits reports whether time passes in a step.
func (v *Vocabulary) Waits(step *godog.Step) bool {
	k, _ := v.lookUp(step.Text)
	return k != nil && k.waits
}

// InCases reports whether a step is run many times.
func (v *Vocabulary) InCases(step *godog.Step) bool {
	k, _ := v.lookUp(step.Text)
	return k != nil && k.inCases
}

// Faulty reports whether a step is run once for each way in which a storage call of its request fails.
func (v *Vocabulary) Faulty(step *godog.Step) bool {
	k, _ := v.lookUp(step.Text)
	return k != nil && k.faulty
}

// Sends reports whether a step may send a request.
func (v *Vocabulary) Sends(step *godog.Step) bool {
	k, _ := v.lookUp(step.Text)
	return k != nil && k.requests > 0
}

// Run runs a step in a world. It does nothing if a family of cases has already run the step in each of its cases.
func (v *Vocabulary) Run(ctx context.Context, step *godog.Step, world *World) error {
	if world.Cases.done {
		return nil
	}
	k, err := v.find(step)
	if err != nil {
		return err
	}
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for i, text := range k.said() {
		value := reflect.ValueOf(text)
		if reflect.TypeOf(k.Run).In(k.groups+i).Kind() == reflect.Int {
			number, err := strconv.Atoi(text)
			if err != nil {
				return fmt.Errorf("the step %q: %s is not a number", step.Text, text)
			}
			value = reflect.ValueOf(number)
		}
		args = append(args, value)
	}
	table, text := arguments(step)
	switch {
	case k.takesTable:
		args = append(args, reflect.ValueOf(table))
	case k.takesText:
		args = append(args, reflect.ValueOf(text))
	}
	err, _ = k.call(world, args)[0].Interface().(error)
	return err
}

func arguments(step *godog.Step) (*godog.Table, *godog.DocString) {
	if step.Argument == nil {
		return nil, nil
	}
	return step.Argument.DataTable, step.Argument.DocString
}
