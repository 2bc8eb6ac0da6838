package events

import (
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/verify"
)

// Scenario is a scenario as its feature file states it, with the cells of its example filled in.
type Scenario struct {
	File  string
	Line  int
	Name  string // distinguishes the examples of one line
	Steps []Step // those of its backgrounds first
}

// Step is one step of a scenario.
type Step struct {
	Keyword  string // as written, such as "Given " or "And "
	Text     string
	Prepares bool       // it is a Given, or an And after one
	Doc      string     // its doc string; "": it has none
	Table    [][]string // its rows of cells; nil: it has none
}

// Of returns the scenario that a result is of, or nil if the stream does not contain its feature file.
func (s *Stream) Of(result *verify.ScenarioResult) *Scenario {
	for i := range s.Scenarios {
		if one := &s.Scenarios[i]; (place{one.File, one.Line, one.Name}) == placeOf(result) {
			return one
		}
	}
	return nil
}

// ScenariosOf returns the scenarios of feature files.
func ScenariosOf(documents []verify.Document) (list []Scenario) {
	for _, document := range documents {
		keywords := map[string]string{} // by the ids of steps
		if feature := document.Tree.Feature; feature != nil {
			for _, child := range feature.Children {
				keep(keywords, child.Background, child.Scenario)
				if child.Rule == nil {
					continue
				}
				for _, inner := range child.Rule.Children {
					keep(keywords, inner.Background, inner.Scenario)
				}
			}
		}
		for _, pickle := range document.Pickles {
			one := Scenario{File: pickle.Uri, Name: pickle.Name}
			if pickle.Location != nil {
				one.Line = int(pickle.Location.Line)
			}
			for _, step := range pickle.Steps {
				one.Steps = append(one.Steps, stepOf(step, keywords))
			}
			list = append(list, one)
		}
	}
	return list
}

// keep notes the keywords of steps.
func keep(keywords map[string]string, background *messages.Background, scenario *messages.Scenario) {
	var steps []*messages.Step
	if background != nil {
		steps = append(steps, background.Steps...)
	}
	if scenario != nil {
		steps = append(steps, scenario.Steps...)
	}
	for _, step := range steps {
		keywords[step.Id] = step.Keyword
	}
}

func stepOf(step *messages.PickleStep, keywords map[string]string) Step {
	s := Step{Text: step.Text, Prepares: step.Type == messages.PickleStepType_CONTEXT}
	if len(step.AstNodeIds) > 0 {
		s.Keyword = keywords[step.AstNodeIds[0]]
	}
	if step.Argument == nil {
		return s
	}
	if doc := step.Argument.DocString; doc != nil {
		s.Doc = doc.Content
	}
	if table := step.Argument.DataTable; table != nil {
		for _, row := range table.Rows {
			cells := make([]string, len(row.Cells))
			for i, cell := range row.Cells {
				cells[i] = cell.Value
			}
			s.Table = append(s.Table, cells)
		}
	}
	return s
}
