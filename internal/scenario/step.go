package scenario

import (
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"
)

// Step is one step of the vocabulary.
type Step struct {
	Pattern string // a regular expression that matches the step's whole text
	Example string // as it appears in a feature file
	// Run runs the step. It takes a context; the parts of the World that it uses, each as a pointer or as an interface
	// that one of them has; the newest request as a *RoundTrip if it needs one; a pointer to what its package stores in
	// the world (Part), if it does; the pattern's groups, each as a string or an int; then the step's table or doc
	// string if it takes one. It returns an error.
	Run any

	alone    bool
	check    func(*godog.Table) error
	review   func(d *Draft, step *godog.Step, groups []string) error
	cells    func(*godog.Table) []string // nil: those of two columns
	keeps    []string
	literal  []int
	tables   []int
	columns  func(*godog.Table) []string // of these tables, which the step's table names
	counts   bool
	waits    bool
	faulty   bool
	inCases  bool
	requests int // sent by it, at most
	after    int // requests that must have been sent before
}

// On returns a step with the given pattern, example and function.
func On(pattern, example string, run any) Step {
	step := Step{Pattern: pattern, Example: example, Run: run}
	if strings.Contains(pattern, MethodAndPath) {
		step.requests = 1
	}
	return step
}

// Alone returns the step as one that needs the target to itself, even though its theme shares it.
func (s Step) Alone() Step {
	s.alone = true
	return s
}

// Checked returns the step with a check of its table as written in the file, placeholders included.
func (s Step) Checked(check func(*godog.Table) error) Step {
	s.check = check
	return s
}

// Reviewed returns the step with a check of how it is written in its scenario, which is known before anything runs.
// groups are those of its pattern.
func (s Step) Reviewed(review func(d *Draft, step *godog.Step, groups []string) error) Step {
	s.review = review
	return s
}

// Keeps returns the step as one that gives names to values: "$2" is what its pattern's second group matches, and # at
// the end is a number. A name that it gives only sometimes is one of them.
func (s Step) Keeps(names ...string) Step {
	s.keeps = append(s.keeps, names...)
	return s
}

// Literal returns the step as one that uses groups of its pattern as they are written, so that {Ana.email} in one of
// them is not a placeholder. They are counted from 1.
func (s Step) Literal(groups ...int) Step {
	s.literal = groups
	return s
}

// Tables returns the step as one that is about rows of tables, which groups of its pattern name, counted from 1;
// columns returns the columns of the rows that the table below the step names, and may be nil.
func (s Step) Tables(columns func(*godog.Table) []string, groups ...int) Step {
	s.tables, s.columns = groups, columns
	return s
}

// HeaderCells returns the cells of a table's header, for Step.Tables.
func HeaderCells(table *godog.Table) []string {
	if len(table.Rows) == 0 {
		return nil
	}
	return values(table.Rows[0])
}

// FirstCells returns the first cell of each row of a table without a header, for Step.Tables.
func FirstCells(table *godog.Table) (texts []string) {
	for _, row := range table.Rows {
		texts = append(texts, row.Cells[0].Value)
	}
	return texts
}

// FirstBelowHeader returns the first cell of each row of a table with a header, for Step.Tables.
func FirstBelowHeader(table *godog.Table) []string {
	return FirstCells(&godog.Table{Rows: table.Rows[min(1, len(table.Rows)):]})
}

// Counts returns the step as one in which {i} counts.
func (s Step) Counts() Step {
	s.counts = true
	return s
}

// Waits returns the step as one for which its scenario takes longer than others: time has to pass.
func (s Step) Waits() Step {
	s.waits = true
	return s
}

// InCases returns the step as one that is run many times, each time from the same state.
func (s Step) InCases() Step {
	s.inCases = true
	return s
}

// Faulty returns the step as one that is run once for each way in which a storage call of its request fails.
func (s Step) Faulty() Step {
	s.faulty = true
	return s.InCases()
}

// Sends returns the step as one that may send so many requests. A step whose pattern has a method and a path sends one
// unless this says otherwise.
func (s Step) Sends(most int) Step {
	s.requests = most
	return s
}

// After returns the step as one that judges, or uses, so many requests of earlier steps. One whose function takes the
// last request uses one.
func (s Step) After(requests int) Step {
	s.after = requests
	return s
}

// Rows returns the step as one whose table has a header, and placeholders in all other rows. Without it a table has
// two columns, with placeholders in the second.
func (s Step) Rows() Step {
	return s.Cells(func(table *godog.Table) (texts []string) {
		for _, row := range table.Rows[min(1, len(table.Rows)):] {
			texts = append(texts, values(row)...)
		}
		return texts
	})
}

// Cells returns the step with the cells of its table that may have placeholders.
func (s Step) Cells(of func(*godog.Table) []string) Step {
	s.cells = of
	return s
}

// EveryCell returns all cells of a table without a header, for Step.Cells.
func EveryCell(table *godog.Table) (texts []string) {
	for _, row := range table.Rows {
		texts = append(texts, values(row)...)
	}
	return texts
}

func values(row *messages.PickleTableRow) []string {
	texts := make([]string, len(row.Cells))
	for i, cell := range row.Cells {
		texts[i] = cell.Value
	}
	return texts
}

// below returns the texts below a step that may have placeholders.
func (s Step) below(step *godog.Step) (texts []string) {
	table, text := arguments(step)
	switch {
	case text != nil:
		return []string{text.Content}
	case table == nil:
		return nil
	case s.cells != nil:
		return s.cells(table)
	}
	for _, row := range table.Rows {
		texts = append(texts, values(row)[min(1, len(row.Cells)):]...)
	}
	return texts
}

// Theme is a group of steps about one subject.
type Theme struct {
	Name  string
	Steps []Step
	Of    string // the only system whose rules may use the steps; "" for every design
	// Shares says that its steps only use what belongs to the scenario, such as people, rows and requests, whose names
	// are unique, so that other scenarios may run at the same time on the same target. Steps that break, delay or
	// observe shared state do not.
	Shares bool
	Facts  []Fact // of each person, which scenarios can refer to
	// Secrets are the endings of names under which steps keep what no log may contain, and what each of these is.
	Secrets map[string]string
}
