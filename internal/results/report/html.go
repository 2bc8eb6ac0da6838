package report

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/results/events"
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

// HTML writes a stream as one self-contained page: it can be opened from a disk, reads without JavaScript, and its
// policy forbids loading anything.
//
// The data of page/*.html is made in html_*.go, from the whole to its parts: the run (html_system.go), a rule
// (html_rule.go), the steps of a scenario (html_steps.go), a request (html_request.go), its storage calls
// (html_calls.go), cases of faults and orders (html_cases.go), and what operations cost (html_cost.go).
func HTML(w io.Writer, s *events.Stream, extras Extras) error {
	page, err := newPage(s, extras)
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

// class returns the style class for an outcome or a verdict.
func class(outcome any) string { return strings.ReplaceAll(fmt.Sprint(outcome), " ", "-") }

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

func newPage(s *events.Stream, extras Extras) (*page, error) {
	style, err := pageFiles.ReadFile("page/report.css")
	script, scriptErr := pageFiles.ReadFile("page/report.js")
	if err := cmp.Or(err, scriptErr); err != nil {
		return nil, err
	}
	p := &page{
		Version: s.Header.Version,
		Style:   template.CSS(style), Script: template.JS(script), //nolint:gosec // both are ours
		Policy: fmt.Sprintf("default-src 'none'; img-src data:; style-src 'sha256-%s'; script-src 'sha256-%s'; "+
			"base-uri 'none'; form-action 'none'", digest(style), digest(script)),
	}
	options := Options{Strict: s.Header.Strict, BudgetsWarn: s.Header.BudgetsWarn}
	worst, titles, counts := verify.Skipped, []string{}, map[verify.Outcome]int{}
	for _, run := range s.Runs {
		system := newPageSystem(s, run, options, extras.Prices)
		p.Systems = append(p.Systems, system)
		worst = verify.Worse(worst, system.Outcome)
		titles = append(titles, system.Headline+" – "+run.System)
		for _, count := range system.Counts {
			counts[count.Outcome] += count.N
		}
	}
	for _, count := range inOrder(counts) {
		p.Outcomes = append(p.Outcomes, count.Outcome)
	}
	sign := signOf(worst)
	p.Icon, p.Title = sign.icon(), sign.Mark+" "+strings.Join(titles, "; ")
	if extras.Mutants != nil {
		p.Mutants, p.Scores, p.Wire = extras.Mutants.Systems, extras.Mutants.Scores, extras.Mutants.Wire
	}
	return p, nil
}

// digest returns the source expression of a style or a script in a policy (CSP Level 3, section 2.3.1).
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// sign is what an outcome looks like in a tab.
type sign struct{ Mark, color, path string }

func signOf(outcome verify.Outcome) sign {
	switch outcome {
	case verify.Passed, verify.KnownFailing:
		return sign{"✓", "#1a6b3c", "M9 17l5 5L24 11"}
	case verify.Skipped, verify.Unfinished:
		return sign{"–", "#566073", "M9 16h14"}
	case verify.OverBudget, verify.Unclear, verify.Fixed:
		return sign{"✗", "#8a5200", "M11 11l10 10M21 11L11 21"}
	}
	return sign{"✗", "#b3261e", "M11 11l10 10M21 11L11 21"}
}

// icon returns an image as an address (RFC 2397).
func (s sign) icon() template.URL {
	return template.URL("data:image/svg+xml," + url.PathEscape( //nolint:gosec // of constants
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="`+s.color+
			`"/><path d="`+s.path+`" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`))
}
