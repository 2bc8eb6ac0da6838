package explore

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/scenario"
)

// writer writes a walk as a scenario. Values of answers get names.
type writer struct {
	couple *couple
	b      strings.Builder
	names  map[reference]string
	taken  map[string]int
	tag    string
}

// scenario returns the walk of an outcome as a scenario, and what both sides did at its end. It must be the last walk
// that the couple has taken.
func (c *couple) scenario(o *outcome) (steps, beside string) {
	w := &writer{couple: c, names: map[reference]string{}, taken: map[string]int{},
		tag: o.walk.Tag}
	w.line("  ", "Scenario: "+o.found.Kind)
	for _, name := range slices.Sorted(maps.Keys(o.walk.Env)) {
		if o.walk.Env[name] == c.subject.usually[name] {
			continue
		}
		w.line("    ", fmt.Sprintf("Given a fresh target with %s %q", name, o.walk.Env[name]))
	}
	for _, step := range c.spec.beginning(o.walk) {
		w.indented(step)
	}
	used := w.used(o.walk)
	for i := range o.walk.Steps {
		step := &o.walk.Steps[i]
		if step.Again != 0 {
			w.again(o.walk, step)
		} else {
			w.step(step)
		}
		for _, r := range used[step.ID] {
			w.name(r)
		}
		if m := step.Meanwhile; m != nil && len(used[m.Step.ID]) > 0 {
			w.line("    ", "# what follows uses the answer to the request in between")
			for _, r := range used[m.Step.ID] {
				w.name(r)
			}
		}
	}
	w.expected(o.found)
	steps = w.b.String()
	w.b.Reset()
	w.then(o.found)
	return c.scrub(steps), c.scrub(w.b.String())
}

func (w *writer) line(indent, text string) {
	w.b.WriteString(strings.TrimRight(indent+text, " ") + "\n")
}

// used returns the values of answers that later steps use, by the step.
func (w *writer) used(walk *Walk) map[int][]reference {
	found := map[int][]reference{}
	for i := range walk.Steps {
		walk.Steps[i].texts(func(text string) string {
			if r, ok := readReference(text); ok && !slices.Contains(found[r.step], r) {
				found[r.step] = append(found[r.step], r)
			}
			return text
		})
	}
	for _, list := range found {
		slices.SortFunc(list, func(a, b reference) int { return strings.Compare(a.String(), b.String()) })
	}
	return found
}

// name gives a value a name, and writes the step that does.
func (w *writer) name(r reference) {
	what := r.header
	if what == "" {
		what = r.path[strings.LastIndexByte(r.path, '.')+1:]
		what, _, _ = strings.Cut(what, "[")
	}
	what = strings.ReplaceAll(strings.Title(what), "-", "") //nolint:staticcheck // of ASCII names
	w.taken[what]++
	name := what + strconv.Itoa(w.taken[what])
	w.names[r] = name
	if r.header != "" {
		w.line("    ", fmt.Sprintf("And the header %s of the answer is called %s", r.header, name))
		return
	}
	w.line("    ", fmt.Sprintf("And %q of the answer is called %s", r.path, name))
}

// text returns a value as a step writes it.
func (w *writer) text(value string) string {
	if r, ok := readReference(value); ok {
		if name, known := w.names[r]; known {
			return "{" + name + "}"
		}
		return gone
	}
	return value
}

var braced = regexp.MustCompile(`\{[A-Za-z][\w.]*\}`)

// escaped returns a value as a part of an address.
func (w *writer) escaped(value string, escape func(string) string) string {
	value = w.text(value)
	if plain, err := scenario.Unfold(value); err == nil {
		value = plain
	}
	var b strings.Builder
	from := 0
	for _, at := range braced.FindAllStringIndex(value, -1) {
		b.WriteString(escape(value[from:at[0]]) + value[at[0]:at[1]])
		from = at[1]
	}
	return b.String() + escape(value[from:])
}

// request writes a request as steps do, except for its headers.
func (w *writer) request(step *Step) string {
	person := step.Person
	if person == "" {
		person = nobody
	}
	text := person + " sends " + step.Method + " " + step.address(w.escaped)
	if step.Body != nil {
		named := eachText(step.Body, func(text string) any { return w.text(text) })
		text += " " + strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(compact(named))
	}
	return text
}

// headers writes headers as the end of a request: one, or several where steps have no table for them.
func (w *writer) headers(step *Step) (text string) {
	for _, name := range slices.Sorted(maps.Keys(step.Header)) {
		text += fmt.Sprintf(` with the header %s "%s"`, name, w.text(step.Header[name]))
	}
	return text
}

// again writes a step that sends an earlier request once more.
func (w *writer) again(walk *Walk, step *Step) {
	for i := range walk.Steps {
		earlier := walk.Steps[i]
		if earlier.ID == step.Again {
			earlier.Meanwhile, earlier.Fault = step.Meanwhile, step.Fault
			w.step(&earlier)
			return
		}
	}
	w.step(step)
}

// step writes a step of the walk.
func (w *writer) step(step *Step) {
	switch {
	case step.Do != "":
		w.indented(step.Do)
		return
	case len(step.With) > 0:
		for _, name := range slices.Sorted(maps.Keys(step.With)) {
			w.line("    ", fmt.Sprintf("Given the target starts again with %s %q", name, step.With[name]))
		}
		return
	case step.Restart:
		w.line("    ", "When the target starts again")
		return
	case step.Pause > 0:
		w.line("    ", fmt.Sprintf("# %d ms pass", step.Pause))
		return
	}
	if step.Fault != nil {
		does := map[string]string{busyOnce: "fails once", busy: "fails",
			lostAnswer: "is done, and its answer is lost"}[step.Fault.Kind]
		w.line("    ", fmt.Sprintf("Given the %s of the next request %s", w.place(step.Fault.Place), does))
	}
	if m := step.Meanwhile; m != nil {
		w.line("    ", fmt.Sprintf("Given before the %s of the next request %s", w.place(m.Place),
			w.request(&m.Step)+w.headers(&m.Step)))
	}
	w.send(step)
	if step.Fault != nil && !step.Fault.Left {
		w.send(step)
	}
}

// place returns a storage call as steps name it.
func (w *writer) place(p Place) string {
	p.On = w.resource(p.On)
	return p.String()
}

// send writes the step that sends a request.
func (w *writer) send(step *Step) {
	request := "When " + w.request(step)
	switch {
	case step.Raw != "":
		w.line("    ", request+w.headers(step)+" with the body")
		w.line("      ", `"""`)
		w.line("      ", step.Raw)
		w.line("      ", `"""`)
	case len(step.Header) > 1:
		w.line("    ", request+" with the headers")
		for _, name := range slices.Sorted(maps.Keys(step.Header)) {
			value := strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(w.text(step.Header[name]))
			w.line("      ", fmt.Sprintf("| %s | %s |", name, value))
		}
	default:
		w.line("    ", request+w.headers(step))
	}
}

// scrub returns a text without what must not be in a report: e-mails, sessions and secrets of the last walk.
func (c *couple) scrub(text string) string {
	for _, s := range []*side{c.subject, c.oracle} {
		if s != nil && s.world != nil {
			text = s.world.Names.Scrub(text)
		}
	}
	return text
}

// resource returns the name of a table as steps write it.
func (w *writer) resource(word string) string {
	if _, named := w.couple.subject.lane.Maker.System.Names[word]; named {
		return "{" + word + "}"
	}
	return word
}

// indented writes a step with its table.
func (w *writer) indented(step string) {
	for line := range strings.Lines(step) {
		indent := "    "
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") {
			indent = "      "
		}
		w.line(indent, line)
	}
}
