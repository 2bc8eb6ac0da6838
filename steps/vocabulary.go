package steps

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"

	"github.com/cucumber/godog"
)

// Vocabulary is every step, ready to be found by its text. It is safe for concurrent use.
type Vocabulary struct{ steps []known }

// known is a step and what it takes.
type known struct {
	Step
	pattern               *regexp.Regexp
	takesTable, takesText bool
	of                    string // Theme.Of
}

// NewVocabulary is All, compiled.
func NewVocabulary() *Vocabulary {
	v := &Vocabulary{}
	for _, theme := range Themes() {
		for _, step := range theme.Steps {
			pattern := regexp.MustCompile(`^` + step.Pattern + `$`)
			handler, groups := reflect.TypeOf(step.Handler(&World{})), pattern.NumSubexp()
			more := handler.NumIn() > groups
			table := more && handler.In(groups) == reflect.TypeFor[*godog.Table]()
			v.steps = append(v.steps, known{step, pattern, table, more && !table, theme.Of})
		}
	}
	return v
}

// Bind gives godog every step, to be run in the world.
func (v *Vocabulary) Bind(sc *godog.ScenarioContext, world *World) {
	for _, step := range v.steps {
		sc.Step(step.pattern, world.unlessJudged(step.Handler(world)))
	}
}

// unlessJudged is a handler that does nothing when a family of cases has run the step already, in each of its cases.
func (w *World) unlessJudged(handler any) any {
	run := reflect.ValueOf(handler)
	return reflect.MakeFunc(run.Type(), func(args []reflect.Value) []reflect.Value {
		if w.casesRun {
			return []reflect.Value{reflect.Zero(run.Type().Out(0))}
		}
		return run.Call(args)
	}).Interface()
}

// find is the one step of the vocabulary that reads a step's text.
func (v *Vocabulary) find(step *godog.Step) (known, error) {
	var matching []known
	for _, k := range v.steps {
		if k.pattern.MatchString(step.Text) {
			matching = append(matching, k)
		}
	}
	switch len(matching) {
	case 0:
		return known{}, v.unknown(step.Text)
	case 1:
		return matching[0], nil
	}
	return known{}, fmt.Errorf("%d steps read %q", len(matching), step.Text)
}

// run runs a step in a world, as godog would.
func (v *Vocabulary) run(step *godog.Step, world *World) error {
	k, err := v.find(step)
	if err != nil {
		return err
	}
	handler := reflect.ValueOf(k.Handler(world))
	var args []reflect.Value
	for i, text := range k.pattern.FindStringSubmatch(step.Text)[1:] {
		switch handler.Type().In(i).Kind() {
		case reflect.Int:
			number, err := strconv.Atoi(text)
			if err != nil {
				return fmt.Errorf("the step %q: %s is no number", step.Text, text)
			}
			args = append(args, reflect.ValueOf(number))
		default:
			args = append(args, reflect.ValueOf(text))
		}
	}
	table, text := arguments(step)
	switch {
	case k.takesTable:
		args = append(args, reflect.ValueOf(table))
	case k.takesText:
		args = append(args, reflect.ValueOf(text))
	}
	err, _ = handler.Call(args)[0].Interface().(error)
	return err
}

func arguments(step *godog.Step) (*godog.Table, *godog.DocString) {
	if step.Argument == nil {
		return nil, nil
	}
	return step.Argument.DataTable, step.Argument.DocString
}
