package report

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/storespec/storespec/internal/results/price"
	"github.com/storespec/storespec/internal/verify"
)

//go:embed page
var pageFiles embed.FS

// Extras is what a page may contain besides a run.
type Extras struct {
	Mutants *Matrices   // kill matrices; nil: none
	Prices  *price.List // what storage calls cost; nil: no price is shown
}

// HTML writes a report as one self-contained page: it can be opened from a disk, reads without JavaScript, and its
// policy forbids loading anything.
//
// The data of page/*.html is made in html_*.go, from the whole to its parts: the run (html_system.go), a rule
// (html_rule.go), the steps of a scenario (html_steps.go), a request (html_request.go), its storage calls
// (html_calls.go), cases of faults and orders (html_cases.go), and what operations cost (html_cost.go).
func HTML(w io.Writer, r *Report, extras Extras) error {
	page, err := newPage(r, extras)
	if err != nil {
		return err
	}
	parsed, err := template.New("report.html").Funcs(template.FuncMap{"class": class, "several": several}).
		ParseFS(pageFiles, "page/report.html", "page/rule.html", "page/request.html", "page/cases.html",
			"page/cost.html", "page/mutants.html")
	if err != nil {
		return err
	}
	if err := parsed.Execute(w, page); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// page is the template's data.
type page struct {
	Title, Version, Policy string
	Icon                   template.URL
	Style                  template.CSS
	Script                 template.JS
	Systems                []pageSystem
	Outcomes               []verify.Outcome // those a rule can have
	Mutants                []matrixView
	Scores                 []scoreView
	Wire                   []wireView
}

func newPage(r *Report, extras Extras) (*page, error) {
	style, err := pageFiles.ReadFile("page/report.css")
	script, scriptErr := pageFiles.ReadFile("page/report.js")
	if err := cmp.Or(err, scriptErr); err != nil {
		return nil, err
	}
	p := &page{
		Version: r.Version,
		Style:   template.CSS(style), Script: template.JS(script), //nolint:gosec // both are ours
		Policy: fmt.Sprintf("default-src 'none'; img-src data:; style-src 'sha256-%s'; script-src 'sha256-%s'; "+
			"base-uri 'none'; form-action 'none'", digest(style), digest(script)),
	}
	titles, counts := []string{}, map[verify.Outcome]int{}
	for _, run := range r.Runs {
		system := newPageSystem(r.stream, run, extras.Prices)
		p.Systems = append(p.Systems, system)
		titles = append(titles, system.Headline+" – "+run.System)
		for _, count := range system.Counts {
			counts[count.Outcome] += count.N
		}
	}
	for _, count := range inOrder(counts) {
		p.Outcomes = append(p.Outcomes, count.Outcome)
	}
	sign := signOf(r.Outcome)
	p.Icon, p.Title = sign.icon(), sign.Mark+" "+strings.Join(titles, "; ")
	if extras.Mutants != nil {
		p.Mutants, p.Scores, p.Wire = extras.Mutants.Systems, extras.Mutants.Scores, extras.Mutants.Wire
	}
	return p, nil
}
