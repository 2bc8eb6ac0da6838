package verify

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/source"
)

// parse reads a feature. The error joins a *source.Error for each place that is not Gherkin.
func parse(name string, content []byte, unique func() string) (*messages.GherkinDocument, error) {
	if err := parsable(name, content); err != nil {
		return nil, err
	}
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(content), unique)
	if err != nil {
		return nil, malformed(name, err)
	}
	if doc.Feature == nil {
		return nil, &source.Error{File: name, Reason: "it holds no feature"}
	}
	doc.Uri = name
	return doc, withoutCells(name, doc.Feature)
}

// withoutCells refuses a table of rows like "|", which Gherkin accepts but no one means.
func withoutCells(name string, feature *messages.Feature) error {
	var wrong []error
	check := func(rows ...*messages.TableRow) {
		if len(rows) > 0 && rows[0] != nil && len(rows[0].Cells) == 0 {
			wrong = append(wrong, refuse(name, rows[0].Location, "the table has no cell: a row ends with |, too"))
		}
	}
	for _, step := range stepsInOrder(feature) {
		if step.DataTable != nil {
			check(step.DataTable.Rows...)
		}
	}
	for _, rule := range rulesIn(feature) {
		for _, scenario := range scenariosIn(rule) {
			for _, examples := range scenario.Examples {
				check(examples.TableHeader)
			}
		}
	}
	return errors.Join(wrong...)
}

// longestLine is how much of a line the parser reads, in bytes, with room for the line break. It silently ignores a
// longer line.
const longestLine = bufio.MaxScanTokenSize - 2

// parsable refuses input on which the parser panics or gives no useful error.
func parsable(name string, content []byte) error {
	if bytes.HasPrefix(content, []byte("\ufeff")) {
		return &source.Error{File: name, Line: 1, Reason: "it begins with a byte order mark: save it without"}
	}
	number := 0
	for line := range bytes.Lines(content) {
		if number++; len(line) > longestLine {
			return &source.Error{File: name, Line: number,
				Reason: fmt.Sprintf("the line has more than %d bytes", longestLine)}
		}
	}
	return nil
}

var parserPosition = regexp.MustCompile(`\((\d+):(\d+)\): (.+)`)

// malformed converts the parser's "Parser errors:\n(3:5): expected …" to file:line:column.
func malformed(name string, err error) error {
	var places []error
	for _, m := range parserPosition.FindAllStringSubmatch(err.Error(), -1) {
		line, _ := strconv.Atoi(m[1]) // the pattern has digits only
		column, _ := strconv.Atoi(m[2])
		places = append(places, &source.Error{File: name, Line: line, Column: column, Reason: m[3]})
	}
	if len(places) == 0 {
		return &source.Error{File: name, Reason: err.Error()}
	}
	return errors.Join(places...)
}
