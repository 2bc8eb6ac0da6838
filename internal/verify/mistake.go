package verify

import (
	"errors"
	"strings"
	"unicode/utf8"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/scenario"
)

// place is a line and a column of a file, from 1, and what is wrong there if several things can be.
type place struct {
	line, column int64
	what         string
}

func (p place) refuse(file string, err error) error {
	return refuse(file, &messages.Location{Line: p.line, Column: p.column}, "%s", err)
}

// parts returns the errors that an error joins.
func parts(err error) (all []error) {
	joined, several := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return nil
	case !several:
		return []error{err}
	}
	for _, one := range joined.Unwrap() {
		all = append(all, parts(one)...)
	}
	return all
}

// placed returns what is wrong with a step, each part at its place in the file. text is that of the step with the cells
// of an example in it.
func placed(file string, step *messages.Step, text string, err error) error {
	var all []error
	for _, one := range parts(err) {
		all = append(all, placeOfMistake(step, text, one).refuse(file, one))
	}
	return errors.Join(all...)
}

// placeOfMistake returns where in a step a mistake is: in its text, in a cell below it, or the step itself.
func placeOfMistake(step *messages.Step, text string, err error) place {
	whole := place{line: step.Location.Line, column: step.Location.Column, what: err.Error()}
	if cell, ok := errors.AsType[*scenario.CellError](err); ok && step.DataTable != nil {
		at := step.DataTable.Rows[cell.Row].Cells[cell.Column].Location
		return place{at.Line, at.Column, whole.what}
	}
	if wrong, ok := errors.AsType[*scenario.TextError](err); ok && step.Text == text {
		whole.column = textColumn(step, wrong.At)
		return whole
	}
	if wrong, ok := errors.AsType[*scenario.NameError](err); ok {
		if found := find(step, "{"+wrong.Name+"}"); found != nil {
			return place{found.Line, found.Column, wrong.Name}
		}
		whole.what = wrong.Name // what is known differs from scenario to scenario
	}
	return whole
}

// textColumn returns the column of a character of a step's text, counted from 0.
func textColumn(step *messages.Step, at int) int64 {
	return step.Location.Column + int64(utf8.RuneCountInString(step.Keyword)+at)
}

// find returns the position of a text in a step, or below it; nil if it is nowhere.
func find(step *messages.Step, text string) *messages.Location {
	if before, _, found := strings.Cut(step.Text, text); found {
		return &messages.Location{Line: step.Location.Line, Column: textColumn(step, utf8.RuneCountInString(before))}
	}
	if step.DocString != nil {
		for i, line := range strings.Split(step.DocString.Content, "\n") {
			if before, _, found := strings.Cut(line, text); found {
				at := step.DocString.Location
				return &messages.Location{Line: at.Line + 1 + int64(i),
					Column: at.Column + int64(utf8.RuneCountInString(before))}
			}
		}
	}
	if step.DataTable == nil {
		return nil
	}
	for _, row := range step.DataTable.Rows {
		for _, cell := range row.Cells {
			if before, _, found := strings.Cut(cell.Value, text); found {
				return &messages.Location{Line: cell.Location.Line,
					Column: cell.Location.Column + int64(utf8.RuneCountInString(before))}
			}
		}
	}
	return nil
}
