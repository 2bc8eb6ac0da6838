package scenario

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/system"
)

// Draft is a scenario as far as it is known before it runs: whom and what its steps have named, and whether they have
// sent a request. It finds mistakes of a rule's author that would otherwise look like those of a server.
//
// It never rejects a step that can run. What only a run can show, such as a name that a step gives in some cases, is
// taken to be there.
type Draft struct {
	vocabulary *Vocabulary
	system     system.System
	earlier    []*godog.Step
	people     map[string]bool
	kept       map[string]bool // a # at the end stands for a number
	requests   int             // at most
}

// Draft returns an empty scenario of a system, to which [Draft.Add] adds steps.
func (v *Vocabulary) Draft(s system.System) *Draft {
	return &Draft{vocabulary: v, system: s, people: map[string]bool{}, kept: map[string]bool{}}
}

// Add adds a step to the earlier ones, and checks whether it can run after them. The error joins all that is wrong. An
// unknown step is none of its business: [Vocabulary.Check] finds it.
func (d *Draft) Add(step *godog.Step) error {
	k, err := d.vocabulary.find(step)
	if err != nil {
		return nil //nolint:nilerr // Check finds it
	}
	said := k.said()
	d.meet(step, said)
	err = d.fits(k, step, said)
	for _, name := range k.names() {
		d.kept[name] = true
	}
	d.requests += k.requests
	d.earlier = append(d.earlier, step)
	return err
}

// fits checks a step, of whose text the pattern's groups are said, before it is one of the earlier ones.
func (d *Draft) fits(k *match, step *godog.Step, said []string) error {
	if k.counts {
		d.kept["i"] = true
		defer delete(d.kept, "i")
	}
	if d.requests < k.after {
		return tooFew(d.requests, k.after)
	}
	var wrong []error
	for i, text := range said {
		if !slices.Contains(k.literal, i+1) {
			wrong = append(wrong, d.Knows(text))
		}
	}
	for _, text := range k.below(step) {
		wrong = append(wrong, d.Knows(text))
	}
	if err := errors.Join(wrong...); err != nil || k.review == nil {
		return err
	}
	return k.review(d, step, said)
}

// Keeps returns the names that a step may give to values; a # at the end stands for a number. They are nil for a step
// that is unknown.
func (v *Vocabulary) Keeps(step *godog.Step) (names []string) {
	k, err := v.find(step)
	if err != nil {
		return nil
	}
	return k.names()
}

// names returns the names that the step may give to values.
func (m *match) names() (names []string) {
	for _, name := range m.keeps {
		names = append(names, string(m.pattern.ExpandString(nil, name, m.text, m.at)))
	}
	return names
}

// isWord reports whether a text has letters, digits and _ only, as the names of people do.
func isWord(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// meet adds everybody whom a step may name: in its text, or in a column "who".
func (d *Draft) meet(step *godog.Step, said []string) {
	for _, word := range said {
		if isWord(word) {
			d.people[word] = true
		}
	}
	table, _ := arguments(step)
	for _, name := range Column(table, "who") {
		d.people[name] = true
	}
}

// Column returns the cells of a column of a table with a header, in order; nil if it has none of that name.
func Column(table *godog.Table, name string) (cells []string) {
	if table == nil || len(table.Rows) == 0 {
		return nil
	}
	at := slices.IndexFunc(table.Rows[0].Cells,
		func(cell *messages.PickleTableCell) bool { return cell.Value == name })
	if at < 0 {
		return nil
	}
	for _, row := range table.Rows[1:] {
		cells = append(cells, row.Cells[at].Value)
	}
	return cells
}

// Knows returns an error that joins a [NameError] for each placeholder of a text of which no earlier step says what it
// stands for. also are names that are known besides.
func (d *Draft) Knows(text string, also ...string) error {
	var unknown []error
	for _, name := range d.vocabulary.placeholders(text) {
		if !d.knows(name) && !slices.Contains(also, name) {
			unknown = append(unknown, noName(name, slices.Concat(also, slices.Sorted(maps.Keys(d.kept)),
				slices.Sorted(maps.Keys(d.system.Names))), d.factsOf(name)...))
		}
	}
	return errors.Join(unknown...)
}

// factsOf returns what could stand for a name such as Ana.emial: the facts of that person.
func (d *Draft) factsOf(name string) (names []string) {
	owner, _, dotted := strings.Cut(name, ".")
	if !dotted || !d.people[owner] {
		return nil
	}
	for _, fact := range d.vocabulary.allFacts() {
		names = append(names, owner+"."+fact.Name)
	}
	return names
}

// placeholders returns the names of the placeholders in a text. The same texts are in many scenarios.
func (v *Vocabulary) placeholders(text string) (names []string) {
	if !strings.Contains(text, "{") {
		return nil
	}
	if before, ok := v.named.Load(text); ok {
		return before.([]string)
	}
	for _, match := range Placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	v.named.Store(text, names)
	return names
}

func (d *Draft) knows(name string) bool {
	owner, field, dotted := strings.Cut(name, ".")
	return d.named(name) || dotted && (d.people[owner] || d.named(owner)) && (field == upperEmail ||
		slices.ContainsFunc(d.vocabulary.allFacts(), func(f Fact) bool { return f.Name == field }))
}

func (d *Draft) named(name string) bool {
	_, systems := d.system.Names[name]
	return systems || slices.ContainsFunc(givenNames, func(g givenName) bool { return g.name == name }) ||
		d.kept[name] || d.kept[strings.TrimRight(name, "0123456789")+"#"]
}

// Latest returns the newest step whose text begins with one of these words, or nil.
func (d *Draft) Latest(words ...string) *godog.Step {
	for _, step := range slices.Backward(d.earlier) {
		if slices.ContainsFunc(words, func(begin string) bool { return strings.HasPrefix(step.Text, begin) }) {
			return step
		}
	}
	return nil
}

// LatestSender returns the newest step that sends requests, or nil.
func (d *Draft) LatestSender() *godog.Step {
	for _, step := range slices.Backward(d.earlier) {
		if k, err := d.vocabulary.find(step); err == nil && k.requests > 0 {
			return step
		}
	}
	return nil
}
