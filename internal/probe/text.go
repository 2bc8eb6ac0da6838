package probe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Text writes the table of a result, for people. With bodies it also shows what was sent and answered where nothing
// differs.
func (r *Result) Text(w io.Writer, bodies bool) error {
	b := &strings.Builder{}
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "route\tanswered\texpected\tthe contract has\tdiffers")
	for _, one := range r.Routes {
		if one.Valid == nil {
			fmt.Fprintf(table, "%s\t-\t-\t%s\t%s\n", one.Route, brief(one.Allowed), cmp.Or(one.Note, string(one.Verdict)))
			continue
		}
		row(table, one.Route, one.Valid, brief(one.Allowed), one.Verdict)
		if one.Refused != nil && one.Verdict != Missing {
			row(table, "  refused "+one.Refused.asked(), one.Refused, "", one.Verdict)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, one := range r.Routes {
		for _, a := range []*Answer{one.Valid, one.Refused} {
			if a != nil && (bodies || len(a.Differs) > 0 && one.Verdict != Missing) {
				fmt.Fprintf(b, "\n%s, %s:\n", one.Route, a.asked())
				fmt.Fprintf(b, "  %s\n", strings.ReplaceAll(short(a.Sent), "\n", "\n  "))
				fmt.Fprintf(b, "  -> %s %s\n", a.Answered, short(a.Body))
			}
		}
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

func row(w io.Writer, name string, a *Answer, allowed string, verdict Verdict) {
	text := strings.Join(a.Differs, "; ")
	if verdict == Unclear && text != "" {
		text = "unclear: " + text
	}
	notes := slices.Clone(a.Notes)
	if text != "" {
		notes = slices.Insert(notes, 0, text)
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", name, a.Answered, a.Expected, allowed, strings.Join(notes, "; "))
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
	asked := len(r.Routes) - r.Count(Skipped) - r.Count(Lacking)
	parts := []string{fmt.Sprintf("%d of %d routes fit", r.Count(Fits)+r.Count(Unproven), asked)}
	if r.Fits() {
		parts = []string{fmt.Sprintf("all fit (%d routes)", asked)}
	}
	for _, of := range []struct {
		verdict Verdict
		text    string
	}{{Missing, "%d missing"}, {Differs, "%d differ"}, {Unclear, "%d unclear, since they need an id that an earlier answer lacks"},
		{Unsent, "%d not sent (--map)"}, {Lacking, "%d missing by the mapping"}, {Skipped, "%d not asked"},
		{Unproven, "%d without a request that succeeds"}} {
		if n := r.Count(of.verdict); n > 0 {
			parts = append(parts, fmt.Sprintf(of.text, n))
		}
	}
	return strings.Join(parts, "; ")
}

// JSON writes the result as one document.
func (r *Result) JSON(w io.Writer, version string) error {
	type answer struct {
		Person   string   `json:"person,omitempty"`
		Answered string   `json:"answered"`
		Expected string   `json:"expected"`
		Differs  []string `json:"differs"`
		Notes    []string `json:"notes,omitempty"`
		Sent     string   `json:"sent"`
		Body     string   `json:"body"`
	}
	type route struct {
		Route   string   `json:"route"`
		Verdict Verdict  `json:"verdict"`
		Note    string   `json:"note,omitempty"`
		Allowed []string `json:"contract"`
		Valid   *answer  `json:"valid,omitempty"`
		Refused *answer  `json:"refused,omitempty"`
	}
	of := func(a *Answer) *answer {
		if a == nil {
			return nil
		}
		return &answer{a.Person, a.Answered, a.Expected, append([]string{}, a.Differs...), a.Notes, short(a.Sent),
			short(a.Body)}
	}
	routes := []route{}
	for _, one := range r.Routes {
		routes = append(routes, route{one.Route, one.Verdict, one.Note, one.Allowed, of(one.Valid), of(one.Refused)})
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"storespec": version, "system": r.System, "fits": r.Fits(), "routes": routes})
}
