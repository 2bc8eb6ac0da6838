package report

import (
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"

	"github.com/storespec/storespec/internal/search/explore"
)

// exploredPage is the data of the page.
type exploredPage struct {
	Title, Version, Policy, Summary string
	Style                           template.CSS
	Findings                        []exploredFinding
	Unrepeated                      []string
	Statuses                        []int
	Routes                          []exploredRoute
	Freedoms                        []explore.Freedom
}

type exploredFinding struct {
	explore.Finding

	Again string
}

// exploredRoute is a row of the table of what was reached.
type exploredRoute struct {
	Route, Skipped string
	Answers        []reach // one for each status; the zero value: it was never answered so
}

// ExploredHTML writes one page that can be opened from a disk: the findings, and what was reached, routes by statuses
// and people.
func ExploredHTML(w io.Writer, e Explored, version string) error {
	style, err := pageFiles.ReadFile("page/report.css")
	if err != nil {
		return err
	}
	p := exploredPage{Title: "storespec explore: " + e.System, Version: version, Summary: e.summary(),
		Style: template.CSS(style), //nolint:gosec // ours
		Policy: fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'",
			digest(style)),
		Unrepeated: e.Unrepeated, Freedoms: e.Freedoms}
	for _, f := range e.Findings {
		p.Findings = append(p.Findings, exploredFinding{f, e.again(f)})
	}
	seen := map[int]bool{}
	for one := range e.Asked {
		seen[one.Status] = true
	}
	p.Statuses = slices.Sorted(maps.Keys(seen))
	for _, route := range e.Routes {
		row, answers := exploredRoute{Route: route, Skipped: e.Skipped[route]}, e.answers(route)
		for _, status := range p.Statuses {
			row.Answers = append(row.Answers, answers[status])
		}
		p.Routes = append(p.Routes, row)
	}
	parsed, err := template.New("explored.html").ParseFS(pageFiles, "page/explored.html")
	if err != nil {
		return err
	}
	if err := parsed.Execute(w, p); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
