package verify

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/steps"
)

// Rule is one rule of a design, as a feature file states it.
type Rule struct {
	ID        string     `json:"id"` // such as FS-GATE-4
	System    string     `json:"system"`
	Name      string     `json:"name"`
	Clause    string     `json:"clause"`   // the design's own words
	Severity  string     `json:"severity"` // MUST or SHOULD
	File      string     `json:"file"`
	Line      int        `json:"line"`
	Scenarios []Scenario `json:"scenarios"`
	// Vacuous says, for each stub, why the rule may pass on a server that never touches a store.
	Vacuous map[string]string `json:"passesOnStub,omitempty"`
}

// Scenario is one scenario, or one example of a scenario outline.
type Scenario struct {
	Name      string            `json:"name"`
	Example   map[string]string `json:"example,omitempty"` // the cells of its example, by column
	File      string            `json:"file"`
	Line      int               `json:"line"`                    // filled examples have that of their Examples
	Reference bool              `json:"referenceOnly,omitempty"` // holds for the reference server only
}

// Catalogue is the rules of several systems, in the order of their files.
type Catalogue struct {
	files fs.FS // with the rows of filled Examples
	// locations are the places of scenarios in a file whose Examples were filled, by their lines in files
	locations map[string]map[int64]*messages.Location
	tags      []string // tags allowed in the features, besides the ids of rules
	// background is how many steps every scenario of a file, or of a rule in it, begins with
	background map[string]int
	steps      *scenario.Vocabulary
	Rules      []Rule
	Invariants []Invariant // of all rules
	// Documents are the feature files in the form used by Cucumber's tools.
	Documents []Document
	// Suite is a digest of the feature files: it changes with every character of the rules.
	Suite string
}

// Document is a feature file: its syntax tree, and the scenarios generated from it. Ids are unique among all files of
// all systems.
type Document struct {
	Tree    *messages.GherkinDocument
	Pickles []*messages.Pickle
}

// waits counts the steps in which time passes, by file.
func (c *Catalogue) waits() map[string]int {
	counts := map[string]int{}
	for _, document := range c.Documents {
		for _, pickle := range document.Pickles {
			for _, step := range pickle.Steps {
				if c.steps.Waits(step) {
					counts[document.Tree.Uri]++
				}
			}
		}
	}
	return counts
}

// HasStep reports whether the text of a scenario's step begins so.
func (c *Catalogue) HasStep(begin string) bool {
	for _, document := range c.Documents {
		for _, pickle := range document.Pickles {
			if slices.ContainsFunc(pickle.Steps,
				func(step *messages.PickleStep) bool { return strings.HasPrefix(step.Text, begin) }) {
				return true
			}
		}
	}
	return false
}

// FeatureError is an unusable feature file: it is malformed, or breaks a convention.
type FeatureError struct {
	Where  string // file, or file:line
	Reason string
}

func (e *FeatureError) Error() string { return e.Where + ": " + e.Reason }

var ruleTag = regexp.MustCompile(`^@([A-Z]+-[A-Z]+-\d+)$`)

// Load reads the features of systems from files, which contains a folder for each. Examples named for a table of routes
// in their feature's Background are filled from it. The error is a *FeatureError if a file is malformed, a Rule lacks
// its tag or its clause, Examples have no rows, a rule tagged @every-route lacks a route of its feature's table, a
// budgeted route has no budget, or something has an unknown tag. tags are the systems' own, in addition to those of
// Tags.
func Load(files fs.FS, systems []string, tags ...string) (*Catalogue, error) {
	written := overlay{files, map[string][]byte{}}
	c := &Catalogue{files: written, tags: append(Tags(), tags...), steps: scenario.NewVocabulary(steps.Themes()),
		background: map[string]int{}, locations: map[string]map[int64]*messages.Location{}}
	digest := sha256.New()
	for _, system := range systems {
		names, err := fs.Glob(files, path.Join(system, "*.feature"))
		if err != nil {
			return nil, fmt.Errorf("find the features of %s: %w", system, err)
		}
		if len(names) == 0 {
			return nil, &FeatureError{Where: system, Reason: "there is no feature file"}
		}
		for _, name := range names {
			if err := c.read(system, name, written, digest); err != nil {
				return nil, err
			}
		}
		if err := c.everyBudget(system); err != nil {
			return nil, err
		}
	}
	c.Suite = hex.EncodeToString(digest.Sum(nil)[:6])
	return c, nil
}

func (c *Catalogue) read(system, name string, written overlay, digest io.Writer) error {
	content, err := fs.ReadFile(written.FS, name)
	if err != nil {
		return &FeatureError{Where: name, Reason: err.Error()}
	}
	if err := parsable(name, content); err != nil {
		return err
	}
	_, _ = io.WriteString(digest, name+"\n"+string(content)) // writing to a hash never fails
	var ids messages.Incrementing
	unique := func() string { return name + "#" + ids.NewId() }
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(content), unique)
	if err != nil {
		return malformed(name, err)
	}
	doc.Uri = name
	if written.texts[name], c.locations[name], err = fill(name, content, doc, unique); err != nil {
		return err
	}
	pickles := gherkin.Pickles(*doc, name, unique)
	err = c.add(system, name, doc, pickles)
	scenarios := slices.DeleteFunc(pickles, func(p *messages.Pickle) bool { return hasTag(p, invariantTag) })
	c.Documents = append(c.Documents, Document{doc, scenarios})
	return err
}

// longestLine is how much of a line the parser reads, in bytes, with room for the line break. It silently ignores a
// longer line.
const longestLine = bufio.MaxScanTokenSize - 2

// parsable refuses input on which the parser panics or gives no useful error.
func parsable(name string, content []byte) error {
	if bytes.HasPrefix(content, []byte("\ufeff")) {
		return &FeatureError{Where: name + ":1", Reason: "it begins with a byte order mark: save it without"}
	}
	number := 0
	for line := range bytes.Lines(content) {
		if number++; len(line) > longestLine {
			return &FeatureError{Where: fmt.Sprintf("%s:%d", name, number),
				Reason: fmt.Sprintf("the line has more than %d bytes", longestLine)}
		}
	}
	return nil
}

var parserPosition = regexp.MustCompile(`\((\d+):\d+\): (.+)`)

// malformed converts the parser's "Parser errors:\n(3:5): expected …" to file:line.
func malformed(name string, err error) error {
	if m := parserPosition.FindStringSubmatch(err.Error()); m != nil {
		return &FeatureError{Where: name + ":" + m[1], Reason: m[2]}
	}
	return &FeatureError{Where: name, Reason: err.Error()}
}

func (c *Catalogue) add(system, file string, doc *messages.GherkinDocument, pickles []*messages.Pickle) error {
	if doc.Feature == nil {
		return &FeatureError{Where: file, Reason: "it holds no feature"}
	}
	cells := exampleCells(doc.Feature)
	for _, child := range doc.Feature.Children {
		if child.Background != nil {
			c.background[file] = len(child.Background.Steps)
		}
		if child.Scenario != nil {
			return refuse(file, child.Scenario.Location, "the scenario is outside of a Rule")
		}
		if child.Rule == nil {
			continue
		}
		rule, err := c.rule(system, file, child.Rule)
		if err != nil {
			return err
		}
		for _, pickle := range pickles {
			if hasTag(pickle, rule.ID) && !hasTag(pickle, invariantTag) {
				rule.Scenarios = append(rule.Scenarios, Scenario{
					Name: pickle.Name, Example: cells[pickle.AstNodeIds[len(pickle.AstNodeIds)-1]],
					File: file, Line: int(pickle.Location.Line), Reference: hasTag(pickle, "reference"),
				})
			}
		}
		if err := c.invariants(rule, child.Rule); err != nil {
			return err
		}
		if len(rule.Scenarios) == 0 {
			return refuse(file, child.Rule.Location, "%s has no scenario", rule.ID)
		}
		err = cmp.Or(ofItsRule(file, child.Rule), everyRoute(file, doc.Feature, child.Rule, rule.ID))
		if err != nil {
			return err
		}
		if first := child.Rule.Children[0].Background; first != nil {
			c.background["@"+rule.ID] = len(first.Steps)
		}
		c.Rules = append(c.Rules, rule)
	}
	return cmp.Or(c.tagged(file, doc.Feature), distinct(c.Rules), c.runnable(system, file, doc.Feature, pickles),
		judging(file, doc.Feature))
}

func (c *Catalogue) rule(system, file string, found *messages.Rule) (rule Rule, err error) {
	rule = Rule{System: system, Name: found.Name, Severity: "MUST", File: file, Line: int(found.Location.Line)}
	for _, tag := range found.Tags {
		if m := ruleTag.FindStringSubmatch(tag.Name); m != nil {
			if rule.ID != "" {
				return rule, refuse(file, found.Location, "the Rule has two ids, %s and %s", rule.ID, m[1])
			}
			rule.ID = m[1]
		}
		if tag.Name == "@should" {
			rule.Severity = "SHOULD"
		}
	}
	if rule.ID == "" {
		return rule, refuse(file, found.Location, "the Rule has no tag like @FS-GATE-4")
	}
	if i := slices.IndexFunc(c.Rules, func(r Rule) bool { return r.ID == rule.ID }); i >= 0 {
		first := c.Rules[i]
		return rule, refuse(file, found.Location, "%s is defined twice, first at %s:%d", rule.ID, first.File,
			first.Line)
	}
	var clause []string
	for line := range strings.Lines(found.Description) {
		if quote, ok := strings.CutPrefix(strings.TrimSpace(line), ">"); ok {
			clause = append(clause, strings.TrimSpace(quote))
		}
	}
	if rule.Clause = strings.Join(clause, " "); rule.Clause == "" {
		return rule, refuse(file, found.Location, "%s quotes no clause of the design in lines that start with >",
			rule.ID)
	}
	rule.Vacuous, err = vacuous(file, found)
	return rule, err
}

// everyRoute checks a rule tagged @every-route against the feature's table of gated routes: each route needs an example
// whose first cell names it.
func everyRoute(file string, feature *messages.Feature, rule *messages.Rule, id string) error {
	if !slices.ContainsFunc(rule.Tags, func(t *messages.Tag) bool { return t.Name == "@every-route" }) {
		return nil
	}
	shown := map[string]bool{}
	for _, scenario := range scenariosIn(rule) {
		for _, examples := range scenario.Examples {
			for _, row := range examples.TableBody {
				shown[row.Cells[0].Value] = true
			}
		}
	}
	routes := gatedRoutes(feature)
	if len(routes) == 0 {
		return refuse(file, rule.Location, "%s is tagged @every-route, but the feature has no table of gated routes",
			id)
	}
	for _, row := range routes {
		if route := row.Cells[0].Value; !shown[route] {
			return refuse(file, row.Location, "the gated route %s has no scenario under %s", route, id)
		}
	}
	return nil
}

func gatedRoutes(feature *messages.Feature) []*messages.TableRow {
	if step := backgroundTable(feature, scenario.RouteTable); step != nil {
		return step.DataTable.Rows[1:]
	}
	return nil
}

// backgroundTable returns the step of a feature's Background that has this text and a table; nil if there is none.
func backgroundTable(feature *messages.Feature, text string) *messages.Step {
	for _, child := range feature.Children {
		if child.Background == nil {
			continue
		}
		for _, step := range child.Background.Steps {
			if step.Text == text && step.DataTable != nil {
				return step
			}
		}
	}
	return nil
}

// refuse returns a *FeatureError about a place in a feature file.
func refuse(file string, at *messages.Location, reason string, args ...any) error {
	return &FeatureError{fmt.Sprintf("%s:%d", path.Clean(file), at.Line), fmt.Sprintf(reason, args...)}
}

func rulesIn(feature *messages.Feature) (rules []*messages.Rule) {
	for _, child := range feature.Children {
		if child.Rule != nil {
			rules = append(rules, child.Rule)
		}
	}
	return rules
}

func scenariosIn(rule *messages.Rule) (scenarios []*messages.Scenario) {
	for _, child := range rule.Children {
		if child.Scenario != nil {
			scenarios = append(scenarios, child.Scenario)
		}
	}
	return scenarios
}

func hasTag(pickle *messages.Pickle, name string) bool {
	return slices.ContainsFunc(pickle.Tags, func(t *messages.PickleTag) bool { return t.Name == "@"+name })
}

// IDs returns the id of every rule.
func (c *Catalogue) IDs() []string {
	ids := make([]string, len(c.Rules))
	for i, rule := range c.Rules {
		ids[i] = rule.ID
	}
	return ids
}
