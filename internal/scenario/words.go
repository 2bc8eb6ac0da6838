package scenario

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"
)

// Words are the words of a design, as the steps of its features use them: its people, routes, tables, columns and names
// for values. They take the place of those in an example of a step that the features do not use yet. The zero value has
// none.
type Words struct {
	people, names []string // in the order of their first use, as all the others
	requests      map[string]string
	tables        []string
	keys          map[string]string // the key of a row, such as "{Ana} / milk", by table
	columns       map[string][]column
}

// column is a column of a table, and what a row has in it.
type column struct{ name, value string }

var (
	// aPerson is who does something, at the beginning of a step.
	aPerson = regexp.MustCompile(`^([A-Z]\w*) (?:sends|calls|opens|is refused|is a person)\b`)
	// wholeRequest is a request with its body, whose JSON may hold names in braces.
	wholeRequest = regexp.MustCompile(`\b(GET|POST|PUT|PATCH|DELETE) (/\S*[^\s,])( \{(?:[^{}]|\{[^{}]*\})*\})?`)
	// wordOf is what an example's words are looked for by: a request, the column of a row, a partition, a row's key,
	// and every other word.
	wordOf = regexp.MustCompile(wholeRequest.String() + `|"?\w+"? of the row\b|\bwhere \w+ is \w+|` +
		`\bpartition \S+ of \w+|\w+ \S+ / \S+|` +
		`\{[A-Z]\w*\}|\w+`)
)

// Add adds the words of a step.
func (w *Words) Add(v *Vocabulary, step *godog.Step) {
	k, err := v.find(step)
	if err != nil {
		return
	}
	if w.requests == nil {
		w.requests, w.keys, w.columns = map[string]string{}, map[string]string{}, map[string][]column{}
	}
	if m := aPerson.FindStringSubmatch(step.Text); m != nil && m[1] != "Nobody" {
		w.people = withNew(w.people, m[1])
	}
	for _, name := range k.names() {
		if !strings.HasSuffix(name, "#") {
			w.names = withNew(w.names, name)
		}
	}
	if m := wholeRequest.FindStringSubmatch(step.Text); m != nil && k.requests > 0 && w.requests[m[1]] == "" {
		w.requests[m[1]] = m[0]
	}
	for _, group := range k.tables {
		w.row(k.said()[group-1], k, step)
	}
}

// row adds what a step says of a row of a table.
func (w *Words) row(table string, k *match, step *godog.Step) {
	if table == "" || Placeholder.MatchString(table) {
		return
	}
	w.tables = withNew(w.tables, table)
	key := regexp.MustCompile(`\b` + regexp.QuoteMeta(table) + ` ([^\s<>]+ / [^\s<>]+)`).FindStringSubmatch(step.Text)
	if key != nil && w.keys[table] == "" {
		w.keys[table] = key[1]
	}
	below, _ := arguments(step)
	if below == nil || k.columns == nil {
		return
	}
	names := k.columns(below)
	for i, name := range names {
		known := slices.ContainsFunc(w.columns[table], func(c column) bool { return c.name == name })
		if known {
			continue
		}
		one := column{name: name}
		if len(below.Rows) == len(names) && len(below.Rows[i].Cells) > 1 { // a row for each column
			one.value = below.Rows[i].Cells[1].Value
		}
		w.columns[table] = append(w.columns[table], one)
	}
}

// withNew returns a list with an element that it may have already.
func withNew(list []string, one string) []string {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}

// Example returns an example of a step with the words of the design instead of its own, where it has them.
func (w *Words) Example(v *Vocabulary, step Step) string {
	said := asStep(step.Example)
	k, err := v.find(said)
	if err != nil {
		return step.Example
	}
	t := &translation{Words: w, theirs: v.exampleTables()}
	keyword, text, _ := strings.Cut(step.Example, " ")
	first, below, more := strings.Cut(text, "\n")
	if first = t.line(first); more {
		lines := strings.Split(below, "\n")
		for i, line := range lines {
			lines[i] = t.line(line)
		}
		table, _ := arguments(said)
		below = strings.Join(slices.Compact(w.rows(k, table, t.first, lines)), "\n")
		first += "\n" + below
	}
	translated := keyword + " " + first
	if again, err := v.find(asStep(translated)); err != nil || again.Pattern != step.Pattern {
		return step.Example
	}
	return translated
}

// rows returns the lines of an example's table about the rows of a table, with that table's columns.
func (w *Words) rows(k *match, below *godog.Table, table string, lines []string) []string {
	columns := w.columns[table]
	if below == nil || k.columns == nil || len(columns) == 0 {
		return lines
	}
	names := k.columns(below)
	switch {
	case len(below.Rows) == len(names) && len(below.Rows[0].Cells) == 2: // FirstCells
		lines = nil
		for _, one := range columns[:min(len(columns), len(names))] {
			lines = append(lines, "| "+one.name+" | "+escapedCell.Replace(one.value)+" |")
		}
	case len(below.Rows) == 1: // HeaderCells
		lines = []string{"|"}
		for _, one := range columns[:min(len(columns), len(names))] {
			lines[0] += " " + one.name + " |"
		}
	}
	return lines
}

// escapedCell writes a cell as Gherkin reads it.
var escapedCell = strings.NewReplacer(`\`, `\\`, "|", `\|`)

// translation is an example that is being translated. What it has translated once, it translates in the same way again.
type translation struct {
	*Words
	theirs []string // the tables of the examples
	tables []string // those of this example, so far
	named  []string // and its names for values
	first  string   // the design's table instead of the first of tables
}

// line translates a line.
func (t *translation) line(line string) string {
	service := strings.Contains(line, "the service ") // whose requests are not those of the design
	return wordOf.ReplaceAllStringFunc(line, func(word string) string {
		if m := wholeRequest.FindStringSubmatch(word); m != nil {
			if service || t.requests[m[1]] == "" {
				return word
			}
			own := wholeRequest.FindStringSubmatch(t.requests[m[1]])
			if m[3] == "" {
				return own[1] + " " + own[2]
			}
			return own[0]
		}
		return t.word(word, line)
	})
}

// word translates a word, or what was found around one.
func (t *translation) word(word, line string) string {
	switch name, key, hasKey := strings.Cut(word, " "); {
	case strings.HasSuffix(word, " of the row"), strings.HasPrefix(word, "where "):
		return t.ofRow(word, line)
	case hasKey && slices.Contains(t.theirs, name):
		table := t.table(name)
		return table + " " + t.key(table, key)
	case name == "partition" && hasKey:
		fields := strings.Fields(word)
		table := t.table(fields[3])
		partition, _, _ := strings.Cut(t.key(table, fields[1]), " / ")
		return "partition " + partition + " of " + table
	case hasKey: // the word before a key is not a table
		return wordOf.ReplaceAllStringFunc(name, func(s string) string { return t.word(s, line) }) + " " + key
	case slices.Contains(t.theirs, word):
		return t.table(word)
	case strings.HasPrefix(word, "{"):
		return t.value(word)
	}
	return t.person(word)
}

// key returns the key of a row of a table. What counts rows by {i}, or looks for them by a name like <user>, stays.
func (t *translation) key(table, theirs string) string {
	own := t.keys[table]
	if own == "" || strings.Contains(theirs, "<") {
		return theirs
	}
	if _, row, _ := strings.Cut(theirs, " / "); strings.Contains(row, "{i}") {
		partition, _, _ := strings.Cut(own, " / ")
		return partition + " / " + row
	}
	return own
}

// table returns the design's table instead of one of the example.
func (t *translation) table(theirs string) string {
	if len(t.Words.tables) == 0 {
		return theirs
	}
	t.tables = withNew(t.tables, theirs)
	own := t.Words.tables[slices.Index(t.tables, theirs)%len(t.Words.tables)]
	if t.first == "" {
		t.first = own
	}
	return own
}

// ofRow translates the name of a column, in a line that names the row's table.
func (t *translation) ofRow(word, line string) string {
	named := slices.IndexFunc(strings.Fields(line), func(s string) bool { return slices.Contains(t.theirs, s) })
	if named < 0 {
		return word
	}
	columns := t.columns[t.table(strings.Fields(line)[named])]
	if len(columns) == 0 {
		return word
	}
	own := columns[0]
	switch {
	case strings.HasPrefix(word, "where "):
		if own.value == "" || strings.ContainsAny(own.value, " {") {
			return word
		}
		return "where " + own.name + " is " + own.value
	case strings.HasPrefix(word, `"`):
		return `"` + own.name + `" of the row`
	}
	return own.name + " of the row"
}

// value translates the name of a value, in braces.
func (t *translation) value(word string) string {
	name := strings.Trim(word, "{}")
	if i := slices.Index(examplePeople(), name); i >= 0 {
		return "{" + t.person(name) + "}"
	}
	t.named = withNew(t.named, name)
	if i := slices.Index(t.named, name); i < len(t.names) {
		return "{" + t.names[i] + "}"
	}
	return word
}

// person translates the name of a person; it returns any other word as it is.
func (t *translation) person(word string) string {
	i := slices.Index(examplePeople(), word)
	if i < 0 {
		return word
	}
	all := slices.Clone(t.people)
	for _, name := range examplePeople() {
		all = withNew(all, name)
	}
	return all[i]
}

// examplePeople returns the people in the examples of steps.
func examplePeople() []string { return []string{"Ana", "Ben", "Gus"} }

// exampleTables returns the tables in the examples of steps.
func (v *Vocabulary) exampleTables() []string {
	tables := Tables{}
	for _, step := range v.steps {
		tables.Add(v, asStep(step.Example))
	}
	return tables.Names()
}

// asStep returns an example as a step.
func asStep(example string) *godog.Step {
	_, text, _ := strings.Cut(example, " ")
	first, below, more := strings.Cut(text, "\n")
	step := &godog.Step{Text: first}
	if !more || !strings.HasPrefix(below, "|") {
		return step
	}
	table := &godog.Table{}
	for line := range strings.Lines(below) {
		row := &messages.PickleTableRow{}
		for cell := range strings.SplitSeq(strings.Trim(strings.TrimSpace(line), "|"), "|") {
			row.Cells = append(row.Cells, &messages.PickleTableCell{Value: strings.TrimSpace(cell)})
		}
		table.Rows = append(table.Rows, row)
	}
	step.Argument = &messages.PickleStepArgument{DataTable: table}
	return step
}

// Steps returns all steps.
func (v *Vocabulary) Steps() []Step {
	all := make([]Step, len(v.steps))
	for i, step := range v.steps {
		all[i] = step.Step
	}
	return all
}
