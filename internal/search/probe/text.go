package probe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Text writes the table of a result, for people. With bodies it also shows what was sent and answered where nothing
// differs.
func (r *Result) Text(w io.Writer, bodies bool) error {
	b := &strings.Builder{}
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { _, _ = io.WriteString(table, strings.Join(cells, "\t")+"\n") } // Flush has the error
	row("route", "answered", "expected", "the contract has", "differs")
	said := map[string]bool{}
	var shown []func()
	for _, one := range r.Routes {
		if one.Valid == nil {
			row(one.Route, "-", "-", brief(one.Allowed), cmp.Or(one.Note, string(one.Verdict)))
			continue
		}
		answers := []*Answer{one.Valid, one.Refused}
		if one.Refused == nil || one.Verdict == Missing {
			answers = answers[:1]
		}
		for i, a := range answers {
			name, allowed := one.Route, brief(one.Allowed)
			if i > 0 {
				name, allowed = "  refused "+a.asked(), ""
			}
			text := a.text(one.Verdict)
			before := i > 0 && text != "" && said[text]
			if said[text] = true; before {
				text = "as other errors above"
			}
			row(name, a.Answered, a.Expected, allowed, text)
			if bodies || len(a.Differs) > 0 && one.Verdict != Missing && !before {
				shown = append(shown, func() { a.exchange(b, one.Route) })
			}
		}
		if one.Note != "" && one.Verdict != Missing {
			row("  refused", "-", "-", "", one.Note)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, show := range shown {
		show()
	}
	fmt.Fprintf(b, "\n%s: %s\n", r.System, r.summary())
	_, err := io.WriteString(w, trimmed(b.String()))
	return err
}

// trimmed returns a text without the spaces that end its lines.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// exchange writes a request and its answer.
func (a *Answer) exchange(w *strings.Builder, route string) {
	fmt.Fprintf(w, "\n%s, %s:\n", route, a.asked())
	fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(a.Sent, "\n", "\n  "))
	fmt.Fprintf(w, "  -> %s %s\n", a.Answered, a.Body)
}

// text says what differs, and what is to be known of the request.
func (a *Answer) text(verdict Verdict) string {
	text := strings.Join(a.Differs, "; ")
	switch {
	case verdict == Missing:
		return text
	case verdict == Unclear && text != "":
		text = "unclear: " + text
	}
	if text == "" {
		return strings.Join(a.Notes, "; ")
	}
	return strings.Join(append([]string{text}, a.Notes...), "; ")
}

// asked says who sent a request.
func (a *Answer) asked() string {
	if a.Person == "" {
		return "without a session"
	}
	return "as " + a.Person
}

// brief lists statuses.
func brief(statuses []string) string { return strings.Join(statuses, " ") }

// longest is how much of a body is shown.
const longest = 400

// short returns the beginning of a text.
func short(text string) string {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) {
		return fmt.Sprintf("(%d bytes that are not text)", len(text))
	}
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + fmt.Sprintf("… (%d characters)", len(runes))
	}
	return text
}

// summary counts the routes.
func (r *Result) summary() string {
	parts := []string{fmt.Sprintf("%d of %d routes fit", r.Count(Fits), r.asked())}
	if r.Fits() {
		parts = []string{fmt.Sprintf("all fit (%d routes)", r.asked())}
	}
	for _, of := range []struct {
		verdict Verdict
		text    string
	}{{Missing, "%d missing"}, {Differs, "%d differ"},
		{Unclear, "%d unclear, since they need an id that an earlier answer lacks"},
		{Unsent, "%d not sent (--map)"}, {Lacking, "%d missing by the mapping"}, {Skipped, "%d not asked"},
		{Unproven, "%d could not be tried, since no request was found that succeeds"}} {
		if n := r.Count(of.verdict); n > 0 {
			parts = append(parts, fmt.Sprintf(of.text, n))
		}
	}
	if r.stranger {
		parts = append(parts, aboutSessions)
	}
	return strings.Join(parts, "; ")
}

// JSON writes the result as one document.
func (r *Result) JSON(w io.Writer, version string) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"storespec": version, "system": r.System, "fits": r.Fits(),
		"routes": r.Routes})
}
