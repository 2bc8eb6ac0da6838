package azure

import (
	"fmt"
	"strings"
)

// Refusals returns what a store refuses of a reference, as a Markdown table.
func (r *Reference) Refusals() string {
	type refusal struct{ what, answer, why string }
	by := map[refusal][]string{}
	var order []refusal
	add := func(o, what, answer, why string) {
		key := refusal{what, answer, why}
		if by[key] == nil {
			order = append(order, key)
		}
		by[key] = append(by[key], o)
	}
	for i := range r.Operations {
		o := &r.Operations[i]
		link := "[" + o.Name + "](" + r.Page + o.Page + ")"
		if o.Refused != "" {
			add(link, o.Send, o.Answers, o.Refused)
		}
		for _, p := range o.Takes {
			if p.Is == Refused {
				add(link, p.what(), p.Answers, p.Why)
			}
		}
	}
	for _, p := range r.Every {
		if p.Is == Refused {
			add("every operation", p.what(), p.Answers, p.Why)
		}
	}
	var b strings.Builder
	b.WriteString("\n| refused | answer | by | |\n|---|---|---|---|\n")
	for _, key := range order {
		what := strings.Join(strings.Fields(key.what), " ") // a body has lines, and a row of a table is one
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", what, key.answer, strings.Join(by[key], ", "), key.why)
	}
	b.WriteString("\n")
	return b.String()
}
