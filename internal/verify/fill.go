package verify

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/source"
)

// routeColumn is the column of a table of routes that has the routes.
const routeColumn = "route"

// filler fills the Examples of a feature that have no rows of their own from a table in the feature's Background, so
// that the routes are written once. All rows of such Examples get their line.
type filler struct {
	file   string
	doc    *messages.GherkinDocument
	unique func() string
	filled []*messages.Examples
}

// fillings returns the tables that fill Examples, by the name of the Examples.
func fillings() map[string]string {
	return map[string]string{
		"every gated route":    scenario.RouteTable,
		"every budgeted route": scenario.BudgetedTable,
	}
}

// fill fills the Examples of a document. It returns the text of the file with the rows written out, which is what godog
// reads, and what godog's lines are in the file. The error joins a *source.Error for each Examples that cannot be
// filled, or have no rows.
func fill(file string, content []byte, doc *messages.GherkinDocument, unique func() string) ([]byte,
	map[int64]*messages.Location, error) {
	f := &filler{file: file, doc: doc, unique: unique}
	var wrong []error
	for _, rule := range rulesIn(doc.Feature) {
		for _, outline := range scenariosIn(rule) {
			for _, examples := range outline.Examples {
				wrong = append(wrong, f.examples(outline, examples))
			}
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, nil, err
	}
	if len(f.filled) == 0 {
		return content, nil, nil
	}
	written := f.writtenOut(content)
	locations, err := f.locations(written)
	return written, locations, err
}

// examples fills the Examples of an outline, unless they have rows and a name of their own.
func (f *filler) examples(outline *messages.Scenario, examples *messages.Examples) error {
	table, known := fillings()[examples.Name]
	switch {
	case known && examples.TableHeader != nil:
		return refuse(f.file, examples.Location, "Examples: %s are filled from the table of %s, and these have rows "+
			"of their own: remove the rows, or the name", examples.Name, table)
	case known:
		return f.from(table, outline, examples)
	case len(examples.TableBody) == 0:
		meant := source.Nearest(examples.Name, slices.Sorted(maps.Keys(fillings())))
		if meant != "" {
			meant = fmt.Sprintf("; did you mean \"Examples: %s\"?", meant)
		}
		return refuse(f.file, examples.Location, "the Examples have no rows, so nothing would run%s", meant)
	}
	return nil
}

// from fills Examples with the columns of a table that the outline uses.
func (f *filler) from(table string, outline *messages.Scenario, examples *messages.Examples) error {
	step := backgroundTable(f.doc.Feature, table)
	if step == nil {
		return refuse(f.file, examples.Location, "Examples: %s are filled from a table, and the feature's Background "+
			"has no \"Given %s\"", examples.Name, table)
	}
	columns := step.DataTable.Rows[0].Cells
	has := func(column string) bool {
		return slices.ContainsFunc(columns, func(c *messages.TableCell) bool { return c.Value == column })
	}
	if !has(routeColumn) || len(step.DataTable.Rows) < 2 {
		return refuse(f.file, step.Location, "the table of %s needs the column %s and at least one row, to fill the "+
			"Examples in line %d", table, routeColumn, examples.Location.Line)
	}
	uses := map[string]bool{routeColumn: true}
	for _, used := range placeholdersOf(outline) {
		if !has(used.name) {
			return refuse(f.file, used.at, "<%s> is not a column of %s, which fill the Examples in line %d", used.name,
				table, examples.Location.Line)
		}
		uses[used.name] = true
	}
	if !strings.Contains(outline.Name, "<"+routeColumn+">") {
		return refuse(f.file, outline.Location, "the outline's name lacks <%s>: reports would not say which route of "+
			"the Examples in line %d failed", routeColumn, examples.Location.Line)
	}
	for i, row := range step.DataTable.Rows {
		found := &messages.TableRow{Id: f.unique(), Location: examples.Location}
		for j, cell := range row.Cells {
			if uses[columns[j].Value] {
				found.Cells = append(found.Cells, &messages.TableCell{Location: examples.Location, Value: cell.Value})
			}
		}
		if i == 0 {
			examples.TableHeader = found
			continue
		}
		examples.TableBody = append(examples.TableBody, found)
	}
	f.filled = append(f.filled, examples)
	return f.named(table, outline, examples)
}

// named refuses filled examples of which two would have the same name: only the name distinguishes what is in one line.
func (f *filler) named(table string, outline *messages.Scenario, examples *messages.Examples) error {
	seen := map[string]bool{}
	for _, row := range examples.TableBody {
		name := outline.Name
		for i, column := range examples.TableHeader.Cells {
			name = strings.ReplaceAll(name, "<"+column.Value+">", row.Cells[i].Value)
		}
		if seen[name] {
			return refuse(f.file, outline.Location, "two of %s give the scenario %q: its name needs another column of "+
				"the table", table, name)
		}
		seen[name] = true
	}
	return nil
}

// used is a placeholder of an outline.
type used struct {
	name string
	at   *messages.Location
}

var inOutline = regexp.MustCompile(`<([^<>\s](?:[^<>]*[^<>\s])?)>`)

// placeholdersOf returns the placeholders of an outline, wherever Gherkin replaces them.
func placeholdersOf(outline *messages.Scenario) (list []used) {
	add := func(at *messages.Location, texts ...string) {
		for _, text := range texts {
			for _, m := range inOutline.FindAllStringSubmatch(text, -1) {
				list = append(list, used{m[1], at})
			}
		}
	}
	add(outline.Location, outline.Name)
	for _, step := range outline.Steps {
		add(step.Location, step.Text)
		if step.DocString != nil {
			add(step.Location, step.DocString.MediaType, step.DocString.Content)
		}
		if step.DataTable == nil {
			continue
		}
		for _, row := range step.DataTable.Rows {
			for _, cell := range row.Cells {
				add(row.Location, cell.Value)
			}
		}
	}
	return list
}

// writtenOut returns the text of the file with the rows of the filled Examples, each below the description of its own.
func (f *filler) writtenOut(content []byte) []byte {
	lines := bytes.SplitAfter(content, []byte("\n"))
	rows := map[int]string{} // what stands above a line, by its index
	for _, examples := range f.filled {
		next := int(examples.Location.Line)
		for left := textLines(examples.Description); left > 0; next++ {
			if line := bytes.TrimSpace(lines[next]); len(line) > 0 && line[0] != '#' {
				left--
			}
		}
		rows[next] = "\n" + table(examples) // the file may end without a line break
	}
	var text bytes.Buffer
	for i, line := range lines {
		text.WriteString(rows[i])
		text.Write(line)
	}
	text.WriteString(rows[len(lines)])
	return text.Bytes()
}

// textLines counts the lines of a text that are not blank.
func textLines(text string) (count int) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			count++
		}
	}
	return count
}

// table returns the rows of Examples as Gherkin writes them.
func table(examples *messages.Examples) string {
	var text strings.Builder
	for _, row := range append([]*messages.TableRow{examples.TableHeader}, examples.TableBody...) {
		text.WriteString("|")
		for _, cell := range row.Cells {
			text.WriteString(" " + escaped.Replace(cell.Value) + " |")
		}
		text.WriteString("\n")
	}
	return text.String()
}

// escaped writes a cell as Gherkin reads it.
var escaped = strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", `\n`)

// locations returns where the scenarios of the text with all rows are in the file, by their lines in that text.
func (f *filler) locations(written []byte) (map[int64]*messages.Location, error) {
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(written), f.unique)
	if err != nil {
		return nil, fmt.Errorf("%s with the rows of its filled Examples: %w", f.file, err)
	}
	theirs, ours := gherkin.Pickles(*doc, f.file, f.unique), gherkin.Pickles(*f.doc, f.file, f.unique)
	if len(theirs) != len(ours) {
		return nil, fmt.Errorf("%s has %d scenarios, and %d with the rows of its filled Examples", f.file, len(ours),
			len(theirs))
	}
	found := map[int64]*messages.Location{}
	for i, pickle := range theirs {
		if pickle.Name != ours[i].Name {
			return nil, fmt.Errorf("%s with the rows of its filled Examples has %q instead of %q", f.file, pickle.Name,
				ours[i].Name)
		}
		found[pickle.Location.Line] = ours[i].Location
	}
	return found, nil
}
