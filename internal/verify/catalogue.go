package verify

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/source"
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
	files   fs.FS             // with the rows of filled Examples
	written map[string]string // the texts with these rows, by file
	// locations are the places of scenarios in a file whose Examples were filled, by their lines in files
	locations map[string]map[int64]*messages.Location
	tags      []string // tags allowed in the features, besides the ids of rules
	// background is how many steps every scenario of a file, or of a rule in it, begins with
	background map[string]int
	examples   map[Place]map[string]string // the cells of each scenario's example
	steps      *scenario.Vocabulary
	// unread are the files of which something could not be read, and the system if it has no file.
	unread     map[string]bool
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

var ruleTag = regexp.MustCompile(`^@([A-Z]+-[A-Z]+-\d+)$`)

// Load reads the features of a system from files, which contains a folder of its name. Examples named for a table of
// routes in their feature's Background are filled from it. The error joins a *source.Error for each mistake: there
// is no file, one is malformed, a Rule lacks its tag or its clause, Examples have no rows, a rule tagged @every-route
// lacks a route of its feature's table, a budgeted route has no budget, a step cannot run, or something has an unknown
// tag. What could be read is returned with it. The tags of the system are allowed in addition to those of Tags;
// [AnyTag] is any tag.
func Load(files fs.FS, s system.System) (*Catalogue, error) {
	written := map[string]string{}
	c := &Catalogue{written: written, tags: append(Tags(), s.Tags...), steps: scenario.NewVocabulary(steps.Themes()),
		background: map[string]int{}, examples: map[Place]map[string]string{},
		locations: map[string]map[int64]*messages.Location{}, unread: map[string]bool{}}
	c.files = source.Overlay{FS: files, Text: func(name string) (string, bool) {
		text, other := written[name]
		return text, other
	}}
	digest := sha256.New()
	names, err := fs.Glob(files, path.Join(s.Name, "*.feature"))
	if err != nil {
		return nil, fmt.Errorf("find the features of %s: %w", s.Name, err)
	}
	var wrong []error
	if len(names) == 0 {
		c.unread[s.Name] = true
		wrong = append(wrong, &source.Error{File: s.Name, Reason: "there is no feature file"})
	}
	for _, name := range names {
		wrong = append(wrong, c.read(files, s, name, digest))
	}
	if !c.Partial() {
		wrong = append(wrong, c.everyBudget(s.Name))
	}
	c.Suite = hex.EncodeToString(digest.Sum(nil)[:6])
	return c, errors.Join(append(wrong, distinct(c.Rules))...)
}

// Partial reports whether some file, or some rule, could not be read.
func (c *Catalogue) Partial() bool { return len(c.unread) > 0 }

// read adds what a file holds.
func (c *Catalogue) read(files fs.FS, s system.System, name string, digest io.Writer) error {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		c.unread[name] = true
		return &source.Error{File: name, Reason: err.Error()}
	}
	_, _ = io.WriteString(digest, name+"\n"+string(content)) // writing to a hash never fails
	var ids messages.Incrementing
	unique := func() string { return name + "#" + ids.NewId() }
	doc, err := parse(name, content, unique)
	if err != nil {
		c.unread[name] = true
		return err
	}
	text, locations, unfilled := fill(name, content, doc, unique)
	if unfilled == nil {
		c.written[name], c.locations[name] = string(text), locations
	} else {
		c.unread[name] = true
	}
	pickles := gherkin.Pickles(*doc, name, unique)
	err = c.add(s, name, doc, pickles)
	scenarios := slices.DeleteFunc(pickles, func(p *messages.Pickle) bool { return hasTag(p, invariantTag) })
	c.Documents = append(c.Documents, Document{doc, scenarios})
	return errors.Join(unfilled, err)
}

// add adds the rules of a feature.
func (c *Catalogue) add(s system.System, file string, doc *messages.GherkinDocument, pickles []*messages.Pickle) error {
	var wrong []error
	for _, child := range doc.Feature.Children {
		if child.Background != nil {
			c.background[file] = len(child.Background.Steps)
		}
		if child.Scenario != nil {
			wrong = append(wrong, refuse(file, child.Scenario.Location, "the scenario is outside of a Rule"))
		}
		if child.Rule != nil {
			wrong = append(wrong, c.addRule(s.Name, file, doc.Feature, child.Rule, pickles))
		}
	}
	wrong = append(wrong, c.tagged(file, doc.Feature), c.runnable(s, file, doc.Feature, pickles),
		judging(file, doc.Feature))
	return errors.Join(wrong...)
}

// addRule adds a rule with its scenarios, unless it has no id or that of another one.
func (c *Catalogue) addRule(system, file string, feature *messages.Feature, found *messages.Rule,
	pickles []*messages.Pickle) error {
	rule, err := c.rule(system, file, found)
	wrong := []error{err, ofItsRule(file, found), c.invariants(rule, found)}
	if rule.ID == "" || c.Rule(rule.ID) != nil {
		c.unread[file] = true
		return errors.Join(wrong...)
	}
	cells := exampleCells(feature)
	for _, pickle := range pickles {
		if hasTag(pickle, rule.ID) && !hasTag(pickle, invariantTag) {
			example := cells[pickle.AstNodeIds[len(pickle.AstNodeIds)-1]]
			c.examples[Place{rule.ID, int(pickle.Location.Line), pickle.Name}] = example
			rule.Scenarios = append(rule.Scenarios, Scenario{
				Name: pickle.Name, Example: example,
				File: file, Line: int(pickle.Location.Line), Reference: hasTag(pickle, "reference"),
			})
		}
	}
	if len(rule.Scenarios) == 0 && !c.unread[file] {
		wrong = append(wrong, refuse(file, found.Location, "%s has no scenario", rule.ID))
	}
	if len(found.Children) > 0 && found.Children[0].Background != nil {
		c.background["@"+rule.ID] = len(found.Children[0].Background.Steps)
	}
	c.Rules = append(c.Rules, rule)
	return errors.Join(append(wrong, everyRoute(file, feature, found, rule.ID))...)
}

// rule reads what a Rule says of itself. The ID is "" if it has none; the error joins all that is wrong.
func (c *Catalogue) rule(system, file string, found *messages.Rule) (Rule, error) {
	rule := Rule{System: system, Name: found.Name, Severity: "MUST", File: file, Line: int(found.Location.Line)}
	var wrong []error
	for _, tag := range found.Tags {
		if m := ruleTag.FindStringSubmatch(tag.Name); m != nil {
			if rule.ID != "" {
				wrong = append(wrong, refuse(file, tag.Location, "the Rule has two ids, %s and %s", rule.ID, m[1]))
				continue
			}
			rule.ID = m[1]
		}
		if tag.Name == "@should" {
			rule.Severity = "SHOULD"
		}
	}
	if rule.ID == "" {
		wrong = append(wrong, c.withoutID(system, file, found))
	} else if first := c.Rule(rule.ID); first != nil {
		wrong = append(wrong, refuse(file, found.Location, "%s is defined twice, first at %s:%d", rule.ID, first.File,
			first.Line))
	}
	var clause []string
	for line := range strings.Lines(found.Description) {
		if quote, ok := strings.CutPrefix(strings.TrimSpace(line), ">"); ok {
			clause = append(clause, strings.TrimSpace(quote))
		}
	}
	if rule.Clause = strings.Join(clause, " "); rule.Clause == "" {
		wrong = append(wrong, refuse(file, found.Location,
			"%s quotes no clause of the design in lines that start with >", cmp.Or(rule.ID, "the Rule")))
	}
	var err error
	rule.Vacuous, err = vacuous(file, found)
	return rule, errors.Join(append(wrong, err)...)
}

// everyRoute checks a rule tagged @every-route against the feature's table of gated routes: each route needs an example
// whose first cell names it. While some Examples have no rows, which is a mistake of its own, it says nothing.
func everyRoute(file string, feature *messages.Feature, rule *messages.Rule, id string) error {
	if !slices.ContainsFunc(rule.Tags, func(t *messages.Tag) bool { return t.Name == "@every-route" }) {
		return nil
	}
	shown := map[string]bool{}
	for _, scenario := range scenariosIn(rule) {
		for _, examples := range scenario.Examples {
			if len(examples.TableBody) == 0 {
				return nil
			}
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
	var wrong []error
	for _, row := range routes {
		if route := row.Cells[0].Value; !shown[route] {
			wrong = append(wrong, refuse(file, row.Location, "the gated route %s has no scenario under %s", route, id))
		}
	}
	return errors.Join(wrong...)
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

// refuse returns a *source.Error about a place in a feature file.
func refuse(file string, at *messages.Location, reason string, args ...any) error {
	return &source.Error{File: path.Clean(file), Line: int(at.Line), Column: int(at.Column),
		Reason: fmt.Sprintf(reason, args...)}
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

// Rule returns the rule with an id, or nil.
func (c *Catalogue) Rule(id string) *Rule {
	if i := slices.IndexFunc(c.Rules, func(r Rule) bool { return r.ID == id }); i >= 0 {
		return &c.Rules[i]
	}
	return nil
}

// IDs returns the id of every rule.
func (c *Catalogue) IDs() []string {
	ids := make([]string, len(c.Rules))
	for i, rule := range c.Rules {
		ids[i] = rule.ID
	}
	return ids
}
