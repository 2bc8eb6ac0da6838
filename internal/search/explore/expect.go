package explore

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// then writes what is wrong, and what both servers did.
func (w *writer) then(d *Difference) {
	w.b.WriteString("  " + w.shown(d.Text) + "\n")
	if d.got == nil {
		return
	}
	w.sides(d)
}

// expected writes the steps that fail.
func (w *writer) expected(d *Difference) {
	if d.broken != nil {
		w.indented(d.broken.Step)
		return
	}
	if d.want == nil && d.row != nil {
		w.row(d.row)
	}
	if d.want == nil {
		if d.got != nil && d.got.status >= http.StatusInternalServerError {
			w.line("    ", "Then the answer is not a 5xx")
		}
		return
	}
	code := member(d.want.parsed, w.couple.subject.lane.Maker.System.ErrorCode)
	w.line("    ", "Then the answer is "+answered(d.want.status, code))
	switch {
	case d.at != nil && d.got.status == d.want.status:
		w.line("    ", "And the answer has")
		w.member(d.at)
	case d.row != nil:
		w.row(d.row)
	case d.costs:
		w.budget(d.want.calls)
	}
}

// member writes what a member of the answer should be. Of a list whose length differs it is the item that is too many,
// or that is missing.
func (w *writer) member(d *difference) {
	list, length := strings.CutSuffix(d.at, " (number of items)")
	if !length {
		w.line("      ", "| "+d.at+" | "+w.cell(d.right)+" |")
		return
	}
	left, _ := d.left.(json.Number).Int64()
	right, _ := d.right.(json.Number).Int64()
	if left > right {
		w.line("      ", fmt.Sprintf("| %s[%d] | absent |", list, right))
		return
	}
	w.line("      ", fmt.Sprintf("| %s[%d] | anything |", list, right-1))
}

// aTime is what a table has for a time of the walk: it is another one in each run.
const aTime = "a time"

// cell writes a value as a table does.
func (w *writer) cell(value any) string {
	switch value := value.(type) {
	case missing, nil:
		return "absent or null"
	case json.Number:
		return "number " + value.String()
	case string:
		if found, _ := cutTimes(value); len(found) == 1 && len(value) <= len("2006-01-02T15:04:05.000000000+00:00") {
			if _, _, in := w.couple.pairing.clocks[1].steps(found[0], found[0].Add(1)); in {
				return aTime
			}
		}
		return strings.ReplaceAll(w.shown(value), "|", `\|`)
	case map[string]any, []any:
		return strings.ReplaceAll(w.shown(compact(value)), "|", `\|`)
	}
	return fmt.Sprint(value)
}

func (w *writer) row(d *rowDifference) {
	key := make([]string, len(d.key))
	for i := range d.key {
		key[i] = w.shown(d.key[i])
	}
	name := w.resource(d.resource) + " " + strings.Join(key, " / ")
	if w.couple.subject.content.paths[d.resource] {
		name = strings.Join(key, "")
		what := "blob"
		if w.couple.subject.lane.Maker.System.Store == "kv" {
			what = "key"
		}
		switch {
		case d.right == nil:
			w.line("    ", "And there is no "+what+" "+name)
		case what == "blob":
			w.line("    ", "And the blob "+name+" is there")
		default:
			w.members(name, d)
		}
		return
	}
	if d.right == nil {
		w.line("    ", "And there is no row "+name)
		return
	}
	w.line("    ", "And the row "+name+" has")
	columns := slices.Sorted(maps.Keys(d.right.columns))
	for _, column := range columns {
		if d.of == nil || d.of.path == column || strings.HasPrefix(d.of.path, column+".") ||
			strings.HasPrefix(d.of.path, column+" (") {
			w.line("      ", "| "+column+" | "+w.cell(d.right.columns[column])+" |")
		}
	}
	if d.of != nil && !slices.Contains(columns, d.of.path) {
		if _, is := d.of.right.(missing); is {
			w.line("      ", "| "+d.of.path+" | absent |")
		}
	}
}

// members writes the members of a key's value that should be there.
func (w *writer) members(name string, d *rowDifference) {
	w.line("    ", "And the key "+name+" has")
	object, _ := d.right.columns["content"].(map[string]any)
	for _, member := range slices.Sorted(maps.Keys(object)) {
		if d.of == nil || strings.HasPrefix(d.of.path, "content."+member) {
			w.line("      ", "| "+member+" | "+w.cell(object[member])+" |")
		}
	}
}

// budget writes the storage calls of an answer as the most that are allowed.
func (w *writer) budget(calls []wire.Call) {
	w.line("    ", "And the storage calls are at most")
	w.line("      ", "| service | call | on | count |")
	counts := map[[3]string]int{}
	for _, call := range calls {
		if call.Provisions() {
			continue
		}
		on := w.resource(w.couple.oracle.content.word(call.Resource))
		class := call.Class
		if call.Writes() {
			class = "write"
		}
		counts[[3]string{string(call.Service), class, on}]++
	}
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b [3]string) int {
		return slices.Compare(a[:], b[:])
	})
	for _, key := range keys {
		w.line("      ", fmt.Sprintf("| %s | %s | %s | %d |", key[0], key[1], key[2], counts[key]))
	}
}

// shown returns a text with names instead of ids, on either side.
func (w *writer) shown(text string) string {
	for _, s := range []*side{w.couple.subject, w.couple.oracle} {
		if s == nil {
			continue
		}
		for r, name := range w.names {
			if value := asText(s.value(r)); len(value) >= 8 {
				text = strings.ReplaceAll(text, value, "{"+name+"}")
			}
		}
		values, people := s.world.Names.Known()
		for _, name := range values {
			if value, _ := s.world.Names.Kept(name); len(value) >= 8 {
				text = strings.ReplaceAll(text, value, "{"+name+"}")
			}
		}
		for _, name := range people {
			p := s.world.People.Person(name)
			for fact, value := range map[string]string{"email": p.Email, "userKey": p.UserKey(), "session": p.Session} {
				if value != "" {
					text = strings.ReplaceAll(text, value, "{"+name+"."+fact+"}")
				}
			}
		}
	}
	if w.tag != "" {
		text = strings.ReplaceAll(text, w.tag, "{tag}")
	}
	return text
}

// sides writes the answers and the storage calls of both servers next to each other.
func (w *writer) sides(d *Difference) {
	left := w.transcript(w.couple.subject, d.got)
	if d.want == nil {
		w.b.WriteString("\n  the server\n")
		for _, line := range left {
			w.line("    ", line)
		}
		return
	}
	right := w.transcript(w.couple.oracle, d.want)
	width := len("the server")
	for _, line := range left {
		width = max(width, min(len([]rune(line)), 56))
	}
	fmt.Fprintf(&w.b, "\n    %-*s   %s\n", width, "the server", "the other")
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		mark := "  "
		if l != r {
			mark = "→ "
		}
		pad := max(0, width-len([]rune(l)))
		w.line("  "+mark, l+strings.Repeat(" ", pad)+"   "+r)
	}
}

// transcript returns an answer and its storage calls, one on a line.
func (w *writer) transcript(s *side, a *answer) []string {
	lines := []string{answered(a.status, member(a.parsed, s.lane.Maker.System.ErrorCode))}
	for _, call := range a.calls {
		if !call.Provisions() {
			place := call.Place()
			for actual, word := range s.content.words {
				place = strings.ReplaceAll(place, actual, word)
			}
			lines = append(lines, fmt.Sprintf("%s %s %s: %d", call.Service, call.Class, w.shown(place), call.Status))
		}
	}
	return lines
}
