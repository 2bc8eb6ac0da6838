package languageserver

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/lint"
)

var (
	// aStep is a line of a step: its indentation, its keyword, and its text.
	aStep = regexp.MustCompile(`^(\s*)(Given |When |Then |And |But |\* )(.*)$`)
	// beforeTable is what the name of a table follows in a step.
	beforeTable = regexp.MustCompile(`\b(?:rows?|on|table|of) (\w*)$`)
	ruleID      = regexp.MustCompile(`[A-Z]+-[A-Z]+-\d+`)
)

// complete offers what fits at a place of a feature file.
func (s *server) complete(path string, at position) []item {
	before := until(s.line(path, at.Line), at.Character)
	if strings.HasPrefix(strings.TrimSpace(before), "|") {
		return s.cells(path, at, before)
	}
	m := aStep.FindStringSubmatch(before)
	if m == nil {
		return []item{}
	}
	var items []item
	if word := beforeTable.FindStringSubmatch(m[3]); word != nil {
		items = offer(s.tables(path).Names(), kindTable, at, word[1])
	}
	folder := filepath.Dir(path)
	for _, theme := range s.themes {
		if !s.systems[folder].Knows(theme.Of) {
			continue
		}
		for _, step := range theme.Steps {
			_, text, _ := strings.Cut(s.example(folder, step), " ")
			label, _, _ := strings.Cut(text, "\n")
			items = append(items, item{label, kindStep, theme.Name, label,
				edit{replaced(at, m[3]), strings.ReplaceAll(text, "\n", "\n"+m[1]+"  ")}})
		}
	}
	return items
}

// cells offers what can be in a cell: tables below the header "on", columns below a step about a row.
func (s *server) cells(path string, at position, before string) []item {
	typed := strings.TrimSpace(before[strings.LastIndex(before, "|")+1:])
	cell := strings.Count(before, "|") - 1
	lines := s.lines(path)
	first := at.Line
	for first > 0 && strings.HasPrefix(strings.TrimSpace(lines[first-1]), "|") {
		first--
	}
	header := strings.Split(lines[first], "|")
	tables := s.tables(path)
	if first < at.Line && cell+1 < len(header) && strings.TrimSpace(header[cell+1]) == "on" {
		return offer(tables.Names(), kindTable, at, typed)
	}
	if first == 0 || cell > 0 {
		return []item{}
	}
	for _, word := range strings.Fields(lines[first-1]) {
		if columns := tables.Columns(word); len(columns) > 0 {
			return offer(columns, kindField, at, typed)
		}
	}
	return []item{}
}

// offer returns names that take the place of what is typed.
func offer(names []string, kind int, at position, typed string) []item {
	items := []item{}
	for _, name := range names {
		items = append(items, item{name, kind, "", name, edit{replaced(at, typed), name}})
	}
	return items
}

// replaced is the place of what was typed last.
func replaced(at position, typed string) span {
	return span{position{at.Line, at.Character - characters(typed, len(typed))}, at}
}

// tables returns the tables of the design of a file. While a file is being typed it often cannot be read: what it named
// when it could be is known as well.
func (s *server) tables(path string) scenario.Tables {
	folder := filepath.Dir(path)
	_, designs, _ := s.designs(path) // what is wrong has been shown
	for _, design := range designs {
		if design.System.Name == filepath.Base(folder) && design.Catalogue != nil {
			s.remember(folder, design)
		}
	}
	if s.known[folder] == nil {
		return scenario.Tables{}
	}
	return s.known[folder]
}

// example returns a step in the words of the design of a folder.
func (s *server) example(folder string, step scenario.Step) string {
	return cmp.Or(s.examples[folder][step.Pattern], step.Example)
}

// remember keeps the description of a design, its tables, and examples in its words: all of them, and only them, once
// all of its files can be read.
func (s *server) remember(folder string, design lint.Design) {
	s.systems[folder] = design.System
	now := design.Catalogue.Tables(design.System)
	if design.Catalogue.Partial() {
		for name, columns := range s.known[folder] {
			if now[name] == nil {
				now[name] = columns
			}
			maps.Copy(now[name], columns)
		}
	}
	s.known[folder] = now
	if !design.Catalogue.Partial() || s.examples[folder] == nil {
		s.examples[folder] = verify.Examples(design.Catalogue)
	}
}

// hover says what the step of a line is; nil if there is no step in it.
func (s *server) hover(path string, at position) *shownHover {
	m := aStep.FindStringSubmatch(s.line(path, at.Line))
	if m == nil {
		return nil
	}
	theme, step, found := s.vocabulary.Described(strings.TrimSpace(m[3]))
	if !found {
		return nil
	}
	return &shownHover{markup{"markdown", fmt.Sprintf("**%s**\n\n```gherkin\n%s\n```\n", theme,
		s.example(filepath.Dir(path), step))}}
}

// definition returns where the rule is stated whose id is at a place; nil if there is none.
func (s *server) definition(path string, at position) *location {
	line := s.line(path, at.Line)
	offset := len(until(line, at.Character))
	spans := ruleID.FindAllStringIndex(line, -1)
	i := slices.IndexFunc(spans, func(span []int) bool { return span[0] <= offset && offset <= span[1] })
	if i < 0 {
		return nil
	}
	directory, designs, _ := s.designs(path) // what is wrong has been shown
	for _, design := range designs {
		if design.Catalogue == nil {
			continue
		}
		if rule := design.Catalogue.Rule(line[spans[i][0]:spans[i][1]]); rule != nil {
			start := position{rule.Line - 1, 0}
			return &location{uriOf(filepath.Join(directory, filepath.FromSlash(rule.File))), span{start, start}}
		}
	}
	return nil
}
